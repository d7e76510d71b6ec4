import { cpSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { byHand, scratch } from "../../adapters/repo/git/testing/scratch.ts";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { isThorough } from "../../base/testing/tries.ts";
import { sessionBranch, sessionDossier } from "../../domain/layout.ts";
import { MERGES, SUB_AGENT_OF } from "../../domain/session/edges.ts";
import type { Repo } from "../../ports/repo.ts";
import { adoptSession } from "./adopt-session.ts";
import { archivedSessions, archiveSession, deleteArchived, restoreSession } from "./archive-session.ts";
import { edgeEvents, readEdges, relateSessions } from "./edge-stream.ts";
import { mergeSession } from "./merge-session.ts";
import type { SessionFinding } from "./session-finding.ts";
import { sessionFindings } from "./session-findings.ts";
import type { SessionGarden } from "./session-garden.ts";
import { listSessions, showSession } from "./session-views.ts";
import { spawnSession, spawnSessionFrom } from "./spawn-session.ts";
import { committed } from "./testing/branch-checks.ts";
import { codeOf, newSpace, reopened, type SessionSpace, spawned } from "./testing/space.ts";
import { say, traced } from "./testing/trace-checks.ts";
import { briefingOf, sessionHeads } from "./topology.ts";
import { pendingTrace } from "./trace-buffer.ts";
import { sessionTraces, traceHistory } from "./traces.ts";

/** Repairs what can be repaired, in the order in which it is found, as `bloom verify --repair` does; the places. */
async function repairSessions(garden: SessionGarden): Promise<readonly string[]> {
  const found: SessionFinding[] = [];
  for await (const finding of sessionFindings(garden)) found.push(finding);
  const open = found.filter(({ repair }) => repair);
  for (const { repair } of open) await repair!();
  return open.map(({ where }) => where);
}

const LATER = fixedWorld("2026-03-14T08:00:00Z", 1000);

/**
 * A repository whose next move of several refs stops after `count` of them, as a crash between two renames does. All objects are on disk
 * before the first rename.
 */
const stopsAfter = (repo: Repo, count: number, refs = 2): Repo => ({
  ...repo,
  async move(moves) {
    if (moves.length < 2) return repo.move(moves);
    expect(moves).toHaveLength(refs);
    for (const { to } of moves) {
      if (to === undefined) continue;
      await repo.move([{ ref: "refs/scratch/x", from: undefined, to }]);
      await repo.move([{ ref: "refs/scratch/x", from: to, to: undefined }]);
    }
    for (const move of moves.slice(0, count)) await repo.move([move]);
    throw new Error("killed");
  },
});

/** Everything that sessions show, in use and in the archive. */
async function stateOf(space: SessionGarden): Promise<object> {
  const heads = await sessionHeads(space.repo);
  const sessions = await Promise.all(
    heads.map(async ({ name }) => ({
      name,
      kinds: (await showSession(space, name)).commits.map(({ kind }) => kind),
      goal: (await briefingOf(space.repo, name))?.goal,
      texts: (await sessionTraces(space.repo, name)).flatMap(({ traces }) =>
        traces.flatMap(({ entries }) => entries.map(({ text }) => text)),
      ),
      pending: (await pendingTrace(space, name)).entries.map(({ text }) => text),
    })),
  );
  return {
    sessions,
    archived: (await archivedSessions(space.repo)).map(({ name }) => name),
    edges: (await readEdges(space.repo)).all(),
  };
}

/** A parent, a sub-agent with work to merge, an archived session that merged, and a branch that a person made. */
async function made(): Promise<SessionSpace> {
  const space = await newSpace();
  await spawned(space, "scout");
  await spawnSessionFrom(space, "scout", { name: "helper", briefing: { goal: "Help" } });
  await committed(space, "helper", { h: "1" });
  await spawned(space, "old");
  await mergeSession(space, { into: "old", from: "helper" });
  await archiveSession(space, "old");
  space.git("branch", "agents/mine", "agents/helper");
  await say(space, "said");
  return space;
}

let template: Promise<string> | undefined;

async function ground(): Promise<SessionSpace> {
  template ??= made().then(async ({ dir, repo }) => {
    await repo.close();
    return dir;
  });
  const dir = scratch();
  cpSync(await template, dir, { recursive: true });
  return reopened(dir);
}

const ends = new Map<string, Promise<object>>();
/** The state after an act that nothing interrupted. */
const endOf = (name: string, act: (space: SessionGarden) => Promise<unknown>): Promise<object> => {
  const known = ends.get(name) ?? ground().then((whole) => act(whole).then(() => stateOf(whole)));
  ends.set(name, known);
  return known;
};

const acts: readonly (readonly [name: string, refs: number, act: (space: SessionGarden) => Promise<unknown>])[] = [
  ["spawn", 2, (space) => spawnSession(space, { name: "new", briefing: { goal: "New" } })],
  ["spawn-from", 3, (space) => spawnSessionFrom(space, "scout", { name: "new", briefing: { goal: "New" } })],
  ["commit with trace", 2, (space) => traced(space, "scout", { a: "1" })],
  ["merge", 2, (space) => mergeSession(space, { into: "scout", from: "helper" })],
  ["archive", 4, (space) => archiveSession(space, "helper")],
  ["restore", 4, (space) => restoreSession(space, "old")],
  ["delete", 3, (space) => deleteArchived(space, "old")],
  ["adopt", 3, (space) => adoptSession(space, { name: "mine", goal: "Mine" })],
];
const prefixes = acts.flatMap(([name, refs, act]) =>
  Array.from({ length: refs - 1 }, (_, index) => ({ name, act, refs, count: index + 1 })),
);

describe("S-2 S-4 S-6 after a crash", () => {
  test.each(prefixes)(
    "N1. N2. $name killed after $count renames is repaired to one of the two legal ends",
    async ({ name, act, refs: all, count }) => {
      const space = await ground();
      const before = await stateOf(space);
      await expect(act({ ...space, repo: stopsAfter(space.repo, count, all) })).rejects.toThrow("killed");
      const again = await reopened(space.dir, { world: LATER });
      await repairSessions(again);
      const repaired = await stateOf(again);
      const refs = again.git("for-each-ref");
      expect(await repairSessions(again)).toEqual([]);
      expect(again.git("for-each-ref")).toBe(refs);
      expect([before, await endOf(name, act)]).toContainEqual(repaired);
      if (isThorough) expect(again.git("fsck", "--strict", "--no-dangling")).toBe("");
    },
  );

  test("N1. a spawn under way is left alone, and a sound space has no finding", async () => {
    const space = await ground();
    await expect(
      spawnSession({ ...space, repo: stopsAfter(space.repo, 1) }, { name: "new", briefing: { goal: "New" } }),
    ).rejects.toThrow("killed");
    expect(await repairSessions(space)).toEqual([]);
    expect(await space.repo.resolve(sessionDossier("new"))).not.toBe(undefined);
  });
});

describe("S-2 S-4 what people do with plain git", () => {
  test("a branch that a person deleted: the dossier goes to the archive, its edges are taken back, and the name is free", async () => {
    const space = await ground();
    space.git("branch", "-q", "-D", "agents/helper");
    const again = await reopened(space.dir, { world: LATER });
    expect(await repairSessions(again)).toEqual([sessionDossier("helper"), "refs/agentic/edges"]);
    expect((await readEdges(again.repo)).all()).toEqual([{ kind: MERGES, from: "old", to: "helper" }]);
    expect(await spawnSession(again, { name: "helper", briefing: { goal: "Again" } })).toMatchObject({
      kind: "spawned",
    });
  });

  test("a dossier that a person deleted or damaged is made again", async () => {
    const space = await ground();
    space.git("update-ref", "-d", sessionDossier("helper"));
    space.git("update-ref", sessionDossier("scout"), space.git("rev-parse", "agents/helper"));
    expect(await repairSessions(space)).toEqual([sessionDossier("helper"), sessionDossier("scout")]);
    expect((await briefingOf(space.repo, "helper"))?.goal).toBe("Help");
    expect((await briefingOf(space.repo, "scout"))?.goal).toBe("Goal of scout");
    expect(await repairSessions(space)).toEqual([]);
  });

  test("N3. a deleted session leaves nothing for gc to keep; what others share stays", async () => {
    const space = await ground();
    const briefing = space.git("rev-parse", `${sessionDossier("helper")}:briefing.json`);
    const { head } = await archiveSession(space, "helper");
    await deleteArchived(space, "helper");
    const edges = (await readEdges(space.repo)).all();
    await space.repo.close();
    space.git("branch", "-q", "-D", "agents/mine");
    space.git("reflog", "expire", "--expire=now", "--all");
    space.git("gc", "--quiet", "--prune=now");
    const has = (id: string): boolean => space.git("cat-file", "--batch-check", "--batch-all-objects").includes(id);
    // The archived session merged the work of the deleted one: its commits stay.
    expect([has(briefing), has(head), edges]).toEqual([false, true, []]);
    expect(space.git("fsck", "--strict", "--no-dangling")).toBe("");
  });

  test("N4. a name that differs only in case or Unicode form from an existing branch is refused", async () => {
    const space = await newSpace();
    await spawned(space, "scout");
    space.git("branch", "agents/Helper", "agents/scout");
    const wish = { briefing: { goal: "g" } };
    expect(await spawnSession(space, { name: "helper", ...wish })).toMatchObject({ ref: sessionBranch("Helper") });
    expect(await codeOf(spawnSession(space, { name: "ｈelper", ...wish }))).toBe("VALIDATION_FAILED");
  });

  test("N28. edges rebuilt from the commits equal the event stream, and a difference is found and repaired", async () => {
    const space = await ground();
    await relateSessions(space, { kind: "reviews", from: "scout", to: "helper" });
    const found = async (): Promise<string[]> => {
      const all: string[] = [];
      for await (const { what } of sessionFindings(space)) all.push(what.en);
      return all;
    };
    expect(await found()).toEqual([]);
    const events = (await edgeEvents(space.repo)).length;
    await relateSessions(space, { kind: SUB_AGENT_OF, from: "scout", to: "helper" });
    expect(await found()).toEqual(["the edge scout sub-agent-of helper is in the stream and in no commit"]);
    await repairSessions(space);
    space.git("update-ref", "refs/agentic/edges", "refs/agentic/edges~4"); // a person rewrote the stream
    const again = await reopened(space.dir);
    expect((await repairSessions(again)).length).toBeGreaterThan(0);
    expect(await repairSessions(again)).toEqual([]);
    expect((await readEdges(again.repo)).all().filter(({ kind }) => kind !== "reviews")).toEqual([
      { kind: SUB_AGENT_OF, from: "helper", to: "scout" },
      { kind: MERGES, from: "old", to: "helper" },
    ]);
    expect(events).toBe(3);
  });

  test("N30. a plain clone shows the goal of every session in its spawn commit", async () => {
    const space = await ground();
    const clone = join(scratch(), "clone");
    byHand(space.dir, "clone", "-q", space.dir, clone);
    const goal = (name: string): string =>
      byHand(clone, "log", "--format=%b", "--grep=^spawn: ", "--max-count=1", `origin/agents/${name}`);
    expect([goal("scout"), goal("helper")]).toEqual([
      expect.stringMatching(/^Goal of scout\n/),
      expect.stringMatching(/^Help\n/),
    ]);
  });

  test("N32. opening a space and reading it writes nothing", async () => {
    const space = await ground();
    await space.repo.close();
    const files = (): string[] =>
      (readdirSync(space.dir, { recursive: true }) as string[])
        .map((path) => [path, statSync(join(space.dir, path))] as const)
        .filter(([, stat]) => stat.isFile())
        .map(([path, { mtimeMs, size }]) => `${path} ${mtimeMs} ${size}`)
        .toSorted();
    const before = files();
    const again = await reopened(space.dir);
    await stateOf(again);
    await listSessions(again.repo);
    await traceHistory(again.repo, (await sessionHeads(again.repo))[0]!.head);
    for await (const finding of sessionFindings(again)) throw new Error(finding.what.en);
    await again.repo.close();
    expect(files()).toEqual(before);
  });
});
