import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { realWorld } from "../../../../base/world.ts";
import { openCore } from "../core.ts";
import { repoCrashPoints } from "../crash-points.ts";
import type { Environment } from "../process/git-process.ts";
import { type CommitterProcess, startCommitter } from "./committer-process.ts";

/** Points at which a chain of commits differs from a single one. */
const chainCrashPoints = [
  "repo.move.checked",
  "repo.move.before-pack",
  "repo.move.pack-named",
  "repo.move.packed",
  "repo.move.after-swap",
  "repo.follow.after-file-rename",
] as const;

/** Result of a crash suite. `lost` and `wrong` must be empty. */
export interface CrashReport {
  points: number;
  kills: number;
  acknowledged: number;
  /** Acknowledged commits that are not in history. */
  lost: string[];
  /** Complaints of `git fsck --strict`, and differences in work tree, index or hand edit. */
  wrong: string[];
}

/** Passed in, so that a soak run outside the test runner can use the suite too. */
export interface CrashSetup {
  /** A new, empty folder. */
  folder(): string;
  /** PATH and HOME for git and for the killed processes. */
  readonly environment: Environment;
}

const MAIN = "refs/heads/main";
const HAND = "by-hand.md";

function garden(setup: CrashSetup): string {
  const dir = setup.folder();
  const byHand = handIn(setup.environment);
  byHand(dir, "init", "-q", "-b", "main");
  writeFileSync(join(dir, HAND), "committed\n");
  byHand(dir, "add", ".");
  byHand(dir, "commit", "-q", "-m", "Begin");
  writeFileSync(join(dir, HAND), "not committed\n");
  return dir;
}

/** Runs git as a person would. */
const handIn =
  (environment: Environment) =>
  (dir: string, ...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=Оля", "-c", "user.email=olia@example.org", ...args], {
      cwd: dir,
      env: environment,
      encoding: "utf8",
    }).trimEnd();

/** Kills a process at each crash point, when it passes it the n-th time, then reopens and checks the repository. */
export async function killAtEveryPoint(setup: CrashSetup, passes: readonly number[]): Promise<CrashReport> {
  const report: CrashReport = { points: repoCrashPoints.length, kills: 0, acknowledged: 0, lost: [], wrong: [] };
  const single = repoCrashPoints.filter((point) => !/pack/.test(point)).map((crashAt) => ({ crashAt, commits: 8 }));
  const chains = chainCrashPoints.map((crashAt) => ({ crashAt, commits: 48, chain: 6 }));
  for (const { crashAt, ...size } of [...single, ...chains]) {
    const dir = garden(setup);
    for (const nth of passes) {
      const name = `${nth}`;
      const started = startCommitter({ dir, ref: MAIN, name, crashAt, nth, ...size }, setup.environment);
      if ((await started.end) !== "SIGKILL") report.wrong.push(`${crashAt} was not passed ${nth} times`);
      report.kills++;
      await look(setup, dir, started, report, `${crashAt} #${nth}`);
    }
  }
  return report;
}

/** Kills a committing process at a random moment of one of its first commits. */
export async function killAtRandom(setup: CrashSetup, kills: number): Promise<CrashReport> {
  const report: CrashReport = { points: 0, kills: 0, acknowledged: 0, lost: [], wrong: [] };
  let dir = garden(setup);
  for (; report.kills < kills; report.kills++) {
    if (report.kills % 20 === 19) dir = garden(setup);
    const chain = report.kills % 2 === 0 ? {} : { chain: 6 };
    const started = startCommitter(
      { dir, ref: MAIN, name: `k${report.kills}`, commits: 100_000, ...chain },
      setup.environment,
    );
    // Counted in commits, not in time, so that a busy machine tests the same windows.
    const [commits, moment] = realWorld.random(2) as Uint8Array & [number, number];
    await started.reached(commits % 4);
    await delay(moment / 5);
    started.child.kill("SIGKILL");
    await started.end;
    await look(setup, dir, started, report, `kill ${report.kills}`);
  }
  return report;
}

export const summaryOf = (report: CrashReport): string => {
  const count = (number: number): string => number.toLocaleString("en");
  return `crash suite: ${report.points} points, ${count(report.kills)} kills, ${count(report.acknowledged)} acknowledged commits, ${report.lost.length} lost`;
};

/** Reopens the repository, as the next owner would, and checks every guarantee. */
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

/** Children of the killed process exit by themselves; their locks count as leftovers after 2 s. */
async function locksGone(dir: string): Promise<void> {
  const locks = (): string[] =>
    (readdirSync(join(dir, ".git/refs"), { recursive: true }) as string[]).filter((name) => name.endsWith(".lock"));
  for (let waited = 0; locks().length > 0 && waited < 2_500; waited += 50) await delay(50);
}
