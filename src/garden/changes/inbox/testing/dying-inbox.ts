import { armCrashPoints } from "../../../../base/crash-point.ts";
import { fixedWorld, realWorld } from "../../../../base/world.ts";
import { composeGround } from "../../../../compose.ts";
import { closeGarden, openGarden } from "../../../core/garden.ts";
import { type Act, acts } from "./acts.ts";

/**
 * A process of its own that does one thing to a garden and dies, as by `kill -9`, at its n-th crash point (-1: never).
 * Prints every point that it passed, and at its end what it was answered.
 */
const [dir, act, at, id, start = "2026-02-14T09:00:00Z"] = process.argv.slice(2) as [
  string,
  Act,
  string,
  string,
  string?,
];
// Time is ours, chance is not: two processes that drew the same numbers would take each other's events for their own.
const world = { ...fixedWorld(start, 1), random: (count: number) => realWorld.random(count) };
const ground = composeGround({ environment: { PATH: process.env["PATH"], HOME: "/nonexistent" } }, world);
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
