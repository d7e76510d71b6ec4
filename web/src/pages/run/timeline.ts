import type { StepCard } from "../../api/endpoints.gen.ts";

/** A step on the axis of active time, in milliseconds. */
export interface TimelineBar {
  readonly start: number;
  readonly length: number;
}

/** A pause of at least this length between two steps is waiting: for a person, a restart, a rate limit. It is not on the axis. */
const WAIT_MS = 250;

/** The steps on an axis without waiting time, by position, and its length. */
export function timelineOf(steps: readonly StepCard[]): {
  readonly bars: ReadonlyMap<number, TimelineBar>;
  readonly total: number;
} {
  const bars = new Map<number, TimelineBar>();
  let end: number | undefined;
  let left = 0; // waiting time before this step
  let total = 0;
  for (const step of steps) {
    const [from, until] = [Date.parse(step.started_at), Date.parse(step.finished_at)];
    end ??= from;
    if (left === 0 && bars.size === 0) left = from;
    if (from - end >= WAIT_MS) left += from - end;
    const waited = Math.min((step.waited_s ?? 0) * 1000, Math.max(0, until - from));
    const bar = { start: Math.max(0, from - left), length: Math.max(0, until - from - waited) };
    bars.set(step.position, bar);
    left += waited;
    end = Math.max(end, until);
    total = Math.max(total, bar.start + bar.length);
  }
  return { bars, total };
}

/** Three marks after zero, at round times. */
export function ticksOf(total: number): readonly number[] {
  if (total <= 0) return [0];
  const rough = total / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough;
  return Array.from({ length: Math.floor(total / step) + 1 }, (_, index) => index * step).filter(
    (at) => at < total * 0.97,
  );
}
