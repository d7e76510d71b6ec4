import { type Acquired, acquireLease, type Lease, type LeaseGround } from "../core/flow/lease.ts";
import type { Pause } from "../core/flow/pause.ts";

/**
 * The leases of the agents that this process works for. One that is done with is kept for a moment, because the agent's next
 * run often follows at once, and then costs no write to take it: others see it as held, and have it soon after the last run.
 */
export interface AgentLeases {
  /** Ours for as long as it takes. Who has it gives it back. */
  take(slug: string): Promise<Acquired>;
  giveBack(slug: string, lease: Lease): void;
  /** Lets go of all that nobody uses. */
  close(): Promise<void>;
}

const KEEP_MS = 250;

export function agentLeases(
  ground: LeaseGround & { readonly pause: Pause },
  holder: string,
  ttlMs: number,
): AgentLeases {
  const kept = new Map<string, { readonly lease: Lease; readonly until: number }>();
  const over = new AbortController();
  let sweeping: Promise<void> | undefined;
  let sweeps = 0;
  /** Records whose time comes from another clock, and whether they stood unchanged for as long as a lease lasts. */
  const watched = new Map<string, { readonly hash: string; unchanged: boolean }>();

  /** Beside the work: nobody waits for it, neither other agents nor who closes. */
  const watch = async (slug: string, hash: string, ms: number): Promise<void> => {
    if (watched.get(slug)?.hash === hash) return;
    const mine = { hash, unchanged: false };
    watched.set(slug, mine);
    await ground.pause(ms, over.signal);
    mine.unchanged = !over.signal.aborted;
  };

  const letGo = async (upTo: number): Promise<void> => {
    for (const [slug, { lease, until }] of kept) {
      if (until > upTo) continue;
      kept.delete(slug);
      // It stands until its time is over then, as after a crash.
      await lease.release("forget").catch(() => undefined);
    }
  };

  const sweep = async (): Promise<void> => {
    while (kept.size > 0 && !over.signal.aborted) {
      await ground.pause(KEEP_MS, over.signal);
      await letGo(sweeps++);
    }
    sweeping = undefined;
  };

  return {
    async take(slug) {
      const there = kept.get(slug);
      kept.delete(slug);
      if (there && (await there.lease.refresh())) return { kind: "held", lease: there.lease };
      const seen = watched.get(slug);
      const nobodys = seen?.unchanged ? seen.hash : undefined;
      const acquired = await acquireLease(ground, `run:${slug}`, { holder, ttlMs, nobodys });
      if (acquired.kind === "busy" && acquired.watch) void watch(slug, acquired.watch.hash, acquired.watch.ms);
      else watched.delete(slug);
      return acquired;
    },
    giveBack(slug, lease) {
      kept.set(slug, { lease, until: sweeps + 1 }); // through one whole pause at least
      sweeping ??= sweep();
    },
    async close() {
      over.abort();
      await sweeping;
      await letGo(Number.POSITIVE_INFINITY);
    },
  };
}
