import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { orchestratorConformance } from "../conformance.ts";
import { embeddedOrchestrator } from "./embedded-orchestrator.ts";

/** A clock that only the test moves. Waits end when it has passed them. */
function clock(start = Date.parse("2026-02-14T08:00:00Z")) {
  let time = start;
  let waits = 0;
  const sleepers = new Set<{ until: number; wake: () => void }>();
  /** Waits use a monotonic clock, which does not change when the time of day is set. */
  let steady = 0;
  return {
    world: { now: () => time, random: (count: number) => new Uint8Array(count) },
    waits: () => waits,
    set: (to: number) => void (time = to),
    wait: (ms: number, signal: AbortSignal): Promise<void> => {
      waits++;
      return new Promise((resolve) => {
        const sleeper = { until: steady + ms, wake: resolve };
        sleepers.add(sleeper);
        signal.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          resolve();
        });
      });
    },
    pass: async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; ) {
        const next = Math.min(left, ...[...sleepers].map(({ until }) => until - steady));
        steady += next;
        time += next;
        left -= next;
        for (const sleeper of [...sleepers].filter(({ until }) => until <= steady)) {
          sleepers.delete(sleeper);
          sleeper.wake();
        }
        await turn();
        await turn();
      }
    },
  };
}

orchestratorConformance("embedded", async (limit) => {
  const { world, wait, waits, pass } = clock();
  return { orchestrator: embeddedOrchestrator({ world, limit, wait }), now: world.now, pass, waits };
});

test("O-4 setting the clock back does not lengthen the pause before a retry", async () => {
  const { world, wait, pass, set } = clock();
  const orchestrator = embeddedOrchestrator({ world, limit: 1, wait });
  let tries = 0;
  orchestrator.start(async () => {
    if (++tries === 1) throw new Error("not now");
    return { kind: "done" };
  });
  await orchestrator.offer({ key: "a1", lane: "a" });
  await orchestrator.settled();
  set(world.now() - 86_400_000);
  await pass(31_000);
  await pass(2000);
  expect(tries).toBe(2);
  await orchestrator.close();
});

test("O-4 setting the clock forward starts the jobs that become due", async () => {
  const { world, wait, pass, set } = clock();
  const orchestrator = embeddedOrchestrator({ world, limit: 1, wait });
  let worked = 0;
  orchestrator.start(async () => {
    worked++;
    return { kind: "done" };
  });
  await orchestrator.offer({ key: "a1", lane: "a" }, world.now() + 86_400_000);
  set(world.now() + 2 * 86_400_000);
  await pass(31_000);
  expect(worked).toBe(1);
  await orchestrator.close();
});
