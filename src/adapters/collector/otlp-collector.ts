import { asFailure, Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import type { Collector } from "../../ports/collector.ts";
import type { Egress } from "../../ports/egress.ts";

export interface OtlpOptions {
  readonly url: string;
  /** `name=value,name=value`; values are percent-encoded, as in OTEL_EXPORTER_OTLP_HEADERS. */
  readonly headers: string | undefined;
  /** Allows the host of `url` only. */
  readonly egress: Egress;
}

const ANSWER_MS = 10_000;
const CHECK: Text = {
  en: "Check `telemetry` in garden.yaml and the collector. Nothing else depends on it.",
  uk: "Перевірте `telemetry` у garden.yaml і колектор. Більше від нього нічого не залежить.",
};

/** OTLP over HTTP with JSON, without the SDK of OpenTelemetry: two POST requests per interval need no dependency. */
export const otlpCollector = ({ url, headers, egress }: OtlpOptions): Collector => ({
  async send(signal, document) {
    const at = `${url.replace(/\/$/, "")}/v1/${signal}`;
    let status: number;
    try {
      const answer = await egress.fetch(at, {
        method: "POST",
        headers: { ...headersOf(headers), "content-type": "application/json" },
        body: JSON.stringify(document),
        redirect: "error",
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      await answer.body?.cancel();
      status = answer.status;
    } catch (error) {
      throw notAccepted(at, asFailure(error).message);
    }
    if (status >= 400 && status < 500 && status !== 408 && status !== 429) throw refused(at, status);
    if (status >= 300) throw notAccepted(at, `HTTP ${status}`);
  },
});

function headersOf(text = ""): Record<string, string> {
  const pairs = text.split(",").map((pair) => {
    const at = pair.indexOf("="); // the first one: a value may end in `==` (base64)
    return at < 0 ? ["", ""] : [pair.slice(0, at).trim().toLowerCase(), pair.slice(at + 1).trim()];
  });
  const named = pairs.filter(([name]) => name !== "");
  return Object.fromEntries(named.map(([name, value]) => [name!, decodeURIComponent(value!)]));
}

const notAccepted = (at: string, why: string): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `telemetry was not accepted at ${at} (${why})`,
    uk: `телеметрію не прийнято за адресою ${at} (${why})`,
    hint: CHECK,
    details: { part: "telemetry" },
  });

const refused = (at: string, status: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `telemetry was refused at ${at} (HTTP ${status}) and is dropped`,
    uk: `телеметрію відхилено за адресою ${at} (HTTP ${status}), її відкинуто`,
    hint: CHECK,
    details: { part: "telemetry", status },
  });
