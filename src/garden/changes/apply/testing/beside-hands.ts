import { appendFileSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeded } from "../../../../base/testing/seeded.ts";
import { closeGarden, openGarden } from "../../../core/garden.ts";
import { initGarden } from "../../../life/init.ts";
import { files, git, testPorts } from "../../../testing/scratch.ts";
import { resumeApplying } from "../apply-proposal.ts";
import { HandWork, type HandWorkSizes } from "./hand-work.ts";
import { runScript } from "./run-life.ts";

export interface BesideHands extends HandWorkSizes {
  readonly applies: number;
  readonly kills: number;
}

export interface BesideHandsReport {
  readonly applied: number;
  /** Changes recorded as failed because a person had amended their commit. Each is on main. */
  readonly amended: number;
  readonly kills: number;
  readonly handCommits: number;
  /** Commands that git refused because we held its lock or moved main. The person repeated them. */
  readonly handRefusals: number;
  /** From the approval until the change was on main, in milliseconds. */
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly broken: readonly string[];
}

/** The note that the n-th proposal makes. */
const noteOf = (number: number) => ({ number, path: `notes/p${number}.md`, text: `proposal ${number}\n` });

/** Fewer crash points than a process passes while it applies one note, so that it is killed before it is done. */
const POINTS_PER_NOTE = 25;

/**
 * G-5: proposals are applied by a process that is killed again and again at a crash point, while a person works with git without
 * pause. At the end every change must be on main, and every edit of the person where it was made.
 */
export async function applyBesideHands(seed: number, wanted: BesideHands): Promise<BesideHandsReport> {
  const aside = realpathSync(mkdtempSync(join(tmpdir(), "beside-")));
  const dir = join(aside, "garden");
  const random = seeded(seed);
  files(dir, { "notes/first.md": "first\n" });
  await initGarden(testPorts(), dir, { language: "en", name: "Beside hands" });
  appendFileSync(join(dir, "garden.yaml"), "limits:\n  owner_per_minute: 100000\n");
  git(dir, "commit", "-qam", "No limit for the owner");
  const hands = new HandWork(dir, aside, seeded(seed + 1), wanted);
  hands.start();
  try {
    const { times, kills, amended } = await applyAll(dir, random, wanted);
    const broken: string[] = [];
    await hands.stop();
    const garden = await openGarden(testPorts(), dir);
    await resumeApplying(garden);
    await closeGarden(garden);
    for (let number = 0; number < wanted.applies; number++)
      if (textOnMain(dir, noteOf(number).path) !== noteOf(number).text.trimEnd())
        broken.push(`${noteOf(number).path} was applied and is not on main`);
    broken.push(...(await hands.lost()));
    const status = git(dir, "status", "--short");
    if (status !== "") broken.push(`git status says ${JSON.stringify(status)}`);
    times.sort((a, b) => a - b);
    return {
      applied: times.length,
      amended,
      kills,
      handCommits: hands.counts.commits,
      handRefusals: hands.counts.refused,
      medianMs: times[times.length >> 1] ?? 0,
      p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
      broken,
    };
  } finally {
    await hands.stop().catch(() => undefined); // the first error is thrown
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Applies the notes of all numbers, in processes of which the first ones are killed. */
async function applyAll(dir: string, random: () => number, { applies, kills: wantedKills }: BesideHands) {
  const left = new Set(Array.from({ length: applies }, (_, number) => number));
  const times: number[] = [];
  let [kills, amended] = [0, 0];
  while (left.size > 0) {
    const isLast = kills >= wantedKills;
    const count = isLast ? left.size : Math.max(1, Math.round(left.size / (wantedKills - kills)));
    // Some processes die early, while they resume; some would die later than they live.
    const at = isLast ? -1 : Math.floor(random() * POINTS_PER_NOTE * count);
    const { lines, killed } = await runScript("applier.ts", [
      dir,
      String(at),
      JSON.stringify([...left].slice(0, count).map(noteOf)),
    ]);
    kills += Number(killed);
    for (const line of lines) {
      const { number, status, ms } = JSON.parse(line) as { number: number; status: string; ms: number };
      left.delete(number);
      times.push(ms);
      // A person may amend our commit before a killed process has recorded it: then the next one finds nothing left to do.
      if (status !== "applied") amended++;
    }
  }
  await runScript("applier.ts", [dir, "-1", "[]"]); // the last one may have left its lock
  return { times, kills, amended };
}

function textOnMain(dir: string, path: string): string | undefined {
  try {
    return git(dir, "show", `main:${path}`);
  } catch {
    return undefined;
  }
}
