/** A receiver of spans and metrics (OpenTelemetry), which the owner has configured. */
export interface Collector {
  /** Sends one OTLP document as JSON. Throws UPSTREAM_UNAVAILABLE if it was not accepted; nothing is kept or retried. */
  send(signal: "traces" | "metrics", document: object): Promise<void>;
}
