import { armCrashPoints } from "../../../../base/crash-point.ts";
import { fixedWorld } from "../../../../base/testing/fixed-world.ts";
import { realWorld } from "../../../../base/world.ts";
import { composePorts } from "../../../../compose.ts";
import { closeGarden, openGarden } from "../../../core/garden.ts";
import { type Act, acts } from "./acts.ts";

/**
 * A child process that does one thing to a garden and kills itself at its n-th crash point (-1: never). Prints every
 * point that it passes, and at the end its answer.
 */
const [dir, act, at, id, start = "2026-02-14T09:00:00Z"] = process.argv.slice(2) as [
  string,
  Act,
  string,
  string,
  string?,
];
// The clock is fixed, random bytes are real: two processes with equal random bytes would take each other's events for
// their own.
const world = { ...fixedWorld(start, 1), random: (count: number) => realWorld.random(count) };
const ground = composePorts({ environment: { PATH: process.env["PATH"], HOME: "/nonexistent" } }, world);
const garden = await openGarden(ground, dir);
let passed = 0;
armCrashPoints((name) => {
  if (!/^(inbox|proposals|decide)\./.test(name)) return;
  process.stdout.write(`${name}\n`);
  if (passed++ === Number(at)) process.kill(process.pid, "SIGKILL");
});
const answer = await acts[act](garden, id).then(
  () => "done",
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
);
process.stdout.write(`answer: ${answer}\n`);
await closeGarden(garden);
