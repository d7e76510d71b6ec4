import { armCrashPoints } from "../../../base/crash-point.ts";
import { composeGround } from "../../../compose.ts";
import { closeGarden, openGarden } from "../../garden.ts";
import { scenarioNamed } from "./kill-scenarios.ts";
import { lifeOfRun, worldOfLife } from "./run-life.ts";

/** A process of its own that lives one life of a run and dies, as by `kill -9`, at its n-th crash point. Prints the points it passes. */
const [dir, name, slug, run, file, at, life, points] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
let count = 0;
armCrashPoints((point) => {
  if (points === "runs" && !/^(?:runs?|flow)\./.test(point)) return;
  process.stdout.write(`${point}\n`);
  if (count++ === Number(at)) process.kill(process.pid, "SIGKILL");
});
const ground = composeGround(
  { environment: { PATH: process.env["PATH"], HOME: "/nonexistent" } },
  worldOfLife(Number(life)),
);
const garden = await openGarden(ground, dir);
await lifeOfRun(garden, scenarioNamed(name), { slug, run }, file);
await closeGarden(garden);
