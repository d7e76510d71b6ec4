import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { realWorld } from "../../../../base/world.ts";
import { openCore } from "../core.ts";
import { type RepoCrashPoint, remoteCrashPoints } from "../crash-points.ts";
import { type CommitterProcess, startCommitter } from "./committer-process.ts";
import type { CrashSetup } from "./crash-suite.ts";

const MAIN = "refs/heads/main";
/** Points of the work tree between the push and its end. */
const FOLLOWING = ["repo.follow.after-file-rename", "repo.follow.after-index", "repo.move.after-swap"] as const;

/** Result for several clones of one remote. `lost`, `doubled` and `wrong` must be empty. */
export interface SharedCrashReport {
  kills: number;
  acknowledged: number;
  byHand: number;
  lost: string[];
  doubled: string[];
  wrong: string[];
}

interface Shared {
  readonly remote: string;
  readonly clones: readonly string[];
}

const nothing = (): SharedCrashReport => ({ kills: 0, acknowledged: 0, byHand: 0, lost: [], doubled: [], wrong: [] });

const handIn = ({ environment }: CrashSetup) => {
  const person = ["-c", "user.name=Оля", "-c", "user.email=olia@example.org"];
  const options = (dir: string) => ({ cwd: dir, env: environment, encoding: "utf8" as const });
  return {
    run: (dir: string, ...args: string[]): string =>
      execFileSync("git", [...person, ...args], { ...options(dir), stdio: ["ignore", "pipe", "pipe"] }).trimEnd(),
    tries: (dir: string, ...args: string[]): boolean =>
      spawnSync("git", [...person, ...args], options(dir)).status === 0,
  };
};

/** A bare remote with one commit, and clones of it. */
function shared(setup: CrashSetup, count: number): Shared {
  const { run } = handIn(setup);
  const [remote, first] = [setup.folder(), setup.folder()];
  run(remote, "init", "-q", "--bare", "-b", "main");
  run(first, "init", "-q", "-b", "main");
  writeFileSync(join(first, "begin.md"), "begin\n");
  run(first, "add", ".");
  run(first, "commit", "-q", "-m", "Begin");
  run(first, "push", "-q", remote, "main");
  const clones = Array.from({ length: count }, () => {
    const dir = setup.folder();
    run(dir, "clone", "-q", remote, ".");
    return dir;
  });
  return { remote, clones };
}

/** Kills a process of one machine at each of these points while another machine commits, then opens the clone again. */
export async function killSharedAt(
  setup: CrashSetup,
  points: readonly RepoCrashPoint[] = [...remoteCrashPoints, ...FOLLOWING],
): Promise<SharedCrashReport> {
  const report = nothing();
  for (const crashAt of points) {
    const { remote, clones } = shared(setup, 2);
    // A fetch, and a ref without work tree, are passed by notes as well.
    const task = { dir: clones[0]!, ref: MAIN, remote, crashAt, nth: 2, notes: "refs/notes/trace" };
    const killed = startCommitter({ ...task, name: "killed", commits: 6 }, setup.environment);
    const other = startCommitter({ dir: clones[1]!, ref: MAIN, remote, name: "other", commits: 3 }, setup.environment);
    if ((await killed.end) !== "SIGKILL") report.wrong.push(`${crashAt} was not passed twice`);
    await other.end;
    report.kills++;
    await look(setup, { remote, clones }, [killed, other], report, crashAt);
  }
  return report;
}

/**
 * Two processes on each of two clones commit all the time, and one after the other is killed and replaced. A person commits in one
 * clone, and pushes from a clone of their own.
 */
export async function killSharedAtRandom(setup: CrashSetup, kills: number): Promise<SharedCrashReport> {
  const report = nothing();
  const ground = shared(setup, 3);
  const [one, other, own] = ground.clones as [string, string, string];
  const places = [one, one, other, other];
  const start = (place: number, name: string): CommitterProcess =>
    startCommitter(
      { dir: places[place]!, ref: MAIN, remote: ground.remote, name, commits: 100_000 },
      setup.environment,
    );
  const running = places.map((_, place) => start(place, `p${place}`));
  const all = [...running];
  const hands: string[] = [];
  for (; report.kills < kills; report.kills++) {
    const [which, commits, moment] = realWorld.random(3) as Uint8Array & [number, number, number];
    const place = which % places.length;
    await running[place]!.reached(commits % 3);
    await delay(moment / 2);
    running[place]!.child.kill("SIGKILL");
    await running[place]!.end;
    handWork(setup, { one, own }, report.kills, hands);
    running[place] = start(place, `k${report.kills}`);
    all.push(running[place]);
  }
  for (const process of running) {
    process.child.kill("SIGKILL");
    await process.end;
  }
  report.byHand = hands.length;
  await look(setup, { remote: ground.remote, clones: [one, other] }, all, report, "at the end");
  const subjects = handIn(setup).run(ground.remote, "log", "--format=%s", "main").split("\n");
  for (const hand of hands) if (!subjects.includes(hand)) report.lost.push(hand);
  return report;
}

/** One commit in the clone of a machine, and one pushed straight to the remote. Git may refuse both: then a person tries later. */
function handWork(
  setup: CrashSetup,
  { one, own }: { readonly one: string; readonly own: string },
  round: number,
  hands: string[],
): void {
  const { tries } = handIn(setup);
  writeFileSync(join(one, "here.md"), `${round}\n`);
  if (tries(one, "add", "here.md") && tries(one, "commit", "-q", "-m", `hand ${round} here`, "--", "here.md"))
    hands.push(`hand ${round} here`);
  if (!tries(own, "fetch", "-q", "origin", "main") || !tries(own, "reset", "-q", "--hard", "FETCH_HEAD")) return;
  writeFileSync(join(own, "there.md"), `${round}\n`);
  tries(own, "add", "there.md");
  tries(own, "commit", "-q", "-m", `hand ${round} there`);
  if (tries(own, "push", "-q", "origin", "main")) hands.push(`hand ${round} there`);
}

/** Opens every clone, as the next process would, and compares it with the remote. */
async function look(
  setup: CrashSetup,
  { remote, clones }: Shared,
  processes: readonly CommitterProcess[],
  report: SharedCrashReport,
  where: string,
): Promise<void> {
  const { run } = handIn(setup);
  const settings = { remote, fetch_seconds: 3600, timeout_seconds: 60 };
  // Twice: commits by hand of the second clone are merged after the first was looked at.
  for (const dir of [...clones, ...clones]) {
    const core = await openCore({ dir, environment: setup.environment }, { world: realWorld, shared: settings });
    await core.refresh();
    await core.follow();
    const blocked = await core.busy(MAIN);
    if (blocked) report.wrong.push(`${where}: ${blocked.en}`);
    await core.close();
  }
  const head = run(remote, "rev-parse", MAIN);
  for (const dir of clones) {
    if (run(dir, "rev-parse", MAIN) !== head) report.wrong.push(`${where}: a clone is not at the remote's main`);
    const status = run(dir, "status", "--porcelain").replace(/^.. here\.md$/m, "");
    if (status !== "") report.wrong.push(`${where}: git status says ${JSON.stringify(status)}`);
    const broken = run(dir, "fsck", "--strict", "--no-dangling");
    if (broken !== "") report.wrong.push(`${where}: git fsck says ${broken}`);
  }
  const history = new Set(run(remote, "rev-list", "main").split("\n"));
  const acknowledged = processes.flatMap((process) => process.acknowledged);
  report.acknowledged += acknowledged.length;
  report.lost.push(...acknowledged.filter((oid) => !history.has(oid)).map((oid) => `${where}: ${oid}`));
  const subjects = run(remote, "log", "--no-merges", "--format=%s", "main").split("\n");
  const seen = new Set<string>();
  for (const subject of subjects) {
    if (seen.has(subject)) report.doubled.push(`${where}: ${subject}`);
    seen.add(subject);
  }
}
