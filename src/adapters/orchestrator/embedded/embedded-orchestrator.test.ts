import { expect, test } from "vitest";
import { orchestratorConformance } from "../conformance.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { embeddedOrchestrator } from "./embedded-orchestrator.ts";

orchestratorConformance("embedded", async (limit) => {
  const { world, wait, waits, pass } = manualClock();
  return { orchestrator: embeddedOrchestrator({ world, limit, wait }), now: world.now, pass, waits };
});

test("O-4 setting the clock back does not lengthen the pause before a retry", async () => {
  const { world, wait, pass, set } = manualClock();
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
  const { world, wait, pass, set } = manualClock();
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
