import { acquireLease, type Lease, type LeaseAnswer, type LeaseDeps } from "../core/flow/lease.ts";
import type { Pause } from "../core/flow/pause.ts";

/**
 * The leases of the agents that this process works for. A lease is kept for a moment after use, because the agent's next run often
 * follows at once and then needs no write to take it. Other processes see it as held and get it soon after the last run.
 */
export interface AgentLeases {
  /** The caller must give the lease back. */
  take(slug: string): Promise<LeaseAnswer>;
  giveBack(slug: string, lease: Lease): void;
  /** The lease that this process holds for the agent now, in use or kept. */
  heldNow(slug: string): Lease | undefined;
  /** Releases all leases that are not in use. */
  close(): Promise<void>;
}

const KEEP_MS = 250;

export function agentLeases(deps: LeaseDeps & { readonly pause: Pause }, holder: string, ttlMs: number): AgentLeases {
  const kept = new Map<string, { readonly lease: Lease; readonly until: number }>();
  const inUse = new Map<string, Lease>();
  /** Agents whose lease records this process deleted last. */
  const forgotten = new Set<string>();
  const over = new AbortController();
  let sweeping: Promise<void> | undefined;
  let sweeps = 0;
  /** Lease records with a time from another clock, and whether they stayed unchanged for the length of a lease. */
  const watched = new Map<string, { readonly hash: string; unchanged: boolean }>();

  /** Runs in the background: neither other agents nor `close` wait for it. */
  const watch = async (slug: string, hash: string, ms: number): Promise<void> => {
    if (watched.get(slug)?.hash === hash) return;
    const mine = { hash, unchanged: false };
    watched.set(slug, mine);
    await deps.pause(ms, over.signal);
    mine.unchanged = !over.signal.aborted;
  };

  const releaseKept = async (upTo: number): Promise<void> => {
    for (const [slug, { lease, until }] of kept) {
      if (until > upTo) continue;
      kept.delete(slug);
      // If this fails, the record stays until it expires, as after a crash.
      await lease.release("forget").then(
        () => forgotten.add(slug),
        () => undefined,
      );
    }
  };

  const sweep = async (): Promise<void> => {
    while (kept.size > 0 && !over.signal.aborted) {
      await deps.pause(KEEP_MS, over.signal);
      await releaseKept(sweeps++);
    }
    sweeping = undefined;
  };

  const acquire = async (slug: string): Promise<LeaseAnswer> => {
    const there = kept.get(slug);
    kept.delete(slug);
    if (there) inUse.set(slug, there.lease);
    if (there && (await there.lease.refresh())) return { kind: "held", lease: there.lease };
    const seen = watched.get(slug);
    const nobodys = seen?.unchanged ? seen.hash : undefined;
    const isForgotten = forgotten.delete(slug);
    const acquired = await acquireLease(deps, `run:${slug}`, { holder, ttlMs, nobodys, isForgotten });
    if (acquired.kind === "busy" && acquired.watch) void watch(slug, acquired.watch.hash, acquired.watch.ms);
    else watched.delete(slug);
    return acquired;
  };

  return {
    async take(slug) {
      try {
        const answer = await acquire(slug);
        if (answer.kind === "held") inUse.set(slug, answer.lease);
        else inUse.delete(slug);
        return answer;
      } catch (error) {
        inUse.delete(slug);
        throw error;
      }
    },
    heldNow: (slug) => inUse.get(slug) ?? kept.get(slug)?.lease,
    giveBack(slug, lease) {
      inUse.delete(slug);
      kept.set(slug, { lease, until: sweeps + 1 }); // for at least one whole pause
      sweeping ??= sweep();
    },
    async close() {
      over.abort();
      await sweeping;
      await releaseKept(Number.POSITIVE_INFINITY);
    },
  };
}
