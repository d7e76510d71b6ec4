import { z } from "zod";
import { blobId } from "../base/canonical.ts";

/** O-10: parts of the work that a process of a garden takes over. `all` is a gateway and a worker in one process. */
export const processRoles = ["gateway", "worker", "all"] as const;
export type ProcessRole = (typeof processRoles)[number];

export const isGatewayRole = (role: ProcessRole): boolean => role !== "worker";
export const isWorkerRole = (role: ProcessRole): boolean => role !== "gateway";

/**
 * The announcement of a process that serves a garden: a view, put again every `PEER_PUT_MS`. Unknown keys are ignored: during an upgrade
 * without downtime, cards of a newer version are read too.
 */
export const peerCard = z.object({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  role: z.enum(processRoles),
  version: z.string().max(100),
  started_at: z.iso.datetime(),
  seen_at: z.iso.datetime(),
  /** The address that it listens at, as it knows it. */
  url: z.string().max(300),
  /** The name of its machine or container. */
  host: z.string().max(255).optional(),
  /** Runs under way, at most `MOST_NAMED_RUNS`. */
  working_on: z.array(z.string().max(100)),
  running: z.int().nonnegative(),
  /** Beginning of a hash of its signing key: gateways with different keys refuse each other's tokens. */
  key_id: z.string().max(64).optional(),
});
export type PeerCard = z.infer<typeof peerCard>;

export const PEER_PUT_MS = 10_000;
/** A process that was not seen for this long does not count as present: it has missed two announcements. */
export const PEER_AWAY_MS = 30_000;
/** After this time its card is deleted. */
export const PEER_FORGOTTEN_MS = 60_000;
export const MOST_NAMED_RUNS = 20;

/**
 * The process that takes up the runs of an agent first: the same answer in every process that knows the same peers, and when one comes
 * or goes only its agents change (rendezvous hashing). It saves requests and decides nothing: the agent's lease does.
 */
export function firstPeerFor(slug: string, ids: readonly string[]): string | undefined {
  const ranked = ids.map((id) => ({ id, rank: blobId(Buffer.from(`${id} ${slug}`)) }));
  return ranked.toSorted((a, b) => (a.rank < b.rank ? 1 : a.rank > b.rank ? -1 : 0))[0]?.id;
}
