import { asFailure, type Failure } from "../../../base/failure.ts";
import { acquireLease, type Lease, type LeaseDeps } from "./lease.ts";
import { OVER, type Pause } from "./pause.ts";

/** A lease that a process holds for as long as it lives, or waits for while another process holds it. */
export interface HeldLease {
  /** True while this process holds the lease, by its own clock. */
  readonly isHeld: boolean;
  /** Resolves after the first attempt to take the lease. */
  readonly tried: Promise<void>;
  /** Releases the lease: another process takes it at its next look. Never throws. */
  close(): Promise<void>;
}

export interface HoldOptions {
  readonly name: string;
  readonly ttlMs: number;
  readonly pause: Pause;
  /** Gets failures of the store. While it is unavailable, the lease is not held once its time is over. */
  readonly report: (failure: Failure) => void;
}

/** Pause between two looks at a lease that another process holds. */
const LOOK_MS = 1000;

/**
 * Takes the lease as soon as it is free and renews it until `close`. For periodic work that one process of the garden does. A
 * process that was paused for longer than the lease lasts may believe for a moment that it still holds it: work whose repetition
 * would show must be create-only or a compare-and-swap as well.
 */
export function holdLease(deps: LeaseDeps, { name, ttlMs, pause, report }: HoldOptions): HeldLease {
  const { world } = deps;
  const holder = Buffer.from(world.random(8)).toString("hex");
  const over = new AbortController();
  let lease: Lease | undefined;
  let until = Number.NEGATIVE_INFINITY;
  /** A record with a time from another clock, and when it was first seen here. */
  let watched: { readonly hash: string; readonly from: number; readonly ms: number } | undefined;

  const take = async (): Promise<void> => {
    const from = world.now();
    const isUnchanged = watched !== undefined && from - watched.from >= watched.ms;
    const answer = await acquireLease(deps, name, { holder, ttlMs, nobodys: isUnchanged ? watched?.hash : undefined });
    if (answer.kind === "held") [lease, until, watched] = [answer.lease, from + ttlMs, undefined];
    else if (!answer.watch) watched = undefined;
    else if (watched?.hash !== answer.watch.hash) watched = { ...answer.watch, from };
  };
  const renew = async (held: Lease): Promise<void> => {
    const from = world.now();
    if ((await held.renew()) === "renewed") until = from + ttlMs;
    else [lease, until] = [undefined, Number.NEGATIVE_INFINITY];
  };
  const turn = async (): Promise<void> => {
    try {
      await (lease ? renew(lease) : take());
    } catch (error) {
      report(asFailure(error));
    }
  };
  const tried = turn();
  const loop = (async (): Promise<void> => {
    await tried;
    while (!over.signal.aborted) {
      await pause(lease ? ttlMs / 3 : Math.min(LOOK_MS, ttlMs / 3), over.signal);
      if (!over.signal.aborted) await turn();
    }
  })();
  return {
    get isHeld() {
      return lease !== undefined && world.now() < until;
    },
    tried,
    async close() {
      over.abort(OVER);
      await loop;
      await lease?.release().catch(() => undefined);
      lease = undefined;
    },
  };
}
