import { keys } from "../domain/layout.ts";
import { openRun } from "../domain/run/run.ts";
import { type StepRecord, stepKeyParts } from "../domain/run/run-step.ts";
import type { RunPlace } from "../garden/core/flow/journal.ts";
import type { Garden } from "../garden/core/garden.ts";
import { tryReadJson } from "../garden/core/json-record.ts";
import { stepsAfter } from "../garden/records/runs/run-folders.ts";
import { everyKey, type Store } from "../ports/store.ts";

/**
 * Steps of runs as they are recorded. What this process records is told at once; what another one does, at the next look:
 * one serves all listeners, and nobody looks while nobody listens. What was missed is in `GET /runs/:run/steps`.
 */
export interface StepFeed {
  /** Tells every step from now on, in the order of its run. Returns a function that ends it. */
  listen(listener: (event: StepEvent) => void): () => void;
}

/** Without what the step was given and gave: that may be large, and is asked for where it is wanted. */
export interface StepEvent extends Omit<StepRecord, "input" | "output" | "input_hash" | "op" | "epoch"> {
  readonly run_id: string;
  readonly agent_slug: string;
}

/** How often the open runs are looked at, for steps of other processes. */
const POLL_MS = 1000;

export function stepFeed(garden: Pick<Garden, "store" | "signals">, pollMs = POLL_MS): StepFeed {
  const listeners = new Set<(event: StepEvent) => void>();
  let stop: (() => void) | undefined;

  const start = (): (() => void) => {
    const told: Told = new Map();
    let timer: NodeJS.Timeout | undefined;
    let going = true;
    let ready = false;
    const tell = (event: StepEvent): void => {
      if (going) for (const listener of listeners) listener(event);
    };
    const turn = async (first: boolean): Promise<void> => {
      await look(garden.store, told, first, tell).catch(() => undefined); // a store that is away for a moment is asked again
      ready = true;
      if (going) timer = setTimeout(() => void turn(false), pollMs).unref();
    };
    const deaf = garden.signals.onStep(({ slug, run, step }) => {
      const place = { slug, run };
      const known = told.get(run) ?? (ready && step.position === 1 ? { place, position: 0 } : undefined);
      // Only what comes next in its run: what is missing before it is found by a look, in order.
      if (step.position !== (known?.position ?? 0) + 1 || !known) return;
      told.set(run, known);
      known.position = step.position;
      tell(eventOf(place, step));
    });
    void turn(true);
    return () => {
      going = false;
      deaf();
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

/** How far each open run was told. */
type Told = Map<string, { readonly place: RunPlace; position: number }>;

async function look(store: Store, told: Told, quietly: boolean, tell: (event: StepEvent) => void): Promise<void> {
  const before = new Set(told.keys());
  const open = new Set<string>();
  for (const place of await openPlaces(store)) {
    open.add(place.run);
    if (!told.has(place.run)) told.set(place.run, { place, position: quietly ? await lastPosition(store, place) : 0 });
  }
  for (const [run, known] of told) {
    for (const step of await stepsAfter(store, known.place, known.position)) {
      if (step.position <= known.position) continue; // told while this one was read
      known.position = step.position;
      tell(eventOf(known.place, step));
    }
    if (before.has(run) && !open.has(run)) told.delete(run); // it left the open ones before its last steps were read
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
