import { keys } from "../../domain/layout.ts";
import type { RunCancel, RunRequest } from "../../domain/run/run.ts";
import type { Store } from "../../ports/store.ts";
import { keysBelow, type RunPlace } from "../core/flow/journal.ts";
import type { Lease } from "../core/flow/lease.ts";
import type { Garden } from "../core/garden.ts";
import { cancelOf } from "./cancel-run.ts";

/**
 * The content of a run's folder, seen once under the agent's lease. From then on this process alone writes the run's journal: a former
 * holder that was paused for longer than its lease either left traces in the folder, or finds ours before it writes.
 */
export interface RunSight {
  readonly hasManifest: boolean;
  readonly hasCancel: boolean;
  /** True if no process has worked on the run yet: its folder holds the request, and the first status at most. */
  readonly isUntouched: boolean;
  /** Its status was created with its request, so the audit record, which is written before it, exists. */
  readonly isAudited: boolean;
  readonly stepKeys: readonly string[];
  readonly attemptKeys: readonly string[];
}

/** `isOurs`: this process requested the run while it held the lease, so nobody else can have worked on it: nothing is read. */
export async function sightOf(store: Store, { slug, run }: RunPlace, isOurs: boolean): Promise<RunSight> {
  const request = keys.runRequest(slug, run);
  const status = keys.runStatus(slug, run);
  const found = isOurs ? [status, request] : await keysBelow(store, keys.runFolder(slug, run));
  const below = (folder: string): string[] => found.filter((key) => key.startsWith(folder));
  const isUntouched = found.every((key) => key === request || key === status);
  return {
    hasManifest: found.includes(keys.runManifest(slug, run)),
    hasCancel: found.includes(keys.runCancel(slug, run)),
    isUntouched,
    isAudited: isUntouched && found.includes(status),
    stepKeys: below(keys.runSteps(slug, run)),
    attemptKeys: below(keys.runAttempts(slug, run)),
  };
}

/** True if the lease was taken before the run was requested, and was not given up since. A fencing number is a time or greater. */
export const isRequestedUnder = (lease: Lease, held: Lease | undefined, { requested_at }: RunRequest): boolean =>
  lease === held && lease.epoch < Date.parse(requested_at);

/** A cancel by another process is looked for before a step, but not more often than this. One by this process is known at once. */
const LOOK_MS = 1000;

/** Looks for the cancel of a run that is being worked on. */
export interface CancelLook {
  /** `undefined` without a read if the last look was less than `LOOK_MS` ago. */
  before(): Promise<RunCancel | undefined>;
  now(): Promise<RunCancel | undefined>;
}

/**
 * `sight` was taken just now. A run that somebody has worked on before may be moved to another version at this very moment (O-3a):
 * then it must not make one more step, so each look reads.
 */
export function cancelLook({ store, world }: Garden, place: RunPlace, { isUntouched }: RunSight): CancelLook {
  let lookedAt = world.now();
  const now = async (): Promise<RunCancel | undefined> => {
    lookedAt = world.now();
    return await cancelOf(store, place);
  };
  return {
    now,
    before: async () => (isUntouched && Math.abs(world.now() - lookedAt) < LOOK_MS ? undefined : await now()),
  };
}
