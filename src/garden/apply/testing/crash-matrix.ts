import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { everyKey } from "../../../ports/store.ts";
import { closeGarden, type Garden, openGarden } from "../../garden.ts";
import { initGarden } from "../../init.ts";
import { readProposal } from "../../proposals/proposal-log.ts";
import { files, git, testGround } from "../../testing/scratch.ts";
import { resumeApplying } from "../apply-proposal.ts";
import { approved } from "./proposals.ts";
import { type Scenario, scenarioAsker, scenarioGround, scenarioNotes } from "./scenarios.ts";

const AT_ONCE = 3;
/** Where node keeps what it made of our sources: a child that dies does not write it, the first one does. */
const cache = join(tmpdir(), `bloom-compiled-${process.pid}`);
process.on("exit", () => rmSync(cache, { recursive: true, force: true }));

/** What came of one scenario, killed at each of its points. */
export interface MatrixRow {
  readonly scenario: string;
  readonly kills: number;
  readonly applied: number;
  readonly failed: number;
  /** What does not hold, with the point where it died. Empty, if the promise is kept. */
  readonly broken: readonly string[];
}

/**
 * Kills an apply and looks at what a restart makes of it: at every point that it passes, once each, or at the first of
 * these names that it comes to.
 */
export async function crashMatrix(scenario: Scenario, where: "few" | "all" | readonly string[]): Promise<MatrixRow> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "matrix-")));
  try {
    const template = join(top, "template");
    const id = await prepared(template, scenario);
    const points = where === "all" ? "all" : "few";
    const left =
      typeof where === "string" ? await pointsOf(copyOf(template, join(top, "trial")), points, id) : [...where];
    const ends = { applied: 0, failed: 0 };
    const broken: string[] = [];
    const worker = async (): Promise<void> => {
      for (let at = left.shift(); at !== undefined; at = left.shift()) {
        const dir = copyOf(template, join(top, `at-${at}`));
        const run = await runChild(dir, "apply", at, points, [id]);
        if (!run.killed) broken.push(`${at}: not killed`);
        const { end, problems } = await afterRestart(dir, id, scenario);
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

/** The points that an apply passes when nobody kills it, by number. */
async function pointsOf(dir: string, points: "few" | "all", id: string): Promise<string[]> {
  const { passed } = await runChild(dir, "apply", "never", points, [id]);
  return passed.map((_, at) => String(at));
}

/** A garden with the proposal approved and nothing applied. */
async function prepared(dir: string, scenario: Scenario): Promise<string> {
  const ground = testGround();
  files(dir, scenarioNotes);
  await initGarden(ground, dir, { language: "en", name: "Rose" });
  const garden = await openGarden(ground, dir);
  try {
    await scenarioGround(garden);
    const { id } = await approved(garden, await scenario.operation(garden), scenarioAsker(scenario));
    scenario.meanwhile?.(dir);
    return id;
  } finally {
    await closeGarden(garden);
  }
}

const copyOf = (from: string, to: string): string => {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return to;
};

export async function runChild(
  dir: string,
  verb: "apply" | "resume",
  at: string,
  points: "few" | "all",
  ids: readonly string[],
): Promise<{ passed: string[]; killed: boolean }> {
  const script = join(import.meta.dirname, "dying-apply.ts");
  const child = spawn(process.execPath, [script, dir, verb, at, points, ...ids], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  });
  let said = "";
  let trouble = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (trouble += chunk.toString()));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on("close", (status, by) => resolve([status, by]));
  });
  if (signal !== "SIGKILL" && code !== 0) throw new Error(trouble);
  return { passed: said.split("\n").filter(Boolean), killed: signal === "SIGKILL" };
}

/** Opens the garden again, lets it finish, and says what does not hold. */
async function afterRestart(
  dir: string,
  id: string,
  scenario: Scenario,
): Promise<{ end: "applied" | "failed"; problems: string[] }> {
  const garden = await openGarden(testGround(), dir);
  try {
    await resumeApplying(garden);
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

/** Views that tell something else than the truth, and audit records that are missing or doubled. */
async function leftovers(garden: Garden, id: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of everyKey(garden.store, "")) if (key.includes(id)) keys.push(key);
  const views = keys.filter((key) => /^proposals\/(pending|approved|applied|failed)\//.test(key));
  const told = keys.filter((key) => /^audit\/.*-(applied|failed)\.json$/.test(key));
  const open = views.filter((key) => /^proposals\/(pending|approved)\//.test(key));
  return [
    ...(open.length > 0 && !views.some((key) => key.startsWith("proposals/failed/"))
      ? [`open views: ${open.join(" ")}`]
      : []),
    ...(views.length - open.length === 1 ? [] : [`views: ${views.join(" ")}`]),
    ...(told.length === 1 ? [] : [`audit: ${told.join(" ")}`]),
  ];
}

/** The matrix as a table for people. */
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
