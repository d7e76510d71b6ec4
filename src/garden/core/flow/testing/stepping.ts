import { appendFileSync } from "node:fs";
import { openDirStore } from "../../../../adapters/store/dir/dir-store.ts";
import { armCrashPoints } from "../../../../base/crash-point.ts";
import { Failure } from "../../../../base/failure.ts";
import { realWorld } from "../../../../base/world.ts";
import { type Pause, realPause } from "../pause.ts";
import { openFlow } from "../step.ts";

/**
 * A process that works on a run and may kill itself at its n-th crash point:
 *
 *     stepping.ts GARDEN NTH
 *
 * Each outside effect is a line in GARDEN/effects; the results of the steps are printed as JSON.
 */
const [garden = "", nth = "-1"] = process.argv.slice(2);
let count = 0;
armCrashPoints((name) => {
  if (!name.startsWith("flow.")) return;
  if (count++ === Number(nth)) process.kill(process.pid, "SIGKILL");
});
const store = await openDirStore({ garden, world: realWorld });
// Time limits are real, pauses before a retry are skipped.
const pause: Pause = (ms, signal) => (ms > 10_000 ? realPause(ms, signal) : Promise.resolve());
const ground = { store, world: realWorld, pause };
const effect = (line: string): void => appendFileSync(`${garden}/effects`, `${line}\n`);

const flow = openFlow(ground, { slug: "echo", run: "run_2026-02-14_080000_abc123" });
const results: unknown[] = [];
for (let step = 1; step <= 4; step++) {
  results.push(
    await flow.step(`step-${step}`, { step }, async (call) => {
      effect(call.key);
      if (step === 2 && call.attempt === 1) throw new Failure("UPSTREAM_UNAVAILABLE", { en: "away", uk: "немає" });
      return { step, by: process.pid };
    }),
  );
}
process.stdout.write(JSON.stringify(results));
await store.close();
