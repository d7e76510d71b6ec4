import { appendFileSync } from "node:fs";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { realWorld } from "../../../base/world.ts";
import { composePorts } from "../../../compose.ts";
import { closeGarden, openGarden } from "../../core/garden.ts";
import { toItsEnd } from "./run-with-hold.ts";

/**
 * A child process that executes a run and kills itself with SIGKILL at its n-th crash point. It records every call that
 * it really makes, and prints every point that it passes.
 */
const [dir, slug, run, calls, at] = process.argv.slice(2) as [string, string, string, string, string];
let count = 0;
armCrashPoints((name) => {
  if (!/^(?:run|flow|inbox)\./.test(name)) return;
  process.stdout.write(`${name}\n`);
  if (count++ === Number(at)) process.kill(process.pid, "SIGKILL");
});
const ground = composePorts({ environment: { PATH: process.env["PATH"], HOME: "/nonexistent" } }, realWorld);
const garden = await openGarden(ground, dir);
await toItsEnd(garden, { slug, run }, (call) => appendFileSync(calls, `${call}\n`));
await closeGarden(garden);
