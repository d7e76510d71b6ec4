import { everyKey } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import type { Labels } from "../../core/meter.ts";
import { seenPeers } from "../../core/peers.ts";
import { PENDING_VIEWS } from "../../records/proposals/proposal-views.ts";
import { openRunIds } from "../../runs/open-runs.ts";

/** A value that is read when the metrics are. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly values: readonly { readonly labels: Labels; readonly value: number }[];
}

/** The state of the garden as numbers, and that this process serves it. */
export async function gardenGauges(garden: Pick<Garden, "store" | "world">, role: string): Promise<readonly Gauge[]> {
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
