import { foldRun, type RunRequest } from "../../domain/run/run.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import { afterPause, type Pause } from "../core/flow/pause.ts";
import { putStatus } from "../core/flow/run-status.ts";
import type { Garden } from "../core/garden.ts";

/** Interval of `status.json` while a run works. A run that is over sooner is never shown as running. */
const SHOW_MS = 200;

/**
 * Shows a run that is under way. The worker writes `status.json` in the background and never waits for it; the states before
 * (requested, queued) and after (completed, failed, cancelled) have other writers. Listeners in this process get each step at once.
 */
export interface RunDisplay {
  passed(record: StepRecord): void;
  /** The step under way waits until this time. */
  waits(until: string): void;
  /** Stops writing. True if a write was in flight: it may have replaced the final status, which must be written again. */
  stop(): Promise<boolean>;
}

export function runDisplay(
  { store, signals }: Pick<Garden, "store" | "signals">,
  place: RunPlace,
  request: RunRequest,
  pause: Pause,
): RunDisplay {
  let first: StepRecord | undefined;
  let last: StepRecord | undefined;
  let waits_until: string | undefined;
  let fresh = true;
  let writing: Promise<void> | undefined;
  const show = async (): Promise<void> => {
    const records = first && last ? (first === last ? [first] : [first, last]) : [];
    await putStatus(store, place, {
      ...foldRun(request, records, undefined),
      state: "running",
      ...(waits_until !== undefined && { waits_until }),
    });
  };
  let isOver = false;
  let cancel = (): void => undefined;
  const showLater = (): void => {
    cancel = afterPause(pause, SHOW_MS, () => void showIfFresh());
  };
  const showIfFresh = async (): Promise<void> => {
    if (fresh) {
      fresh = false;
      writing = show().catch(() => undefined); // a view: the next write, or the end of the run, repairs it
      await writing;
      writing = undefined;
    }
    if (!isOver) showLater();
  };
  showLater();
  return {
    passed(record) {
      if (!first || record.position < first.position) first = record;
      if (!last || record.position > last.position) last = record;
      waits_until = undefined;
      fresh = true;
      signals.publishStep({ ...place, step: record });
    },
    waits(until) {
      waits_until = until;
      fresh = true;
    },
    async stop() {
      isOver = true;
      cancel();
      if (!writing) return false;
      await writing;
      return true;
    },
  };
}
