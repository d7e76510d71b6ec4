import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { realWorld } from "../../../../base/world.ts";
import { openCore } from "../core.ts";
import { chainCrashPoints, repoCrashPoints } from "../crash-points.ts";
import type { Environment } from "../process/git-process.ts";
import { type CommitterProcess, startCommitter } from "./committer-process.ts";

/** What a suite of crashes found. All but the counts must be empty. */
export interface CrashReport {
  points: number;
  kills: number;
  acknowledged: number;
  /** Commits that were answered for and are not in history. */
  lost: string[];
  /** What `git fsck --strict`, the work tree, the index or a hand edit said that it should not. */
  wrong: string[];
}

/** Where the suite works: handed in, so that a soak outside the test runner can run it too. */
export interface CrashSetup {
  /** A new, empty folder. */
  folder(): string;
  /** PATH and HOME for git and for the processes that die. */
  readonly environment: Environment;
}

const MAIN = "refs/heads/main";
const HAND = "by-hand.md";

function garden(ground: CrashSetup): string {
  const dir = ground.folder();
  const byHand = handIn(ground.environment);
  byHand(dir, "init", "-q", "-b", "main");
  writeFileSync(join(dir, HAND), "committed\n");
  byHand(dir, "add", ".");
  byHand(dir, "commit", "-q", "-m", "Begin");
  writeFileSync(join(dir, HAND), "not committed\n");
  return dir;
}

/** What a person types. */
const handIn =
  (environment: Environment) =>
  (dir: string, ...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=Оля", "-c", "user.email=olia@example.org", ...args], {
      cwd: dir,
      env: environment,
      encoding: "utf8",
    }).trimEnd();

/** A process dies at each named point, early and late; the repository is opened again and looked at. */
export async function killAtEveryPoint(ground: CrashSetup): Promise<CrashReport> {
  const report: CrashReport = { points: repoCrashPoints.length, kills: 0, acknowledged: 0, lost: [], wrong: [] };
  const single = repoCrashPoints.filter((point) => !/pack/.test(point)).map((crashAt) => ({ crashAt, commits: 8 }));
  const chains = chainCrashPoints.map((crashAt) => ({ crashAt, commits: 48, chain: 6 }));
  for (const { crashAt, ...size } of [...single, ...chains]) {
    const dir = garden(ground);
    for (const nth of [1, 5]) {
      const name = `${nth}`;
      const started = startCommitter({ dir, ref: MAIN, name, crashAt, nth, ...size }, ground.environment);
      if ((await started.end) !== "SIGKILL") report.wrong.push(`${crashAt} was not passed ${nth} times`);
      report.kills++;
      await look(ground, dir, started, report, `${crashAt} #${nth}`);
    }
  }
  return report;
}

/** A process that commits without end is killed at a moment of one of its first commits. */
export async function killAtRandom(ground: CrashSetup, kills: number): Promise<CrashReport> {
  const report: CrashReport = { points: 0, kills: 0, acknowledged: 0, lost: [], wrong: [] };
  let dir = garden(ground);
  for (; report.kills < kills; report.kills++) {
    if (report.kills % 20 === 19) dir = garden(ground);
    const chain = report.kills % 2 === 0 ? {} : { chain: 6 };
    const started = startCommitter(
      { dir, ref: MAIN, name: `k${report.kills}`, commits: 100_000, ...chain },
      ground.environment,
    );
    // Counted in commits, not in time, so that a busy machine tests the same.
    const [commits, moment] = realWorld.random(2) as Uint8Array & [number, number];
    await started.reached(commits % 4);
    await delay(moment / 5);
    started.child.kill("SIGKILL");
    await started.end;
    await look(ground, dir, started, report, `kill ${report.kills}`);
  }
  return report;
}

export const summaryOf = (report: CrashReport): string => {
  const count = (number: number): string => number.toLocaleString("en");
  return `crash suite: ${report.points} points, ${count(report.kills)} kills, ${count(report.acknowledged)} acknowledged commits, ${report.lost.length} lost`;
};

/** Opens the repository again, as the next owner would, and checks all that was promised. */
async function look(
  { environment }: CrashSetup,
  dir: string,
  { acknowledged }: CommitterProcess,
  report: CrashReport,
  where: string,
): Promise<void> {
  const byHand = handIn(environment);
  const wrong = (what: string): void => void report.wrong.push(`${where}: ${what}`);
  await locksGone(dir);
  const core = await openCore({ dir, environment }, { world: realWorld });
  const { behind } = await core.follow();
  await core.close();
  for (const { path, why } of behind) wrong(`${path} stays behind: ${why.en}`);
  const history = new Set(byHand(dir, "rev-list", "main").split("\n"));
  report.acknowledged += acknowledged.length;
  report.lost.push(...acknowledged.filter((oid) => !history.has(oid)).map((oid) => `${where}: ${oid}`));
  const status = byHand(dir, "status", "--porcelain");
  if (status !== ` M ${HAND}`) wrong(`git status says ${JSON.stringify(status)}`);
  if (readFileSync(join(dir, HAND), "utf8") !== "not committed\n") wrong("the hand edit is gone");
  const broken = byHand(dir, "fsck", "--strict", "--no-dangling");
  if (broken !== "") wrong(`git fsck says ${broken}`);
  if (existsSync(join(dir, ".git/index.lock"))) wrong("index.lock is still there");
  for (const name of readdirSync(join(dir, ".git")))
    if (/bloom-(lock|copy|dead|merge)/.test(name)) wrong(`${name} is left`);
}

/** Git's own children of the killed process end by themselves in a moment; a lock of theirs counts as left after 2 s. */
async function locksGone(dir: string): Promise<void> {
  const locks = (): string[] =>
    (readdirSync(join(dir, ".git/refs"), { recursive: true }) as string[]).filter((name) => name.endsWith(".lock"));
  for (let waited = 0; locks().length > 0 && waited < 2_500; waited += 50) await delay(50);
}
