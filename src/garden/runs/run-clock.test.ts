import { expect, test } from "vitest";
import type { StepRecord } from "../../domain/run/run-step.ts";
import { runClock } from "./run-clock.ts";

const HOUR_MS = 3_600_000;
const lasting = (ms: number, attempt = 1): Pick<StepRecord, "started_at" | "finished_at" | "attempt"> => ({
  started_at: new Date(0).toISOString(),
  finished_at: new Date(ms).toISOString(),
  attempt,
});

/** True if the time of a run of ten minutes is up after a replay of these steps. */
function isUpAfter(steps: readonly Parameters<ReturnType<typeof runClock>["replayed"]>[]): boolean {
  let isUp = false;
  const never = (): Promise<void> => new Promise(() => undefined);
  const clock = runClock({ pause: never, world: { now: () => 0 } }, "run_a", 600_000, () => (isUp = true));
  for (const step of steps) clock.replayed(...step);
  clock.live();
  clock.stop();
  return isUp;
}

test.each<[string, Parameters<typeof isUpAfter>[0], boolean]>([
  ["a call during which the process was paused for hours", [[lasting(8 * HOUR_MS)]], false],
  ["a call with two attempts, paused for hours", [[lasting(8 * HOUR_MS, 2)]], false],
  ["a clock that was set back", [[lasting(-HOUR_MS)]], false],
  ["calls that took nine minutes", Array.from({ length: 9 }, () => [lasting(60_000)]), false],
  ["calls that took ten minutes", Array.from({ length: 10 }, () => [lasting(60_000)]), true],
  ["a call of ten minutes that the contract allows", [[lasting(600_000), HOUR_MS]], true],
])("O-3 the time of a run after a replay: %s", (_, steps, expected) => {
  expect(isUpAfter(steps)).toBe(expected);
});
