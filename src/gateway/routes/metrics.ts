import { gardenGauges } from "../../garden/insight/telemetry/garden-gauges.ts";
import { prometheusText } from "../prometheus.ts";
import { type Route, route } from "../route.ts";

export const metricsRoutes: readonly Route[] = [
  route("GET /metrics", {
    summary: {
      en: "counters of this process and the state of the garden in the text format of Prometheus; for the owner, or with the token in BLOOM_METRICS_TOKEN",
      uk: "лічильники цього процесу і стан саду в текстовому форматі Prometheus; для власника або з токеном із BLOOM_METRICS_TOKEN",
    },
    allows: ["owner"],
    answer: "text/plain",
    async handle({ garden, gateway }) {
      const text = prometheusText(garden.meter.read(), await gardenGauges(garden, gateway.role));
      return new Response(text, { headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } });
    },
  }),
];
