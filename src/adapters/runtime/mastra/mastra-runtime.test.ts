import { runtimeConformance } from "../conformance.ts";
import { mastraRuntime } from "./mastra-runtime.ts";

runtimeConformance("mastra", mastraRuntime);
