import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { oldProposal, oldZone } from "../../src/domain/import/kv/testing/old-records.ts";
import { scratch } from "../../src/garden/testing/scratch.ts";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";
import { appPath } from "./walk.ts";

let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
});
afterAll(() => ground.stop());

const FLOW = `---
on:
  schedule: weekly on monday at 09:00
  pull_request:
permissions:
  contents: read
  issues: write
safe-outputs:
  create-issue:
    title-prefix: "[walk] "
tools:
  web-fetch:
---

# Border walk

1. Find notes that nobody has linked to.
2. Look for a note that names one of them.
3. If exactly one does, then add the link there.
`;

test("I-1 a dropped workflow shows every line with its fate before anything is created", async () => {
  const dir = scratch();
  const folder = join(dir, "flows");
  mkdirSync(folder);
  writeFileSync(join(folder, "border-walk.md"), FLOW);
  writeFileSync(join(folder, "broken.md"), "---\non: [\n---\nText.\n");
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/new-agent"));
  await page.getByRole("link", { name: /another product/ }).click();
  await page.getByLabel("Choose a folder", { exact: true }).and(page.locator("input")).setInputFiles(folder);
  await page.getByText("Nothing has been created yet").waitFor();
  const source = page.getByRole("region", { name: /border-walk\.md/ });
  const lost = source.locator('[data-fate="lost"]');
  expect(await lost.allInnerTexts()).toEqual(
    expect.arrayContaining([expect.stringMatching(/pull_request:[\s\S]*lost/)]),
  );
  await page.getByText("can only shrink").waitFor();
  expect(await complaints(page)).toEqual([]);
  await page.getByRole("button", { name: /broken\.md/ }).click();
  await page.getByText("The file is refused").waitFor();
  await page.getByRole("button", { name: "Create 1 draft" }).click();
  await page.waitForURL(/\/agents\/border-walk\?tab=contract/);
  await context.close();
  expect(problems).toEqual([]);
});

test("I-2 a dump of the earlier system is reported on, imported after a backup, and read beside its proposals", async () => {
  const dir = scratch();
  const note = "Сад";
  const records = [
    { key: "proposal:prop_1_aaaaaaaa", value: oldProposal("prop_1_aaaaaaaa", { noteSlug: "no-such-note" }) },
    { key: "proposal:prop_2_bbbbbbbb", value: oldProposal("prop_2_bbbbbbbb", { status: "accepted", noteTitle: note }) },
    { key: "zone:z1", value: oldZone("z1") },
  ];
  writeFileSync(join(dir, "dump.json"), JSON.stringify(records));
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/import"));
  await page.getByLabel("Earlier system").check();
  await page
    .getByLabel("Choose files", { exact: true })
    .and(page.locator("input"))
    .setInputFiles(join(dir, "dump.json"));
  await page.getByText("Nothing has been imported yet").waitFor();
  await page.getByRole("button", { name: "Back up and import" }).click();
  await page.getByText(/^Imported\. Backup before it: .+\.tar\.gz/).waitFor();
  const kept = page.getByRole("region", { name: "Records of the earlier system" });
  await kept.getByRole("button", { name: note }).click();
  await kept.getByText("A line of a guest.").waitFor();
  expect(await page.getByText("ROSE-1234").count()).toBe(0);
  expect(await complaints(page)).toEqual([]);
  await context.close();
  expect(problems).toEqual([]);
});
