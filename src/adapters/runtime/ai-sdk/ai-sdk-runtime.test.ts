import { runtimeConformance } from "../conformance.ts";
import { aiSdkRuntime } from "./ai-sdk-runtime.ts";

runtimeConformance("ai-sdk", aiSdkRuntime);
