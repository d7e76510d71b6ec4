import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeded } from "../../../base/testing/seeded.ts";
import { contractKey } from "../../../domain/layout.ts";
import { everyKey } from "../../../ports/store.ts";
import { contractText } from "../../agents/testing/contract-text.ts";
import { readJournal } from "../../flow/journal.ts";
import { closeGarden, type Garden, openGarden } from "../../garden.ts";
import { initGarden } from "../../init.ts";
import { readProposal } from "../../proposals/proposal-log.ts";
import { files, testGround } from "../../testing/scratch.ts";
import { requestsOf } from "../hold.ts";
import { openRunIds } from "../open-runs.ts";
import { manifestOf } from "./agent-ground.ts";
import { type KillScenario, randomScenario } from "./kill-scenarios.ts";
import { lifeOfRun, type Noted, notesIn, worldOfLife } from "./run-life.ts";

const place = { slug: "archivist", run: "run_2026-02-14_080000_abc123" };
const AT_ONCE = 2;
/** Where node keeps what it made of our sources: a child that dies does not write it, the first one does. */
const cache = join(tmpdir(), `bloom-compiled-${process.pid}`);
process.on("exit", () => rmSync(cache, { recursive: true, force: true }));

/** `runs`: the points of runs and their flows; `all`: those of inbox, proposals, store and repository below them too. */
export type Points = "runs" | "all";

/** What came of one scenario. */
export interface KillRow {
  readonly scenario: string;
  readonly points: number;
  readonly kills: number;
  /** Calls of models and tools made in all lives, and how many of them had their end on record when they were made. */
  readonly calls: number;
  readonly doubled: number;
  /** Calls that were under way at a kill and were made once more. */
  readonly again: number;
  readonly lost: number;
  /** What does not hold, with the point where it died. */
  readonly broken: readonly string[];
}

/** Kills a run at points that it passes: at all of them, or where each name comes first and last. Each is then finished, and looked at. */
export async function killMatrix(
  scenario: KillScenario,
  which: "each name" | "every",
  points: Points,
): Promise<KillRow> {
  return inScratch(async (top) => {
    const template = await prepared(join(top, "template"), scenario);
    const whole = copyOf(template, join(top, "whole"));
    const trial = await lifeAndDeath(whole, scenario, { at: -1, life: 0, points });
    const expected = await endOf(whole);
    const left = which === "every" ? trial.passed.map((_, at) => at) : oneOfEach(trial.passed);
    const seen: Seen[] = [];
    const broken = modelFaults(scenario, expected);
    await crowd(left, async (at) => {
      const dir = copyOf(template, join(top, `at-${at}`));
      const { killed } = await lifeAndDeath(dir, scenario, { at, life: 0, points });
      await finished(dir, scenario, 1);
      const one = await lookedAt(dir, expected, killed ? 1 : 0);
      seen.push(one);
      broken.push(...one.broken.map((problem) => `${at} ${trial.passed[at]}: ${problem}`));
      rmSync(dir, { recursive: true, force: true });
      rmSync(`${dir}.calls`, { force: true });
    });
    return rowOf(scenario.name, trial.passed.length, seen, broken);
  });
}

/** One run after the other over random diagrams, each killed at random points, life after life, until one comes to its end. */
export async function randomRunKills(seed: number, kills: number): Promise<KillRow> {
  return inScratch(async (top) => {
    const seen: Seen[] = [];
    const broken: string[] = [];
    let left = kills;
    let passed = 0;
    await crowd(
      Array.from({ length: kills }, (_, i) => seed * 100_000 + i),
      async (diagram) => {
        if (left <= 0) return;
        const scenario = randomScenario(diagram);
        const random = seeded(diagram);
        const template = await prepared(join(top, `template-${diagram}`), scenario);
        const whole = copyOf(template, join(top, `whole-${diagram}`));
        const trial = await lifeAndDeath(whole, scenario, { at: -1, life: 0, points: "all" });
        const expected = await endOf(whole);
        passed += trial.passed.length;
        let died = 0;
        for (let life = 0; life < Math.min(12, kills); life++) {
          const at = Math.floor(random() * trial.passed.length * 0.6);
          const { killed } = await lifeAndDeath(template, scenario, { at, life, points: "all" });
          if (!killed) break;
          died++;
        }
        left -= died;
        await finished(template, scenario, 20);
        const one = await lookedAt(template, expected, died);
        seen.push(one);
        broken.push(
          ...modelFaults(scenario, expected).map((fault) => `${scenario.name}: ${fault}`),
          ...one.broken.map((problem) => `${scenario.name}: ${problem}`),
        );
        for (const dir of [template, whole]) rmSync(dir, { recursive: true, force: true });
      },
    );
    return rowOf(`${seen.length} random diagrams (seed ${seed})`, passed, seen, broken);
  });
}

/** The matrix as a table for people. */
export function killTable(rows: readonly KillRow[]): string {
  const width = Math.max(...rows.map(({ scenario }) => scenario.length));
  return rows
    .map((row) => {
      const counts = (["points", "kills", "calls", "again", "doubled", "lost"] as const).map(
        (what) => `${TITLES[what]} ${String(row[what]).padStart(5)}`,
      );
      return [row.scenario.padEnd(width), ...counts, `wrong ${row.broken.length}`].join("  ");
    })
    .join("\n");
}

const TITLES = {
  points: "points",
  kills: "killed",
  calls: "calls",
  again: "under way, made again",
  doubled: "finished, made again",
  lost: "lost",
} as const;

interface Seen extends Omit<KillRow, "scenario" | "points"> {}

const rowOf = (scenario: string, points: number, seen: readonly Seen[], broken: readonly string[]): KillRow => {
  const sum = (what: "kills" | "calls" | "doubled" | "again" | "lost"): number =>
    seen.reduce((total, one) => total + one[what], 0);
  return {
    scenario,
    points,
    kills: sum("kills"),
    calls: sum("calls"),
    doubled: sum("doubled"),
    again: sum("again"),
    lost: sum("lost"),
    broken,
  };
};

async function inScratch<T>(work: (top: string) => Promise<T>): Promise<T> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "kills-")));
  try {
    return await work(top);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

/** A few at a time, in order. */
async function crowd<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function oneOfEach(passed: readonly string[]): number[] {
  const places = Map.groupBy(passed.keys(), (at) => passed[at]!);
  return [...places.values()].map((ats) => ats[ats.length >> 1]!);
}

/** A garden with the agent, active, and nothing asked of it. */
async function prepared(dir: string, { contract, body }: KillScenario): Promise<string> {
  const ground = testGround(worldOfLife(0));
  files(dir, { "notes/a.md": "# A\n\nThe sea is warm.\n" });
  await initGarden(ground, dir, { language: "en", name: "Rose" });
  const garden = await openGarden(ground, dir);
  try {
    // Written as active: the gate would ask for the diagram of every random procedure, and has tests of its own.
    const text = contractText(place.slug, { ...contract, status: "active" }, body);
    await garden.store.create(contractKey(place.slug), Buffer.from(text));
  } finally {
    await closeGarden(garden);
  }
  return dir;
}

const copyOf = (from: string, to: string): string => {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return to;
};

const callsBeside = (dir: string): string => `${dir}.calls`;

async function lifeAndDeath(
  dir: string,
  { name }: KillScenario,
  { at, life, points }: { readonly at: number; readonly life: number; readonly points: Points },
): Promise<{ readonly passed: string[]; readonly killed: boolean }> {
  const script = join(import.meta.dirname, "dying-life.ts");
  const args = [dir, name, place.slug, place.run, callsBeside(dir), String(at), String(life), points];
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  });
  const [said, trouble]: [string[], string[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => trouble.push(chunk.toString()));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on("close", (status, by) => resolve([status, by]));
  });
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`${name}, killed at ${at}: ${trouble.join("")}`);
  return { passed: said.join("").split("\n").filter(Boolean), killed: signal === "SIGKILL" };
}

/** The life that nobody ends, in this process. */
async function finished(dir: string, scenario: KillScenario, life: number): Promise<void> {
  const garden = await openGarden(testGround(worldOfLife(life)), dir);
  try {
    await lifeOfRun(garden, scenario, place, callsBeside(dir));
  } finally {
    await closeGarden(garden);
  }
}

interface RunEnding {
  readonly manifest: unknown;
  readonly steps: readonly string[];
  readonly answers: readonly unknown[];
  readonly proposals: readonly string[];
  readonly told: readonly string[];
  readonly open: readonly string[];
}

/** How a run looks when it is over, without times, ids and marks. */
async function endOf(dir: string): Promise<RunEnding> {
  const garden = await openGarden(testGround(worldOfLife(30)), dir);
  try {
    const { records } = (await readJournal(garden.store, place))!;
    const requests = await requestsOf(garden.store, place);
    return {
      manifest: withoutMarks(await manifestOf(garden, place)),
      steps: records.map(({ position, name, icon }) => `${position} ${name} ${icon ?? ""}`),
      answers: requests.map(({ answer }) => answer?.value),
      proposals: await proposalsIn(garden),
      // Within one second records stand in the order of their names: which of them came first is not to be read from it.
      told: (await keysOf(garden, "audit/"))
        .flatMap((key) => /run_[^/]*-(?:requested|finished)/.exec(key) ?? [])
        .toSorted(),
      open: await openRunIds(garden.store),
    };
  } finally {
    await closeGarden(garden);
  }
}

async function keysOf({ store }: Garden, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of everyKey(store, prefix)) found.push(key);
  return found;
}

/** What every proposal of the garden is about, with its state: a doubled one stands here twice. */
async function proposalsIn(garden: Garden): Promise<string[]> {
  const ids = new Set((await keysOf(garden, "proposals/")).flatMap((key) => /prop_[^/.]+/.exec(key) ?? []));
  const about = await Promise.all(
    [...ids].map(async (id) => {
      const { target, status } = await readProposal(garden.store, id);
      return `${target} ${status}`;
    }),
  );
  return about.toSorted();
}

const withoutMarks = ({
  started_at: _s,
  finished_at: _f,
  journal: _j,
  ...manifest
}: Record<string, unknown>): unknown => JSON.parse(JSON.stringify(manifest).replace(/prop_[\w-]+/g, "prop"));

/** Where even the run that nobody killed is not what the scenario says. */
function modelFaults({ proposes }: KillScenario, { proposals, open }: RunEnding): string[] {
  const notes = proposals.flatMap((line) => /^(notes\/\S+) pending$/.exec(line)?.[1] ?? []);
  const faults = open.map((run) => `${run} is still open`);
  if (notes.join() !== proposes.join()) faults.push(`proposes ${notes.join()} and not ${proposes.join()}`);
  return faults;
}

async function lookedAt(dir: string, expected: RunEnding, kills: number): Promise<Seen> {
  const found = await endOf(dir);
  const notes = notesIn(callsBeside(dir));
  const { doubled, again, calls } = repeats(notes);
  const lives = notes.flatMap((noted) => ("life" in noted ? noted.life : []));
  const kept = new Set(found.steps.map((step) => step.replace(/^(\d+) (\S+) .*$/, `${place.run}/$1-$2`)));
  const lost = [...new Set(lives)].filter((key) => !kept.has(key));
  const broken = [
    ...doubled.map((key) => `${key} was on record and was done again`),
    ...lost.map((key) => `${key} was on record and is gone`),
  ];
  for (const what of Object.keys(expected) as (keyof RunEnding)[])
    if (JSON.stringify(found[what]) !== JSON.stringify(expected[what]))
      broken.push(`${what}: ${JSON.stringify(found[what])} instead of ${JSON.stringify(expected[what])}`);
  return { kills, calls, doubled: doubled.length, again, lost: lost.length, broken };
}

/** Life by life: what was done although it was on record, and what was begun before and was begun again. */
function repeats(notes: readonly Noted[]): { doubled: string[]; again: number; calls: number } {
  const doubled: string[] = [];
  const begun = new Set<string>();
  let onRecord = new Set<string>();
  let inThisLife = new Set<string>();
  let again = 0;
  let calls = 0;
  for (const noted of notes) {
    if ("life" in noted) {
      onRecord = new Set(noted.life);
      inThisLife = new Set();
    }
    if (!("call" in noted) || noted.kind === "step") continue;
    calls++;
    if (onRecord.has(noted.call)) doubled.push(noted.call);
    if (begun.has(noted.call) && !inThisLife.has(noted.call)) again++;
    begun.add(noted.call);
    inThisLife.add(noted.call);
  }
  return { doubled, again, calls };
}
