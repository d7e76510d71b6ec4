import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { closed, files, gardenWith } from "../../garden/testing/scratch.ts";
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
