import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diskFolders } from "../../adapters/folder/disk-folder.ts";
import { gitRepos } from "../../adapters/repo/git/repos.ts";
import { byHand, environment, scratch } from "../../adapters/repo/git/testing/scratch.ts";
import { realWorld } from "../../base/world.ts";
import { sessionBranch } from "../../domain/layout.ts";
import type { SessionGarden } from "./session-garden.ts";
import { spawnSessionFrom } from "./spawn-session.ts";
import { committed } from "./testing/branch-checks.ts";
import { codeOf, spawned } from "./testing/space.ts";
import { say, textsOf, traced } from "./testing/trace-checks.ts";
import { sessionHead } from "./topology.ts";

test("S-2 S-3 S-6 sessions of two clones share one remote, and nothing moves while it is away", async () => {
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
  const [a, b] = [await clone(), await clone()];
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
