import type { StepRecord } from "../../domain/run/run-step.ts";
import { flowStopped } from "../core/flow/decision-needed.ts";
import { OVER, type Pause } from "../core/flow/pause.ts";

/** O-3. A contract may say otherwise (`timeouts.run_s`). */
export const RUN_LIMIT_MS = 600_000;
/** No single step can have taken longer than all its tries together: more than that is a clock that was moved. */
const LONGEST_STEP_MS = 4 * 3_600_000;

/**
 * Measures how long a run has worked, over all its lives: steps on record count as long as they took, the time in which
 * nobody worked on it (held for a person, waiting for a process) does not. The time of day may jump while it runs: what is
 * left is waited for, not calculated.
 */
export interface RunClock {
  /** A step of an earlier life. */
  replayed(record: Pick<StepRecord, "started_at" | "finished_at">): void;
  /** What follows is new: from here on time runs. */
  live(): void;
  stop(): void;
}

export function runClock(run: string, limitMs: number, pause: Pause, up: (reason: Error) => void): RunClock {
  let used = 0;
  let running: AbortController | undefined;
  let isLive = false;
  const start = (ms: number): void => {
    running?.abort(OVER);
    const mine = new AbortController();
    running = mine;
    void (async () => {
      await pause(Math.max(ms, 1), mine.signal);
      if (!mine.signal.aborted) up(timeIsUp(run, limitMs));
    })();
  };
  start(limitMs);
  return {
    replayed({ started_at, finished_at }) {
      const ms = Date.parse(finished_at) - Date.parse(started_at);
      used += Math.min(Math.max(ms, 0), LONGEST_STEP_MS);
    },
    live() {
      if (isLive) return;
      isLive = true;
      if (used >= limitMs) up(timeIsUp(run, limitMs));
      else start(limitMs - used);
    },
    stop: () => running?.abort(OVER),
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
