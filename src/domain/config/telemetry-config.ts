import { z } from "zod";
import { group } from "../text/checked-yaml.ts";
import { serverAddress, variableName } from "./engine-config.ts";

/** where spans and metrics are sent. Without this setting nothing is. */
export const telemetryConfig = group({
  /** Address of an OTLP/HTTP receiver, such as http://collector:4318; `/v1/traces` and `/v1/metrics` are added. */
  url: serverAddress,
  /** The environment variable with headers for it, such as `authorization=Bearer …`, separated by commas. */
  headers_env: variableName.optional(),
  /** Seconds between two sendings. */
  every_seconds: z.int("seconds").min(1, "seconds").max(3600, "seconds").default(15),
}).optional();
export type TelemetryConfig = NonNullable<z.infer<typeof telemetryConfig>>;
