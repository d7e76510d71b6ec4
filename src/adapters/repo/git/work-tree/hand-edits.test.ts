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

test("G-5 an edit by hand in the very second of a commit is still seen by git after our next one", async () => {
  const dir = garden();
  const repo = await repos.open(dir);
  await pause(1000 - (Date.now() % 1000)); // a second begins
  expect(await commit(repo, "notes/a.md", "- [ ] weed \n")).toBe("moved");
  writeFileSync(join(dir, "notes/a.md"), "- [x] weed \n"); // in place, of the same length
  await pause(1100);
  expect(await commit(repo, "notes/b.md", "b\n")).toBe("moved");
  const seen = [byHand(dir, "status", "--short"), (await repo.uncommitted()).map(({ path }) => path)];
  await repo.close();
  expect(seen).toEqual([" M notes/a.md", ["notes/a.md"]]);
});

test("G-5 a branch that is checked out in another work tree is not moved behind its back", async () => {
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

test("a pulled commit cannot plant files in the machine's folder, nor names that are not text", async () => {
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
    expect([
      existsSync(join(dir, ".bloom/keys")),
      byHand(dir, "log", "--format=%s"),
      byHand(dir, "status", "--short"),
    ]).toEqual([false, "first", ""]);
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
  expect([byHand(dir, "status", "--short"), await commit(repo, "deep/c.md", "again\n")]).toEqual(["", "moved"]);
  await repo.close();
});

test("after closing nothing moves, and a repository that was deleted is neither healthy nor made again", async () => {
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
  expect([health.ok, existsSync(dir)]).toEqual([false, false]);
});

test("a lock left by a git that was killed is removed when it is in the way", async () => {
  const dir = garden();
  const repo = await repos.open(dir);
  writeFileSync(join(dir, ".git/refs/heads/main.lock"), "");
  execFileSync("touch", ["-d", "10 seconds ago", join(dir, ".git/refs/heads/main.lock")]);
  expect([await commit(repo, "notes/a.md", "ours\n"), readFileSync(join(dir, "notes/a.md"), "utf8")]).toEqual([
    "moved",
    "ours\n",
  ]);
  await repo.close();
});

test("a merge is a function of its commits: attributes and drivers that are not in them decide nothing", async () => {
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
  expect([merged, existsSync(join(dir, "ran"))]).toEqual([
    {
      kind: "conflict",
      conflicts: [
        expect.objectContaining({ path: "notes/a.md", hunks: [{ line: 1, ours: "ours\n", theirs: "theirs\n" }] }),
      ],
    },
    false,
  ]);
});
