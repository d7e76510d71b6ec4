import { appendFileSync, cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeded } from "../../../base/testing/seeded.ts";
import { realWorld } from "../../../base/world.ts";
import { closeGarden, openGarden } from "../../core/garden.ts";
import { initGarden } from "../../life/init.ts";
import { files, testPorts } from "../../testing/scratch.ts";
import { requestScheduledRuns } from "../schedule.ts";
import { worker } from "./kill-processes.ts";
import type { KillScenario } from "./kill-scenario.ts";
import { counted, type KillCounts, type KillRow, summed } from "./kill-table.ts";
import type { Job, Said } from "./kill-worker.ts";
import { plant } from "./planted-agent.ts";
import { randomScenario } from "./random-scenario.ts";
import type { Ending, Looked } from "./run-ending.ts";
import { lifeLength, notesIn, worldOfLife } from "./run-life.ts";

const AT_ONCE = 2;

/** `runs`: the points of runs and their flows; `all`: those of inbox, proposals, store and repository below them too. */
export type Points = "runs" | "all";

/**
 * Kills a run at every crash point that it passes, or at one of each name: a process dies there by SIGKILL, another one that has
 * never opened the garden resumes it, and the final state is compared with an undisturbed run.
 */
export async function killMatrix(
  scenario: KillScenario,
  which: "each name" | "every",
  points: Points,
): Promise<KillRow> {
  return inScratch(async (top) => {
    const template = await prepared(join(top, "template"), scenario);
    const whole = copyOf(template, join(top, "whole"));
    // The work of two processes is not deterministic: a single process passes every crash point.
    const { beside: _beside, ...alone } = scenario;
    const { names: passed, looked } = await undisturbed(whole, alone, points);
    // A process that uses the owner's socket passes no crash point of the store.
    const names = scenario.beside === "the other dies" ? passed.filter((name) => !name.startsWith("store.")) : passed;
    const row: Row = { counts: [], broken: modelFaults(scenario, looked) };
    const left = which === "every" ? names.map((_, at) => at) : oneOfEach(names);
    await crowd(() => lane(template, scenario, points, left, looked, row));
    return { scenario: scenario.name, points: names.length, ...summed(row.counts), broken: row.broken };
  });
}

/** Runs random diagrams one after the other, each killed at random points and resumed until a process completes it. */
export async function randomRunKills(seed: number, kills: number): Promise<KillRow> {
  return inScratch(async (top) => {
    const row: Row = { counts: [], broken: [] };
    let [left, points, diagrams] = [kills, 0, 0];
    let number = seed * 1_000_000;
    await crowd(async () => {
      let before: Left | undefined;
      while (left > 0) {
        const own = number++;
        const scenario = randomScenario(own);
        if (!scenario) continue;
        const most = Math.min(MOST_LIVES, left);
        left -= most;
        const dir = await prepared(join(top, `d-${own}`), scenario);
        const { names, looked } = await undisturbed(copyOf(dir, `${dir}-whole`), scenario, "all", before, row);
        forget(`${dir}-whole`);
        row.broken.push(...modelFaults(scenario, looked).map((fault) => `${scenario.name}: ${fault}`));
        before = await randomLives(dir, scenario, { seed: own, most, points: names.length }, looked, row);
        left += most - before.kills;
        points += names.length;
        diagrams++;
      }
      if (before) judge(await said([takingUp(before)]), before, row);
    });
    return {
      scenario: `${diagrams} random diagrams (seed ${seed})`,
      points,
      ...summed(row.counts),
      broken: row.broken,
    };
  });
}

const MOST_LIVES = 10;

interface Row {
  readonly counts: KillCounts[];
  readonly broken: string[];
}

/** A garden in which processes died, to be completed by another process. */
interface Left {
  readonly dir: string;
  readonly scenario: KillScenario;
  /** Where it was killed, as readable text. */
  readonly where: string;
  readonly kills: number;
  readonly expected: Looked;
}

const takingUp = ({ dir, scenario, kills }: Left): Job =>
  jobIn(dir, scenario, { life: Math.max(1, kills), look: true });

/**
 * Kills at one crash point after the other. A process resumes the garden in which the previous process died, completes
 * it, and then dies in the next garden: each process is started for one kill, and has no state of the garden that it resumes.
 */
async function lane(
  template: string,
  scenario: KillScenario,
  points: Points,
  left: number[],
  expected: Looked,
  row: Row,
): Promise<void> {
  let before: Left | undefined;
  for (let at = left.shift(); at !== undefined; at = left.shift()) {
    const dir = copyOf(template, `${template}-${at}`);
    const taking = before ? [takingUp(before)] : [];
    const heard = await lives(taking, jobIn(dir, scenario, { life: 0, at, points }), scenario);
    if (before) judge(heard, before, row);
    const own = heard.filter(({ job }) => job === taking.length);
    const died = own.find((one) => "dies" in one);
    const where = `${at} ${died?.dies ?? "alive"}`;
    before = { dir, scenario, where, kills: died ? 1 : 0, expected };
    row.broken.push(...wrongIn(own).map((wrong) => `${where}: ${wrong}`));
  }
  if (before) judge(await said([takingUp(before)]), before, row);
}

/** Starts processes that are killed at random points, until one completes or the maximum is reached. */
async function randomLives(
  dir: string,
  scenario: KillScenario,
  { seed, most, points }: { readonly seed: number; readonly most: number; readonly points: number },
  expected: Looked,
  row: Row,
): Promise<Left> {
  const random = seeded(seed);
  let kills = 0;
  for (let alive = false; !alive && kills < most; ) {
    const at = Math.floor(random() * points * FURTHEST);
    const heard = await said([jobIn(dir, scenario, { life: kills, at, points: "all" })]);
    row.broken.push(...wrongIn(heard).map((wrong) => `${scenario.name}, life ${kills}: ${wrong}`));
    alive = !heard.some((one) => "dies" in one);
    if (!alive) kills++;
  }
  return { dir, scenario, where: scenario.name, kills, expected };
}

/** The maximum share of the remaining crash points before a kill, so that several processes are needed. */
const FURTHEST = 0.5;

/** One process, and a second one if the scenario needs it, which continues alone when the first is dead. */
async function lives(before: readonly Job[], job: Job, { beside }: KillScenario): Promise<readonly Said[]> {
  if (!beside) return said([...before, job]);
  const living: Job = { ...job, beside: true, began: realWorld.now() };
  const mortal = [...before, living];
  const other: Job = { ...living, at: undefined };
  // The first process owns the store; the other one uses its socket.
  const first = await worker(beside === "the owner dies" ? mortal : [other]);
  await first.ready;
  const second = await worker(beside === "the owner dies" ? [other] : mortal);
  await second.ready;
  const [dying, staying] = beside === "the owner dies" ? [first, second] : [second, first];
  dying.tell();
  await dying.begun;
  staying.tell();
  const told = await dying.said;
  if (told.some((one) => "dies" in one)) staying.tell();
  const wrong = (await staying.said).filter((one) => "wrong" in one);
  return [...told, ...wrong.map((one) => ({ ...one, job: before.length }))];
}

const said = async (jobs: readonly Job[]): Promise<readonly Said[]> => (await worker(jobs)).said;

const jobIn = (dir: string, { name }: KillScenario, job: Omit<Job, "dir" | "scenario">): Job => ({
  dir,
  scenario: name,
  ...job,
});

const wrongIn = (heard: readonly Said[]): string[] => heard.flatMap((one) => ("wrong" in one ? one.wrong : []));

/** The undisturbed run, by a process that opens another garden first: the crash points that it passes, and its end. */
async function undisturbed(
  dir: string,
  scenario: KillScenario,
  points: Points,
  before?: Left,
  row?: Row,
): Promise<{ readonly names: readonly string[]; readonly looked: Looked }> {
  const taking = before ? [takingUp(before)] : [];
  const heard = await lives(taking, jobIn(dir, scenario, { life: 0, points, look: true }), scenario);
  if (before && row) judge(heard, before, row);
  const own = heard.filter(({ job }) => job === taking.length);
  const names = own.flatMap((one) => ("over" in one ? one.over : []));
  const looked = own.flatMap((one) => ("over" in one && one.looked ? one.looked : []))[0];
  const wrong = wrongIn(own);
  if (!looked || wrong.length > 0) throw new Error(`${scenario.name}, undisturbed: ${wrong.join("\n")}`);
  return { names, looked };
}

/** Differences between the undisturbed run and the expectation of the scenario. */
function modelFaults({ proposes, model }: KillScenario, { ending, calls, status }: Looked): string[] {
  const faults = [...ending.open.map((key) => `${key} is still open`), ...ending.findings];
  const targets = ending.proposals.flatMap((line) => /^(?!logic\/)\S+/.exec(line) ?? []);
  if (!model && targets.join() !== proposes.join()) faults.push(`proposes ${targets.join()}, not ${proposes.join()}`);
  if (model && calls.join("\n") !== model.calls.join("\n"))
    faults.push(`calls\n${calls.join("\n")}\nwhere the interpreter calls\n${model.calls.join("\n")}`);
  if (model && status !== model.status) faults.push(`is ${status}, where the interpreter is ${model.status}`);
  return faults;
}

/** Compares the end of a killed and resumed garden with the undisturbed run. */
function judge(heard: readonly Said[], { dir, where, kills, expected }: Left, row: Row): void {
  const own = heard.filter(({ job }) => job === 0);
  const broken = wrongIn(own);
  const looked = own.flatMap((one) => ("over" in one && one.looked ? one.looked : []))[0];
  const { counts, faults } = counted(notesIn(callsOf(dir)), looked, kills);
  row.counts.push(counts);
  broken.push(...faults);
  if (looked)
    for (const what of Object.keys(expected.ending) as (keyof Ending)[]) {
      const [found, meant] = [JSON.stringify(looked.ending[what]), JSON.stringify(expected.ending[what])];
      if (found !== meant) broken.push(`${what}: ${found} instead of ${meant}`);
    }
  row.broken.push(...broken.map((problem) => `${where}: ${problem}`));
  forget(dir);
}

async function inScratch<T>(work: (top: string) => Promise<T>): Promise<T> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "kills-")));
  try {
    return await work(top);
  } finally {
    rmSync(top, { recursive: true, force: true, maxRetries: 5 });
  }
}

const crowd = (work: () => Promise<void>): Promise<unknown> => Promise.all(Array.from({ length: AT_ONCE }, work));

function oneOfEach(passed: readonly string[]): number[] {
  const places = Map.groupBy(passed.keys(), (at) => passed[at]!);
  return [...places.values()].map((ats) => ats[ats.length >> 1]!);
}

const NOTE = { "notes/a.md": "# A\n\nThe sea is warm.\n" };
const RULE = "\nauto_approve:\n  - source: agent\n    actions: [memory-update]\n";

/** A garden with active agents and no requests. */
async function prepared(dir: string, scenario: KillScenario): Promise<string> {
  const ground = testPorts(worldOfLife(-1, lifeLength(scenario)));
  files(dir, NOTE);
  await initGarden(ground, dir, { language: "en", name: "Rose" });
  appendFileSync(join(dir, "garden.yaml"), RULE);
  const garden = await openGarden(ground, dir);
  try {
    for (const agent of scenario.agents) await plant(ground, garden, agent);
    await requestScheduledRuns(garden); // like a serving process: the first slots are in the future
  } finally {
    await closeGarden(garden);
  }
  return dir;
}

const copyOf = (from: string, to: string): string => {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return to;
};

const callsOf = (dir: string): string => `${dir}.calls`;

const forget = (dir: string): void => {
  for (const each of [dir, callsOf(dir)]) rmSync(each, { recursive: true, force: true });
};
