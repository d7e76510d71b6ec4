import { appendFileSync } from "node:fs";
import { embeddedOrchestrator } from "../../../adapters/orchestrator/embedded/embedded-orchestrator.ts";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { realWorld } from "../../../base/world.ts";
import { composePorts } from "../../../compose.ts";
import { openGarden } from "../../core/garden.ts";
import { requestRun } from "../request-run.ts";
import { endOf, flowOf, until } from "./sample-flow.ts";
import { startRuns } from "./start-runs.ts";

/**
 * A process that works on the runs of a garden:
 *
 *     working.ts GARDEN RUN [stuck]        works on RUN until it ends; `stuck`: its second step never ends
 *     working.ts GARDEN RUN dies POINT N   requests RUN, works on it, and dies at the n-th pass of a crash point
 *
 * Its effects are lines in GARDEN/../effects; it prints each step that begins.
 */
const [dir = "", run = "", how = "", point = "", nth = "0"] = process.argv.slice(2);
const place = { slug: "echo", run };
const ground = composePorts({ environment: { PATH: process.env["PATH"], HOME: "/nonexistent" } }, realWorld);
const garden = await openGarden(ground, dir);
if (how === "dies") {
  let passed = 0;
  armCrashPoints((name) => {
    if (name === point && passed++ === Number(nth)) process.kill(process.pid, "SIGKILL");
  });
  await requestRun(garden, { slug: "echo", trigger: "manual", by: "owner", id: run });
}
const engine = await startRuns(garden, {
  orchestrator: embeddedOrchestrator({ world: realWorld, limit: 2 }),
  leaseMs: 900,
  lookMs: 100,
  flow: flowOf(async ({ flow }) => {
    for (const n of [1, 2, 3]) {
      await flow.step(`step-${n}`, { n }, async () => {
        appendFileSync(`${dir}/../effects`, `${n} ${process.pid}\n`);
        process.stdout.write(`${n}\n`);
        if (n === 2 && how === "stuck") await new Promise(() => undefined);
        return n;
      });
    }
  }),
});
await until(async () => (await endOf(garden, place)) !== undefined);
await engine.settled();
await engine.close();
await garden.store.close();
await garden.repo.close();
