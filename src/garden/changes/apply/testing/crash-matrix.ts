import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFailure } from "../../../../base/failure.ts";
import { everyKey } from "../../../../ports/store.ts";
import { closeGarden, type Garden, openGarden } from "../../../core/garden.ts";
import { initGarden } from "../../../life/init.ts";
import { readProposal } from "../../../records/proposals/proposal-log.ts";
import { files, git, testPorts } from "../../../testing/scratch.ts";
import { recoverChanges } from "../../recover-changes.ts";
import { type LifeAct, perform } from "./life-acts.ts";
import { lifeWorld, type Points } from "./life-points.ts";
import { runLife, runScript } from "./run-life.ts";
import { type Scenario, scenarioGround, scenarioNotes } from "./scenarios.ts";

const AT_ONCE = 3;
const BEGUN = Date.parse("2026-02-14T09:00:00Z");
/** Late enough that recovery takes the entries up, and early enough that nothing expires. */
const LATER = BEGUN + 3_600_000;

/** The results of one scenario, killed at each of its crash points. */
export interface MatrixRow {
  readonly scenario: string;
  readonly kills: number;
  readonly applied: number;
  readonly failed: number;
  /** Violations, with the crash point; empty if all is well. */
  readonly broken: readonly string[];
}

/**
 * Kills a process that submits, approves and applies one change, then checks the result of a restart and a repetition: at
 * every crash point once, or at the first point with one of these names.
 */
export async function crashMatrix(scenario: Scenario, where: "few" | "all" | readonly string[]): Promise<MatrixRow> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "matrix-")));
  try {
    const template = join(top, "template");
    const act = await prepared(template, scenario);
    const points = where === "all" ? "all" : "few";
    const left: (string | number)[] =
      typeof where === "string" ? await pointsOf(copyOf(template, join(top, "trial")), points, act) : [...where];
    const ends = { applied: 0, failed: 0 };
    const broken: string[] = [];
    const worker = async (): Promise<void> => {
      for (let at = left.shift(); at !== undefined; at = left.shift()) {
        const dir = copyOf(template, join(top, `at-${at}`));
        const run = await runLife(dir, at, BEGUN, [act], points);
        if (!run.killed) broken.push(`${at}: not killed`);
        const { end, problems } = await afterRestart(dir, act, scenario);
        ends[end]++;
        broken.push(...problems.map((problem) => `${at} ${run.passed.at(-1)}: ${problem}`));
        rmSync(dir, { recursive: true, force: true });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return { scenario: scenario.name, kills: ends.applied + ends.failed, ...ends, broken };
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

/** The crash points that it passes when it is not killed. */
async function pointsOf(dir: string, points: Points, act: LifeAct): Promise<number[]> {
  const { passed, refused } = await runLife(dir, -1, BEGUN, [act], points);
  if (refused.length > 0) throw new Error(JSON.stringify(refused));
  return passed.map((_, at) => at);
}

/** A garden without any request, and the action of the scenario. */
async function prepared(dir: string, scenario: Scenario): Promise<LifeAct> {
  const ground = testPorts();
  files(dir, scenarioNotes);
  await initGarden(ground, dir, { language: "en", name: "Rose" });
  const garden = await openGarden(ground, dir);
  try {
    await scenarioGround(garden);
    const asked = await scenario.wish(garden);
    scenario.meanwhile?.(dir);
    return { kind: "whole", token: "whole", ...asked };
  } finally {
    await closeGarden(garden);
  }
}

const copyOf = (from: string, to: string): string => {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return to;
};

/** Starts a child process that applies approved proposals, or resumes open ones. */
export async function runChild(dir: string, verb: "apply" | "resume", ids: readonly string[]): Promise<void> {
  await runScript("applying.ts", [dir, verb, ...ids]);
}

/** Opens the garden again, recovers, repeats the request, and returns the violations. */
async function afterRestart(
  dir: string,
  act: LifeAct,
  scenario: Scenario,
): Promise<{ end: "applied" | "failed"; problems: string[] }> {
  const garden = await openGarden(testPorts(lifeWorld(LATER)), dir);
  try {
    await recoverChanges(garden);
    const told = await perform(garden, act);
    if (isFailure(told)) return { end: "failed", problems: [`refused: ${told.code} ${told.text.en}`] };
    const id = told[0]!.id;
    const proposal = await readProposal(garden.store, id);
    const problems: string[] = [];
    if (proposal.status !== scenario.ends) problems.push(`ended as ${proposal.status}`);
    const expected = proposal.status === "applied" ? scenario.after : scenario.before;
    const found = await contentOf(garden, dir, scenario.target.replace("ID", id));
    const right = expected instanceof RegExp ? found !== undefined && expected.test(found) : found === expected;
    if (!right) problems.push(`${scenario.target} holds ${JSON.stringify(found)}`);
    const commits = git(dir, "log", "main", "--format=%H", `--grep=^Proposal: ${id}$`).split("\n").filter(Boolean);
    const wanted = proposal.status === "applied" && proposal.apply_result?.git_commit !== undefined ? 1 : 0;
    if (commits.length !== wanted) problems.push(`${commits.length} commits`);
    if (wanted === 1 && commits[0] !== proposal.apply_result?.git_commit) problems.push("another commit is on record");
    problems.push(...(await leftovers(garden, id)));
    const broken = git(dir, "fsck", "--strict", "--no-dangling", "--no-progress");
    if (broken !== "") problems.push(broken);
    const dirty = git(dir, "status", "--porcelain");
    if (dirty !== "" && !scenario.meanwhile) problems.push(`the work tree differs: ${dirty}`);
    return { end: proposal.status === "applied" ? "applied" : "failed", problems };
  } finally {
    await closeGarden(garden);
  }
}

async function contentOf(garden: Garden, dir: string, target: string): Promise<string | undefined> {
  if (target.startsWith("store:")) {
    const object = await garden.store.get(target.slice("store:".length));
    return object && Buffer.from(object.bytes).toString();
  }
  return existsSync(join(dir, target)) ? readFileSync(join(dir, target), "utf8") : undefined;
}

/** Views that contradict the events, and audit records that are missing or duplicated. */
async function leftovers(garden: Garden, id: string): Promise<string[]> {
  const keys: string[] = [];
  const filed: string[] = [];
  let logs = 0;
  for await (const { key } of everyKey(garden.store, "")) {
    if (key.includes(id)) keys.push(key);
    if (/^inbox\/(pending|processed|rejected)\//.test(key)) filed.push(key);
    if (/^proposals\/log\/[^/]+\/0000\.json$/.test(key)) logs++;
  }
  const views = keys.filter((key) => /^proposals\/(pending|approved|applied|failed)\//.test(key));
  const told = keys.flatMap((key) => /^audit\/.*-(proposed|decided|applied|failed)\.json$/.exec(key)?.[1] ?? []);
  const open = views.filter((key) => /^proposals\/(pending|approved)\//.test(key));
  return [
    ...(open.length > 0 && !views.some((key) => key.startsWith("proposals/failed/"))
      ? [`open views: ${open.join(" ")}`]
      : []),
    ...(views.length - open.length === 1 ? [] : [`views: ${views.join(" ")}`]),
    ...(told.length === 3 && new Set(told).size === 3 ? [] : [`audit: ${told.join(" ")}`]),
    ...(filed.length === 1 && filed[0]!.startsWith("inbox/processed/") ? [] : [`inbox: ${filed.join(" ")}`]),
    ...(logs === 1 ? [] : [`${logs} proposals`]),
  ];
}

/** The matrix as a table. */
export function matrixTable(rows: readonly MatrixRow[]): string {
  const width = Math.max(...rows.map(({ scenario }) => scenario.length));
  const sum = (key: "kills" | "applied" | "failed"): number => rows.reduce((total, row) => total + row[key], 0);
  const broken = rows.flatMap((row) => row.broken).length;
  const line = (name: string, kills: number, applied: number, failed: number): string =>
    `${name.padEnd(width)}  killed ${String(kills).padStart(4)}  applied once ${String(applied).padStart(4)}  failed, nothing changed ${String(failed).padStart(4)}`;
  return [
    ...rows.map((row) => line(row.scenario, row.kills, row.applied, row.failed)),
    `${line("all", sum("kills"), sum("applied"), sum("failed"))}  lost or doubled ${broken}`,
  ].join("\n");
}
