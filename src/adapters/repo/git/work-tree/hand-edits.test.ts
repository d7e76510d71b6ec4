import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { realWorld } from "../../../../base/world.ts";
import type { Repo } from "../../../../ports/repo.ts";
import { gitRepos } from "../repos.ts";
import { byHand, environment, scratch } from "../testing/scratch.ts";
import { gardener } from "../testing/signatures.ts";

const repos = gitRepos({ environment, world: realWorld });

function garden(): string {
  const dir = scratch();
  byHand(dir, "init", "-q", "-b", "main");
  mkdirSync(join(dir, "notes"));
  writeFileSync(join(dir, "notes/a.md"), "- [ ] water\n");
  byHand(dir, "add", ".");
  byHand(dir, "commit", "-qm", "first");
  return dir;
}

async function commit(repo: Repo, path: string, text: string, ref = "refs/heads/main"): Promise<string> {
  const from = await repo.resolve(ref);
  const to = await repo.build({
    parents: from ? [from] : [],
    edits: [{ path, bytes: Buffer.from(text) }],
    author: gardener,
    committer: gardener,
    message: path,
  });
  return (await repo.move([{ ref, from, to }])).kind;
}

test("G-5 git still sees a manual edit made in the same second as a commit, after our next commit", async () => {
  const dir = garden();
  const repo = await repos.open(dir);
  await pause(1000 - (Date.now() % 1000)); // a second begins
  expect(await commit(repo, "notes/a.md", "- [ ] weed \n")).toBe("moved");
  writeFileSync(join(dir, "notes/a.md"), "- [x] weed \n"); // in place, of the same length
  await pause(1100);
  expect(await commit(repo, "notes/b.md", "b\n")).toBe("moved");
  const seen = {
    status: byHand(dir, "status", "--short"),
    uncommitted: (await repo.uncommitted()).map(({ path }) => path),
  };
  await repo.close();
  expect(seen).toEqual({ status: " M notes/a.md", uncommitted: ["notes/a.md"] });
});

test("G-5 a branch that is checked out in another work tree is not moved", async () => {
  const dir = garden();
  byHand(dir, "worktree", "add", "-q", "-b", "agents/a", join(scratch(), "other"));
  const repo = await repos.open(dir);
  const moving = commit(repo, "notes/a.md", "ours\n", "refs/heads/agents/a");
  await expect(moving).rejects.toMatchObject({
    code: "CONCURRENT_MODIFICATION",
    text: { en: expect.stringContaining("another work tree") },
  });
  expect(await commit(repo, "notes/a.md", "ours\n")).toBe("moved");
  await repo.close();
});

test("a pulled commit cannot write files into the machine's folder, nor names that are not UTF-8", async () => {
  for (const [name, plant] of [
    [
      "the machine's folder",
      (at: string): void => {
        mkdirSync(join(at, ".bloom"));
        writeFileSync(join(at, ".bloom/keys"), "evil");
      },
    ],
    [
      "a name that is not text",
      (at: string): void => void execFileSync("bash", ["-c", "echo x > $'notes/\\xff.md'"], { cwd: at }),
    ],
  ] as const) {
    const dir = garden();
    const other = join(scratch(), "clone");
    byHand(dir, "clone", "-q", dir, other);
    plant(other);
    byHand(other, "add", "-f", ".");
    byHand(other, "commit", "-qm", "evil");
    const repo = await repos.open(dir);
    const pulling = repo.pull({ name: "other", url: other }, "main", gardener);
    await expect(pulling, name).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    await repo.close();
    expect({
      planted: existsSync(join(dir, ".bloom/keys")),
      history: byHand(dir, "log", "--format=%s"),
      status: byHand(dir, "status", "--short"),
    }).toEqual({ planted: false, history: "first", status: "" });
  }
});

test("a sparse index stays sparse", async () => {
  const dir = garden();
  mkdirSync(join(dir, "deep"));
  writeFileSync(join(dir, "deep/c.md"), "c\n");
  byHand(dir, "add", ".");
  byHand(dir, "commit", "-qm", "deep");
  byHand(dir, "sparse-checkout", "set", "--cone", "--sparse-index", "notes");
  const repo = await repos.open(dir);
  expect(await commit(repo, "deep/c.md", "ours\n")).toBe("moved");
  expect({ status: byHand(dir, "status", "--short"), second: await commit(repo, "deep/c.md", "again\n") }).toEqual({
    status: "",
    second: "moved",
  });
  await repo.close();
});

test("a closed repository moves nothing, and a deleted repository is neither healthy nor created again", async () => {
  const dir = garden();
  const closed = await repos.open(dir);
  await closed.close();
  await expect(commit(closed, "notes/z.md", "z\n")).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  const repo = await repos.open(dir);
  rmSync(dir, { recursive: true });
  const health = await repo.health().catch(() => ({ ok: false }));
  await expect(
    repo.build({
      parents: [],
      edits: [{ path: "a", bytes: Buffer.from("a") }],
      author: gardener,
      committer: gardener,
      message: "ghost",
    }),
  ).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  await repo.close();
  expect({ healthy: health.ok, exists: existsSync(dir) }).toEqual({ healthy: false, exists: false });
});

test("a lock left by a killed git is removed when it blocks a move", async () => {
  const dir = garden();
  const repo = await repos.open(dir);
  writeFileSync(join(dir, ".git/refs/heads/main.lock"), "");
  execFileSync("touch", ["-d", "10 seconds ago", join(dir, ".git/refs/heads/main.lock")]);
  expect({
    move: await commit(repo, "notes/a.md", "ours\n"),
    text: readFileSync(join(dir, "notes/a.md"), "utf8"),
  }).toEqual({ move: "moved", text: "ours\n" });
  await repo.close();
});

test("a merge depends on its commits alone: attributes and drivers outside of them have no effect", async () => {
  const dir = garden();
  byHand(dir, "checkout", "-qb", "side");
  writeFileSync(join(dir, "notes/a.md"), "theirs\n");
  byHand(dir, "commit", "-qam", "theirs");
  byHand(dir, "checkout", "-q", "main");
  writeFileSync(join(dir, "notes/a.md"), "ours\n");
  byHand(dir, "commit", "-qam", "ours");
  writeFileSync(join(dir, ".gitattributes"), "*.md merge=union conflict-marker-size=20\n");
  writeFileSync(join(dir, ".git/info/attributes"), "*.md merge=own\n");
  byHand(dir, "config", "merge.own.driver", `touch ${join(dir, "ran")}`);
  const repo = await repos.open(dir);
  const merged = await repo.merge((await repo.resolve("refs/heads/main"))!, (await repo.resolve("refs/heads/side"))!);
  await repo.close();
  expect({ merged, driverRan: existsSync(join(dir, "ran")) }).toEqual({
    merged: {
      kind: "conflict",
      conflicts: [
        expect.objectContaining({ path: "notes/a.md", hunks: [{ line: 1, ours: "ours\n", theirs: "theirs\n" }] }),
      ],
    },
    driverRan: false,
  });
});
