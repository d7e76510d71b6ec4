import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { realWorld } from "../../../base/world.ts";
import type { Repo } from "../../../ports/repo.ts";
import { gitRepos } from "./repos.ts";
import { byHand, environment, scratch } from "./testing/scratch.ts";
import { gardener } from "./testing/signatures.ts";

const repos = gitRepos({ environment, world: realWorld });
const opened: Repo[] = [];
afterEach(async () => {
  for (const repo of opened.splice(0)) await repo.close();
});

async function garden(files: Record<string, string>): Promise<{ dir: string; repo: Repo }> {
  const dir = scratch();
  for (const [path, text] of Object.entries(files)) writeFileSync(join(dir, path), text);
  await repos.init(dir);
  await repos.commitEverything(dir, { author: gardener, committer: gardener, message: "Begin" });
  const repo = await repos.open(dir);
  opened.push(repo);
  return { dir, repo };
}

async function write(repo: Repo, path: string, text: string): Promise<string> {
  const from = await repo.resolve("refs/heads/main");
  const to = await repo.build({
    parents: from ? [from] : [],
    edits: [{ path, bytes: Buffer.from(text) }],
    author: gardener,
    committer: gardener,
    message: `Write ${path}`,
  });
  expect(await repo.move([{ ref: "refs/heads/main", from, to }])).toMatchObject({ kind: "moved" });
  return to;
}

describe("a whole repository", () => {
  test("goes from a folder of files through commits, upkeep and a backup to another folder (G-8)", async () => {
    const { dir, repo } = await garden({ "нотатка.md": "one\n" });
    const head = await write(repo, "logic.md", "v1\n");
    await repo.annotate("refs/notes/trace", head, Buffer.from("{}\n"), gardener);
    expect(byHand(dir, "status", "--porcelain")).toBe("");
    await repo.maintain();
    const file = join(scratch(), "garden.bundle");
    await repo.bundle(file);
    const other = scratch();
    await repos.unbundle(other, file);
    const copy = await repos.open(other);
    opened.push(copy);
    expect(await copy.refs("refs/")).toEqual(await repo.refs("refs/"));
    expect(Buffer.from((await copy.annotation("refs/notes/trace", head))!).toString()).toBe("{}\n");
    expect(readFileSync(join(other, "logic.md"), "utf8")).toBe("v1\n");
    expect(await copy.uncommitted()).toEqual([]);
    expect(await copy.inspect({ everything: true })).toEqual([]);
    expect(await repos.look(other)).toEqual({ kind: "repository", branch: "main", head, underWay: undefined });
  });

  test("exchanges its work with another garden through a shared remote", async () => {
    const { repo: mine } = await garden({ "a.md": "one\n" });
    const hub = { name: "hub", url: scratch() };
    byHand(hub.url, "init", "-q", "--bare", "-b", "main");
    expect(await mine.pull(hub, "main", gardener)).toEqual({ kind: "up-to-date" });
    expect(await mine.push(hub, ["refs/heads/main"])).toEqual({ kind: "pushed" });
    const dir = scratch();
    await repos.init(dir);
    const yours = await repos.open(dir);
    opened.push(yours);
    expect(await yours.pull(hub, "main", gardener)).toMatchObject({ kind: "pulled", merged: false });
    expect(readFileSync(join(dir, "a.md"), "utf8")).toBe("one\n");
    await write(yours, "b.md", "two\n");
    await write(mine, "c.md", "three\n");
    expect(await yours.push(hub, ["refs/heads/main"])).toEqual({ kind: "pushed" });
    expect(await mine.push(hub, ["refs/heads/main"])).toEqual({ kind: "rejected", refs: ["refs/heads/main"] });
    expect(await mine.pull(hub, "main", gardener)).toMatchObject({ kind: "pulled", merged: true });
    expect(await mine.push(hub, ["refs/heads/main"])).toEqual({ kind: "pushed" });
    expect((await mine.fetch(hub)).refs).toEqual([
      { name: "refs/remotes/hub/heads/main", oid: await mine.resolve("refs/heads/main") },
    ]);
  });

  test("is maintained after some moves, and closing waits for the maintenance", async () => {
    const { dir, repo: first } = await garden({ "a.md": "one\n" });
    await first.close();
    byHand(dir, "repack", "-q", "-a", "-d"); // a pack without a commit graph
    const graph = join(dir, ".git/objects/info/commit-graphs/commit-graph-chain");
    const repo = await gitRepos({ environment, world: realWorld, maintainEvery: 3 }).open(dir);
    opened.push(repo);
    for (const text of ["two\n", "three\n"]) await write(repo, "a.md", text);
    expect(existsSync(graph)).toBe(false);
    await write(repo, "a.md", "four\n");
    await repo.close();
    expect({ hasGraph: existsSync(graph), fsck: byHand(dir, "fsck", "--strict") }).toEqual({
      hasGraph: true,
      fsck: "",
    });
  });

  test("reports its health: the version of git, and abandoned locks", async () => {
    const { dir, repo } = await garden({ "a.md": "one\n" });
    expect(await repo.health()).toMatchObject({ ok: true, version: expect.stringMatching(/^git \d/), remarks: [] });
    mkdirSync(join(dir, ".git/refs/heads/agents"), { recursive: true });
    const lock = join(dir, ".git/refs/heads/agents/x.lock");
    writeFileSync(lock, "");
    utimesSync(lock, 1000, 1000);
    const { ok, remarks } = await repo.health();
    expect(ok).toBe(true);
    expect(remarks).toMatchObject([{ en: expect.stringMatching(/^refs\/heads\/agents\/x\.lock: /) }]);
  });
});
