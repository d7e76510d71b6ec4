import type { Garden } from "../../garden/core/garden.ts";
import { seenPeers } from "../../garden/core/peers.ts";
import { PENDING_VIEWS } from "../../garden/records/proposals/proposal-views.ts";
import { openRunIds } from "../../garden/runs/open-runs.ts";
import { everyKey } from "../../ports/store.ts";
import { type Gauge, prometheusText } from "../prometheus.ts";
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
      const text = prometheusText(garden.meter.read(), await gauges(garden, gateway.role));
      return new Response(text, { headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } });
    },
  }),
];

async function gauges(garden: Garden, role: string): Promise<readonly Gauge[]> {
  let waiting = 0;
  for await (const _ of everyKey(garden.store, PENDING_VIEWS)) waiting++;
  const open = (await openRunIds(garden.store)).length;
  const peers = (await seenPeers(garden)).filter(({ present }) => present);
  const roles = [...new Set(peers.map((peer) => peer.role))];
  return [
    gauge("bloom_up", "1 while the process serves, by its role", [{ labels: { role }, value: 1 }]),
    gauge("bloom_proposals_waiting", "Proposals that wait for a decision", [{ labels: {}, value: waiting }]),
    gauge("bloom_open_runs", "Runs that are not over", [{ labels: {}, value: open }]),
    gauge(
      "bloom_peers",
      "Processes that serve the garden, by role",
      roles.map((each) => ({ labels: { role: each }, value: peers.filter((peer) => peer.role === each).length })),
    ),
  ];
}

const gauge = (name: string, help: string, values: Gauge["values"]): Gauge => ({ name, help, values });
