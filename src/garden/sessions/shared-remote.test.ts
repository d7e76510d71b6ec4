import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diskFolders } from "../../adapters/folder/disk-folder.ts";
import { isProcessAlive } from "../../adapters/process-mark.ts";
import { runProgram } from "../../adapters/program/run-program.ts";
import { gitRepos } from "../../adapters/repo/git/repos.ts";
import { byHand, environment, scratch } from "../../adapters/repo/git/testing/scratch.ts";
import { realWorld } from "../../base/world.ts";
import { sessionBranch } from "../../domain/layout.ts";
import { MERGES } from "../../domain/session/edges.ts";
import type { ProgramCall } from "../../ports/program.ts";
import { archivedSessions, archiveSession } from "./archive-session.ts";
import { readEdges } from "./edge-stream.ts";
import { execInSession } from "./exec-session.ts";
import { mergeSession } from "./merge-session.ts";
import type { SessionGarden } from "./session-garden.ts";
import { spawnSessionFrom } from "./spawn-session.ts";
import { committed } from "./testing/branch-checks.ts";
import { codeOf, spawned } from "./testing/space.ts";
import { say, textsOf, traced } from "./testing/trace-checks.ts";
import { sessionHead } from "./topology.ts";
import { recordTrace } from "./trace-buffer.ts";

/** A remote with one commit, and two clones that share it. */
async function twoClones(): Promise<{ readonly remote: string; readonly a: SessionGarden; readonly b: SessionGarden }> {
  const remote = join(scratch(), "remote.git");
  byHand(scratch(), "init", "-q", "--bare", "-b", "main", remote);
  const seed = scratch();
  byHand(seed, "clone", "-q", remote, "x");
  byHand(join(seed, "x"), "commit", "-q", "--allow-empty", "-m", "Begin");
  byHand(join(seed, "x"), "push", "-q", "origin", "HEAD:main");
  const clone = async (): Promise<SessionGarden> => {
    const dir = join(scratch(), "clone");
    byHand(seed, "clone", "-q", remote, dir);
    const shared = { remote, fetch_seconds: 60, timeout_seconds: 60 };
    const repo = await gitRepos({ environment, world: realWorld }).open(dir, shared);
    return { repo, world: realWorld, folder: diskFolders({ world: realWorld }).at(dir), secrets: () => [] };
  };
  return { remote, a: await clone(), b: await clone() };
}

test("S-2 S-3 S-6 sessions of two clones share one remote, and nothing moves while it is away", async () => {
  const { remote, a, b } = await twoClones();
  try {
    await spawned(a, "scout");
    await say(a, "said on the first machine");
    const commit = await traced(a, "scout", { a: "1" });
    await b.repo.refresh();
    expect([await sessionHead(b.repo, "scout"), await textsOf(b, commit)]).toEqual([
      commit,
      ["said on the first machine"],
    ]);
    await say(b, "said on the second");
    expect(await textsOf(b, await traced(b, "scout", { a: "2" }))).toEqual(["said on the second"]);
    expect(await spawnSessionFrom(b, "scout", { name: "helper", briefing: { goal: "g" } })).toMatchObject({
      kind: "spawned",
    });
    const refs = byHand(remote, "for-each-ref", "--format=%(refname)", "refs/heads/agents", "refs/agentic").split("\n");
    expect(refs).toHaveLength(5);
    renameSync(remote, `${remote}-away`);
    const head = await sessionHead(b.repo, "scout");
    expect(await codeOf(committed(b, "scout", { a: "3" }))).toBe("UPSTREAM_UNAVAILABLE");
    expect(await b.repo.resolve(sessionBranch("scout"))).toBe(head);
  } finally {
    await Promise.all([a.repo.close(), b.repo.close()]);
  }
});

test("S-5 S-2 a merge, an archive and the work of a program go through the remote, and the other clone sees them", async () => {
  const { remote, a, b } = await twoClones();
  try {
    await spawned(a, "scout");
    await spawnSessionFrom(a, "scout", { name: "helper", briefing: { goal: "g" } });
    await committed(a, "helper", { h: "1" });
    await b.repo.refresh();
    await committed(b, "scout", { s: "1" });
    const merged = await mergeSession(b, { into: "scout", from: "helper" });
    await a.repo.refresh();
    expect([merged.kind, await sessionHead(a.repo, "scout")]).toEqual(["merged", await sessionHead(b.repo, "scout")]);
    expect((await readEdges(a.repo)).has({ kind: MERGES, from: "scout", to: "helper" })).toBe(true);
    // Two merge at once: one lands, the other hears that the head is another one.
    await committed(a, "helper", { h: "2" });
    await b.repo.refresh();
    const both = await Promise.all([a, b].map((each) => mergeSession(each, { into: "scout", from: "helper" })));
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(["conflict", "merged"]);
    await a.repo.refresh();
    const command = ["sh", "-c", "echo p > p.md"];
    const host = {
      run: (call: ProgramCall) => runProgram({ environment, show: () => undefined }, call),
      isAlive: isProcessAlive,
    };
    const { commits } = await execInSession(a, { session: "scout", command }, host);
    await archiveSession(a, "helper");
    await b.repo.refresh();
    expect([await sessionHead(b.repo, "scout"), (await archivedSessions(b.repo)).map(({ name }) => name)]).toEqual([
      commits[0],
      ["helper"],
    ]);
    expect(byHand(remote, "for-each-ref", "--format=%(refname)", "refs/heads/agents")).toBe("refs/heads/agents/scout");
    renameSync(remote, `${remote}-away`);
    expect(await codeOf(execInSession(a, { session: "scout", command }, host))).toBe("UPSTREAM_UNAVAILABLE");
  } finally {
    await Promise.all([a.repo.close(), b.repo.close()]);
  }
});

test("N27. commits of two clones with their traces land whole while the other one moves the notes", async () => {
  const { remote, a, b } = await twoClones();
  try {
    await Promise.all([spawned(a, "scout"), spawned(b, "helper")]);
    const work = async (garden: SessionGarden, name: string): Promise<string[]> => {
      const made: string[] = [];
      for (const text of ["1", "2", "3"]) {
        await recordTrace(garden, name, { kind: "say", text: `${name} ${text}` });
        made.push(await traced(garden, name, { a: text }));
      }
      return made;
    };
    const made = (await Promise.all([work(a, "scout"), work(b, "helper")])).flat();
    const noted = byHand(remote, "notes", "--ref=trace", "list")
      .split("\n")
      .map((line) => line.split(" ")[1]!);
    expect(noted.toSorted()).toEqual(made.toSorted());
    for (const commit of made) expect(byHand(remote, "cat-file", "-t", commit)).toBe("commit");
    expect(byHand(remote, "fsck", "--strict", "--no-dangling")).toBe("");
  } finally {
    await Promise.all([a.repo.close(), b.repo.close()]);
  }
});
