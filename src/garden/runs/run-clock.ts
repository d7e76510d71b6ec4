import type { World } from "../../base/world.ts";
import { CALL_LIMIT_MS, RETRY_PAUSES_MS, type StepRecord } from "../../domain/run/run-step.ts";
import { flowStopped } from "../core/flow/decision-needed.ts";
import { afterWork, type Pause } from "../core/flow/pause.ts";

/** O-3: the default of `timeouts.run_s`. */
export const RUN_LIMIT_MS = 600_000;
/**
 * No step works longer, with the pauses between its attempts. A longer record has the time in which the process was paused,
 * or comes from a clock that was moved.
 */
const longestMs = (attempts: number, callMs: number): number =>
  attempts * callMs + RETRY_PAUSES_MS.slice(0, attempts - 1).reduce((sum, ms) => sum + ms, 0);

/**
 * Measures the working time of a run over all its processes: recorded steps count with their duration, the time in between (held
 * for a person, waiting for a process, a process that was paused) does not. The system clock may jump: the rest is awaited with a
 * timer, not calculated.
 */
export interface RunClock {
  /** Adds a step that an earlier process recorded. `callMs`: the time limit of an attempt, if the contract sets one. */
  replayed(record: Pick<StepRecord, "started_at" | "finished_at" | "attempt">, callMs?: number): void;
  /** The replay is over: from here on the timer runs. */
  live(): void;
  /** Replaces the limit, by that of the contract that the run is pinned to; the time since `live` begins again. */
  limit(ms: number): void;
  stop(): void;
}

export function runClock(
  ground: { readonly pause: Pause; readonly world: Pick<World, "now"> },
  run: string,
  firstMs: number,
  up: (reason: Error) => void,
): RunClock {
  let limitMs = firstMs;
  let used = 0;
  let cancel = (): void => undefined;
  let isLive = false;
  const start = (ms: number): void => {
    cancel();
    cancel = afterWork(ground, Math.max(ms, 1), () => up(timeIsUp(run, limitMs)));
  };
  const startRest = (): void => {
    if (used >= limitMs) up(timeIsUp(run, limitMs));
    else start(limitMs - used);
  };
  start(limitMs);
  return {
    replayed({ started_at, finished_at, attempt }, callMs = CALL_LIMIT_MS) {
      const ms = Date.parse(finished_at) - Date.parse(started_at);
      used += Math.min(Math.max(ms, 0), longestMs(attempt, callMs));
    },
    live() {
      if (isLive) return;
      isLive = true;
      startRest();
    },
    limit(ms) {
      if (ms === limitMs) return;
      limitMs = ms;
      if (isLive) startRest();
      else start(ms);
    },
    stop: () => cancel(),
  };
}

const timeIsUp = (run: string, limitMs: number): Error =>
  flowStopped(
    "timeout",
    run,
    {
      en: `the run ${run} has worked for longer than ${limitMs / 1000} s`,
      uk: `запуск ${run} працює понад ${limitMs / 1000} с`,
    },
    "AGENT_TIMEOUT",
  );
