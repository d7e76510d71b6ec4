import { armCrashPoints } from "../../../../base/crash-point.ts";
import { isFailure } from "../../../../base/failure.ts";
import { composePorts } from "../../../../compose.ts";
import { closeGarden, openGarden } from "../../../core/garden.ts";
import { type LifeAct, perform } from "./life-acts.ts";
import { isLifePoint, lifeWorld, type Points } from "./life-points.ts";

/**
 * A child process that does several things to a garden at once and kills itself at its n-th crash point (-1: never) or at
 * the first point of a name. Prints every point that it passes, and every answer at once.
 */
const [dir, at, start, acts, which] = process.argv.slice(2) as [string, string, string, string, Points];
const ground = composePorts(
  { environment: { PATH: process.env["PATH"], HOME: "/nonexistent" } },
  lifeWorld(Number(start)),
);
const garden = await openGarden(ground, dir);
let passed = 0;
armCrashPoints((name) => {
  if (!isLifePoint(name, which)) return;
  process.stdout.write(`${name}\n`);
  if (name === at || passed++ === Number(at)) process.kill(process.pid, "SIGKILL");
});
await Promise.all(
  (JSON.parse(acts) as LifeAct[]).map(async (act) => {
    const told = await perform(garden, act);
    const line = isFailure(told) ? { act, code: told.code, why: told.text.en } : { act, told };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }),
);
await closeGarden(garden);
