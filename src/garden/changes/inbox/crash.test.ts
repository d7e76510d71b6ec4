import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { fixedWorld } from "../../../base/testing/fixed-world.ts";
import { ranNode } from "../../../base/testing/ran-node.ts";
import { testProgram } from "../../../base/testing/test-program.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { closeFound, closeGarden, findGarden, type Garden, openGarden } from "../../core/garden.ts";
import { verifyGarden } from "../../insight/verify/verify.ts";
import { closed, gardenWith, git, scratch, testPorts } from "../../testing/scratch.ts";
import { decide } from "../proposals/decide.ts";
import { listPending } from "../proposals/list-proposals.ts";
import { recoverChanges } from "../recover-changes.ts";
import { type Act, acts } from "./testing/acts.ts";
import { accepted, audited, keysUnder } from "./testing/people.ts";

const script = testProgram(join(import.meta.dirname, "testing/dying-inbox.ts"));
const later = () => testPorts(fixedWorld("2026-02-14T10:00:00Z", 1));

interface Died {
  /** Undefined: it completed. */
  readonly point: string | undefined;
}
type Die = (dir: string, act: Act, at: number, id: string) => Promise<Died>;

/** Dies by `kill -9` in a child process. */
const killed: Die = async (dir, act, at, id) => {
  const child = await ranNode([script, dir, act, String(at), id]);
  if (child.signal !== "SIGKILL" && child.status !== 0) throw new Error(child.stderr);
  return { point: child.signal === "SIGKILL" ? child.stdout.trim().split("\n").at(-1) : undefined };
};

/** Stops at the crash point in this process, which is faster: confirmed writes are on disk, and nothing more is written. */
const abandoned: Die = async (dir, act, at, id) => {
  const garden = await openGarden(testPorts(fixedWorld("2026-02-14T09:00:00Z", 1)), dir);
  let [passed, point]: [number, string | undefined] = [0, undefined];
  const disarm = armCrashPoints((name) => {
    if (!/^(inbox|proposals|decide)\./.test(name) || passed++ < at) return;
    point ??= name;
    throw new Error("left standing");
  });
  await acts[act](garden, id).catch(() => undefined);
  disarm();
  await closeGarden(garden);
  return { point };
};

/** One in four is a real kill, which shows that stopping in this process is equivalent. */
const either: Die = (dir, act, at, id) => (at % 4 === 2 ? killed : abandoned)(dir, act, at, id);

/** Crashes an action at each of its points, each time in a copy of the garden, and returns the state after a restart. */
async function everywhere(
  die: Die,
  act: Act,
  prepare: (garden: Garden) => Promise<string>,
  look: (garden: Garden, dir: string, id: string) => Promise<unknown>,
): Promise<{ readonly points: string[]; readonly left: unknown[] }> {
  const { garden, dir } = await gardenWith({ "notes/a.md": "a\n" });
  const id = await prepare(garden);
  await closed({ garden });
  const top = scratch();
  const points: string[] = [];
  const left: unknown[] = [];
  for (let at = 0; ; at++) {
    const copy = join(top, String(at));
    cpSync(dir, copy, { recursive: true });
    const { point } = await die(copy, act, at, id);
    const again = await openGarden(later(), copy);
    await recoverChanges(again);
    left.push(await look(again, copy, id));
    await closeGarden(again);
    left.push(...(await findings(copy)));
    rmSync(copy, { recursive: true, force: true });
    if (point === undefined) return { points, left };
    points.push(point);
  }
}

async function findings(dir: string): Promise<string[]> {
  const found = await findGarden(later(), dir);
  try {
    return (await verifyGarden(found)).map(({ where, what }) => `${where} ${what.en}`);
  } finally {
    await closeFound(found);
  }
}

const waiting = async (garden: Garden): Promise<string[]> =>
  (await listPending(garden)).proposals.map(({ target }) => target);
const count = async (garden: Garden, folder: string): Promise<number> => (await keysUnder(garden.store, folder)).length;
const nothing = async (): Promise<string> => "";
const made = async (garden: Garden): Promise<string> => (await accepted(garden)).id;

describe("P-2 dying at every point", () => {
  test("a request that dies at any point becomes one proposal with one audit record", async () => {
    const { points, left } = await everywhere(either, "submit", nothing, async (garden) => [
      await waiting(garden),
      await count(garden, "inbox/pending/"),
      await count(garden, "inbox/processed/"),
      await audited(garden.store),
    ]);
    expect(points).toEqual([
      "inbox.pending",
      "inbox.correlated",
      "inbox.claimed",
      "inbox.proposed",
      "inbox.told",
      "inbox.decided-by-rule",
      "inbox.processed",
      "inbox.done",
    ]);
    expect(left).toEqual([...points, "end"].map(() => [["notes/new.md"], 0, 1, ["proposed owner"]]));
  });

  test("a refusal that dies at any point is filed once under rejected/ with one audit record", async () => {
    const { points, left } = await everywhere(either, "refuse", nothing, async (garden) => [
      await count(garden, "inbox/pending/"),
      await count(garden, "inbox/rejected/"),
      await audited(garden.store),
    ]);
    expect(points).toEqual(["inbox.pending", "inbox.correlated", "inbox.rejected", "inbox.refusal-told"]);
    expect(left).toEqual([...points, "end"].map(() => [0, 1, ["refused owner"]]));
  });
});

describe("P-6 dying at every point", () => {
  test("a rejection that dies at any point has its audit record after recovery", async () => {
    const { points, left } = await everywhere(either, "reject", made, async (garden) => [
      await waiting(garden),
      await count(garden, "proposals/rejected/"),
      await audited(garden.store),
    ]);
    expect(points).toEqual(["proposals.appended", "proposals.told", "proposals.view-put", "proposals.claim-released"]);
    expect(left).toEqual([...points, "end"].map(() => [[], 1, ["proposed owner", "decided owner"]]));
  });

  test("P-6a a withdrawal that dies at any point leaves the proposal approved or pending, in one list and with its audit records", async () => {
    const approvedInGrace = async (garden: Garden): Promise<string> => {
      const { id, digest } = await accepted(garden);
      const [by, graceMs] = [commandLineOwner, 24 * 3_600_000];
      await decide(garden, { proposal: id, verdict: "approve", digest, by, graceMs });
      return id;
    };
    const { points, left } = await everywhere(either, "withdraw", approvedInGrace, async (garden, dir) => [
      (await waiting(garden)).length + 10 * (await count(garden, "proposals/approved/")),
      (await audited(garden.store)).filter((each) => each.startsWith("withdrawn")).length,
      git(dir, "rev-list", "--count", "main"),
    ]);
    expect(points).toEqual(["proposals.appended", "proposals.told", "proposals.view-put", "proposals.claim-released"]);
    expect(left).toEqual([...points, "end"].map(() => [1, 1, "1"]));
  });

  test("P-10a an edit that dies at any point never applies both proposals, and repeating it completes it", async () => {
    const seen = async (garden: Garden, dir: string): Promise<string> => {
      const commits = Number(git(dir, "rev-list", "--count", "main")) - 1;
      const text = commits === 0 ? "" : git(dir, "show", "main:notes/new.md");
      return `${(await waiting(garden)).length} waiting, ${commits} applied ${text}`.trim();
    };
    const { points, left } = await everywhere(abandoned, "edit", made, async (garden, dir, id) => {
      const before = await seen(garden, dir);
      await acts.edit(garden, id);
      return [before, await seen(garden, dir)];
    });
    const done = "0 waiting, 1 applied newer";
    const befores = new Set(left.map((each) => (each as string[])[0]));
    expect(points.length).toBeGreaterThan(12);
    expect(left.map((each) => (each as string[])[1])).toEqual([...points, "end"].map(() => done));
    expect(befores).toEqual(new Set(["2 waiting, 0 applied", "1 waiting, 0 applied", done]));
  });
});
