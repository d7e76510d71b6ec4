import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { composePorts } from "../../../compose.ts";
import { closeGarden, type Garden, type GardenPorts, openGarden } from "../../core/garden.ts";
import { scenarioNamed } from "./kill-scenarios.ts";
import { findingsIn, type Looked, lookInto } from "./run-ending.ts";
import { type LifeWorld, lifeLength, liveThrough, worldOfLife } from "./run-life.ts";

/**
 * A child process that does jobs one after the other: it completes the runs of a garden and reports the final state,
 * or dies in it by SIGKILL at its n-th crash point. A garden is never resumed by the process that died in it.
 */
export interface Job {
  readonly dir: string;
  readonly scenario: string;
  readonly life: number;
  /** The crash point to die at, counted from 0. */
  readonly at?: number | undefined;
  readonly points?: "runs" | "all" | undefined;
  /** Waits with the garden open for a line on stdin; the next line says that it is alone and that time has passed. */
  readonly beside?: boolean | undefined;
  /** The start of the clock, shared by concurrent processes. */
  readonly began?: number | undefined;
  readonly look?: boolean | undefined;
}

/** The messages of the process, one line of JSON each. */
export type Said = {
  /** The index of the job. */
  readonly job: number;
} & (
  | { readonly ready: true }
  | { readonly begun: true }
  | { readonly dies: string }
  /** A job completed, having passed these crash points. */
  | { readonly over: readonly string[]; readonly looked?: Looked | undefined }
  | { readonly wrong: string }
);

const say = (said: Said): void => void writeSync(1, `${JSON.stringify(said)}\n`);

const environment = { PATH: process.env["PATH"], HOME: "/nonexistent" };
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function live(job: Job, number: number): Promise<void> {
  const scenario = scenarioNamed(job.scenario);
  const world = worldOfLife(job.life, lifeLength(scenario), job.began);
  const ground: GardenPorts = composePorts({ environment }, world);
  const passed: string[] = [];
  let begun = !job.beside;
  const disarm = armCrashPoints((point) => {
    if (job.points === "runs" && !/^(?:runs?|flow)\./.test(point)) return;
    const at = passed.push(point) - 1;
    // The other process starts when this one has the run or is about to die, so that the worker of the run is deterministic.
    if (!begun && (point.startsWith("flow.") || at + 1 >= (job.at ?? 0))) say({ job: number, begun: (begun = true) });
    if (at !== job.at) return;
    say({ job: number, dies: point });
    process.kill(process.pid, "SIGKILL");
  });
  const garden: Garden & { world: LifeWorld } = { ...(await openGarden(ground, job.dir)), world };
  let looked: Looked | undefined;
  try {
    if (job.beside) await started(world, number);
    await liveThrough(garden, scenario, `${job.dir}.calls`, job.life);
    if (job.look) looked = await lookInto(garden);
  } finally {
    await closeGarden(garden);
    disarm();
  }
  const findings = looked ? await findingsIn(ground, job.dir) : [];
  say({ job: number, over: passed, looked: looked && { ...looked, ending: { ...looked.ending, findings } } });
}

/** Waits for the first line on stdin. A later line means that the other process was killed and its lease expires. */
async function started(world: LifeWorld, job: number): Promise<void> {
  say({ job, ready: true });
  await lines.next();
  void lines.next().then(() => world.skip(3_600_000));
}

for (const [number, job] of (JSON.parse(process.argv[2]!) as readonly Job[]).entries()) {
  try {
    await live(job, number);
  } catch (error) {
    say({ job: number, wrong: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}
process.exit(0);
