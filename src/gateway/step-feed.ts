import { keys } from "../domain/layout.ts";
import { openRun } from "../domain/run/run.ts";
import { type StepRecord, stepKeyParts } from "../domain/run/run-step.ts";
import type { RunPlace } from "../garden/core/flow/journal.ts";
import type { Garden } from "../garden/core/garden.ts";
import { tryReadJson } from "../garden/core/json-record.ts";
import { stepsAfter } from "../garden/records/runs/run-folders.ts";
import { everyKey, type Store } from "../ports/store.ts";

/**
 * Steps of runs as they are recorded. Steps of this process come at once by a signal; those of other processes by polling the
 * open runs. One poll serves all listeners, and none runs without listeners. Missed steps are in `GET /runs/:run/steps`.
 */
export interface StepFeed {
  /** Delivers every step from now on, in the order of its run. Returns the unsubscribe function. */
  listen(listener: (event: StepEvent) => void): () => void;
}

/** A step without its input and output, which may be large. */
export interface StepEvent extends Omit<StepRecord, "input" | "output" | "input_hash" | "op" | "epoch"> {
  readonly run_id: string;
  readonly agent_slug: string;
}

const POLL_MS = 1000;

export function stepFeed(garden: Pick<Garden, "store" | "signals">, pollMs = POLL_MS): StepFeed {
  const listeners = new Set<(event: StepEvent) => void>();
  let stop: (() => void) | undefined;

  const start = (): (() => void) => {
    const delivered: DeliveredSteps = new Map();
    let timer: NodeJS.Timeout | undefined;
    let isActive = true;
    let isReady = false;
    const deliver = (event: StepEvent): void => {
      if (isActive) for (const listener of listeners) listener(event);
    };
    const turn = async (isFirst: boolean): Promise<void> => {
      await poll(garden.store, delivered, isFirst, deliver).catch(() => undefined); // an unavailable store is polled again
      isReady = true;
      if (isActive) timer = setTimeout(() => void turn(false), pollMs).unref();
    };
    const unsubscribe = garden.signals.subscribeSteps(({ slug, run, step }) => {
      const place = { slug, run };
      const known = delivered.get(run) ?? (isReady && step.position === 1 ? { place, position: 0 } : undefined);
      // Only the next step of its run: the next poll delivers a gap in order.
      if (step.position !== (known?.position ?? 0) + 1 || !known) return;
      delivered.set(run, known);
      known.position = step.position;
      deliver(eventOf(place, step));
    });
    void turn(true);
    return () => {
      isActive = false;
      unsubscribe();
      clearTimeout(timer);
    };
  };

  return {
    listen(listener) {
      listeners.add(listener);
      stop ??= start();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}

/** The last delivered position of each open run. */
type DeliveredSteps = Map<string, { readonly place: RunPlace; position: number }>;

/** Delivers the new steps of all open runs. With `skip`, runs that are not known yet start after their last step. */
async function poll(
  store: Store,
  delivered: DeliveredSteps,
  skip: boolean,
  deliver: (event: StepEvent) => void,
): Promise<void> {
  const before = new Set(delivered.keys());
  const open = new Set<string>();
  for (const place of await openPlaces(store)) {
    open.add(place.run);
    if (!delivered.has(place.run))
      delivered.set(place.run, { place, position: skip ? await lastPosition(store, place) : 0 });
  }
  for (const [run, known] of delivered) {
    for (const step of await stepsAfter(store, known.place, known.position)) {
      if (step.position <= known.position) continue; // the signal delivered it during the read
      known.position = step.position;
      deliver(eventOf(known.place, step));
    }
    // The run closed before its last steps were read above, so nothing is missing.
    if (before.has(run) && !open.has(run)) delivered.delete(run);
  }
}

async function openPlaces(store: Store): Promise<RunPlace[]> {
  const places: RunPlace[] = [];
  for await (const { key } of everyKey(store, keys.openRuns)) {
    const stored = await store.get(key);
    const entry = tryReadJson(stored?.bytes, openRun);
    if (entry) places.push({ slug: entry.slug, run: entry.run });
  }
  return places;
}

async function lastPosition(store: Store, { slug, run }: RunPlace): Promise<number> {
  let last = 0;
  for await (const { key } of everyKey(store, keys.runSteps(slug, run))) {
    const parts = stepKeyParts(key);
    if (parts?.part === "record") last = Math.max(last, parts.position);
  }
  return last;
}

function eventOf({ slug, run }: RunPlace, step: StepRecord): StepEvent {
  const { input: _, output: __, input_hash: ___, op: ____, epoch: _____, ...rest } = step;
  return { run_id: run, agent_slug: slug, ...rest };
}
