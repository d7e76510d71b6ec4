/** A receiver of spans and metrics (OpenTelemetry), which the owner has configured. */
export interface Collector {
  /**
   * Sends one OTLP document as JSON; nothing is kept or retried. Throws UPSTREAM_UNAVAILABLE if the receiver may accept it later, and
   * VALIDATION_FAILED, with `details.status`, if it refuses the document for good.
   */
  send(signal: TelemetrySignal, document: object): Promise<void>;
}

export type TelemetrySignal = "traces" | "metrics";
