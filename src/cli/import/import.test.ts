import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { closed, files, gardenWith, git } from "../../garden/testing/scratch.ts";
import { inProcessBloom } from "../testing/command-line.ts";

const bloom = (dir: string, ...args: string[]) => inProcessBloom(dir, args);

const FLOW =
  "---\non: weekly on monday at 09:00\nimports: [../shared/a.md]\nsafe-outputs:\n  create-issue:\n---\nLook.\n";

async function gardenWithFlows(): Promise<string> {
  const { dir } = await closed(await gardenWith());
  files(dir, { "in/.github/workflows/walk.md": FLOW, "in/.github/shared/a.md": "Be kind.\n" });
  return dir;
}

test("I-1 a dry run prints the report of a repository's workflows and creates nothing", async () => {
  const dir = await gardenWithFlows();
  const { exit, out } = await bloom(dir, "import", "gh-aw", "in", "--dry-run", "--lang", "en");
  expect([exit, existsSync(join(dir, "agents/walk"))]).toEqual([0, false]);
  expect(out).toMatch(/mapped +on +0 9 \* \* 1 \(UTC\) → triggers\.cron[\s\S]*Nothing was created/);
});

test("I-1 I-4 an imported workflow goes out as a skill and comes in under a free name", async () => {
  const dir = await gardenWithFlows();
  expect((await bloom(dir, "import", "gh-aw", "in/.github/workflows/walk.md")).exit).toBe(0);
  expect((await bloom(dir, "import", "gh-aw", "in")).exit).toBe(1);
  expect((await bloom(dir, "export", "skill", "walk", "out")).exit).toBe(0);
  expect((await bloom(dir, "export", "skill", "walk", "out")).exit).not.toBe(0);
  symlinkSync("/etc/hostname", join(dir, "out/walk/link"));
  const { exit, out } = await bloom(dir, "import", "skill", "out", "--rename", "--json");
  expect([exit, (JSON.parse(out) as { created: unknown }).created]).toEqual([0, ["walk-2"]]);
  expect(readdirSync(join(dir, "agents/walk-2/sources")).toSorted()).toEqual(
    readdirSync(join(dir, "agents/walk/sources")).toSorted(),
  );
});

test("I-1 a path that is not there, and a name for several files, are usage errors", async () => {
  const dir = await gardenWithFlows();
  files(dir, { "in/.github/workflows/other.md": FLOW });
  expect((await bloom(dir, "import", "gh-aw", "gone")).exit).toBe(3);
  expect((await bloom(dir, "import", "gh-aw", "in", "--as", "one")).exit).toBe(2);
});

/** A bare repository with one workflow that includes another file, and a link out of it. */
async function bareRepository(dir: string): Promise<string> {
  const made = join(dir, "../made");
  files(made, { ".github/workflows/walk.md": FLOW, ".github/shared/a.md": "Be kind.\n" });
  symlinkSync("/etc/hostname", join(made, ".github/workflows/link.md"));
  git(made, "init", "-q", "-b", "trunk");
  files(made, { ".git/hooks/post-checkout": `#!/bin/sh\ntouch ${join(dir, "executed")}\n` });
  git(made, "add", ".");
  git(made, "commit", "-qm", "Flows");
  git(dir, "clone", "-q", "--bare", made, "../flows.git");
  return join(dir, "../flows.git");
}

test("I-1 the workflows of a repository are read from its newest commit, and nothing is left or executed", async () => {
  const { dir } = await closed(await gardenWith());
  const bare = await bareRepository(dir);
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith("bloom-snapshot-"));
  for (const place of [bare, `file://${bare}`]) {
    const { exit, out } = await bloom(dir, "import", "gh-aw", place, "--dry-run", "--json");
    const { reports } = JSON.parse(out) as { reports: { file: string; outcome: string }[] };
    expect([exit, reports.map(({ file, outcome }) => `${file} ${outcome}`)]).toEqual([
      0,
      [".github/workflows/link.md refused", ".github/workflows/walk.md agent"],
    ]);
  }
  expect((await bloom(dir, "import", "gh-aw", bare)).exit).toBe(0);
  expect(existsSync(join(dir, "agents/walk/_agent.md"))).toBe(true);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith("bloom-snapshot-"))).toEqual(before);
  expect(existsSync(join(dir, "executed"))).toBe(false);
});

test.each([
  ["an address that runs a program", "ext::sh -c touch% x", 3],
  ["a scheme of a helper program", "sh://host/x", 2],
  ["a host that is an option", "ssh://-oProxyCommand=x/y", 2],
  ["a repository that is not there", "file:///nowhere/flows.git", 7],
])("I-1 %s is refused with a reason", async (_, address, exit) => {
  const { dir } = await closed(await gardenWith());
  expect((await bloom(dir, "import", "gh-aw", address, "--dry-run")).exit).toBe(exit);
});
