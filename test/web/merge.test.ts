import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";
import { plantSessions } from "./planted-sessions.ts";
import { appPath, isArmed } from "./walk.ts";

/** The review of a session's merge in the browser. */
let ground: WebGround;
const proposed = new Map<string, string>();
beforeAll(async () => {
  ground = await webGround();
  await plantSessions(ground.dir);
  // Main has another log by now, with another last line.
  const log = "# Listening log\n\n1 November: nothing.\n\nThe shelf is dry.\n\n8 November: opened by me.\n";
  writeFileSync(join(ground.dir, "notes/Log.md"), log);
  git(ground.dir, "add", "notes/Log.md");
  git(ground.dir, "commit", "-qm", "A log");
  for (const session of ["archivist-7f3k2m", "tidy-up"]) {
    const { out } = ground.bloom("propose", "merge", session);
    proposed.set(session, /prop_\S+/.exec(out)![0]);
  }
});
afterAll(() => ground.stop());

test("U-1 S-11 a merge lists its files with their counts; the owner comments on a line, leaves two files out and merges the rest", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, `/proposals/${proposed.get("archivist-7f3k2m")}`));
  const tree = page.getByRole("region", { name: "Files" });
  await tree.getByText("4 of 4").waitFor();
  await page.getByRole("button", { name: "Merge 4 files" }).waitFor();
  await page.getByRole("checkbox", { name: "Take notes/archive/Tape 39.md" }).uncheck();
  await page.getByRole("checkbox", { name: "Take notes/archive/Tape 38.md" }).uncheck();
  await page.getByRole("button", { name: "Merge 2 of 4 files" }).waitFor();
  const isPartly = await tree
    .getByRole("checkbox", { name: "Take all of notes/archive" })
    .evaluate((box: HTMLInputElement) => box.indeterminate);
  await page.reload();
  await page.getByRole("button", { name: "Merge 2 of 4 files" }).waitFor();
  await page.getByRole("button", { name: "Comment on line 3" }).first().click();
  await page.getByRole("textbox", { name: "Comment on line 3" }).fill("Who tied the ribbon?");
  await page.keyboard.press("Control+Enter");
  await page.locator(".thread").getByText("Who tied the ribbon?").waitFor();
  await tree.locator(".merge-comments").getByText("1").waitFor();
  await page.getByText("Split What is in the archive by box").click();
  await page.locator(".merge-commits").getByText("One note lists nine boxes.").waitFor();
  const found = await complaints(page);
  await page.getByRole("textbox", { name: "Reason (optional)" }).fill("Listen to them first");
  await isArmed(page);
  await page.getByRole("button", { name: "Merge 2 of 4 files" }).click();
  await expect.poll(() => git(ground.dir, "rev-list", "--parents", "-n1", "main").split(" ").length).toBe(3);
  const files = git(ground.dir, "diff", "--name-only", "main^1", "main").split("\n");
  await context.close();
  expect({ isPartly, found, problems, second: git(ground.dir, "rev-parse", "main^2"), files }).toEqual({
    isPartly: true,
    found: [],
    problems: [],
    second: git(ground.dir, "rev-parse", "agents/archivist-7f3k2m"),
    files: ["notes/archive/Box 9.md", "notes/archive/Lids.md"],
  });
});

test("U-1 S-5 lines that main changed too are decided with the keyboard; the merge with these words is then approved", async () => {
  const { page, context, problems } = await ground.open({ theme: "dark" });
  await page.goto(appPath(ground, `/proposals/${proposed.get("tidy-up")}`));
  await page.getByRole("group", { name: "Conflict in line 7 of notes/Log.md" }).waitFor();
  const locked = await page.getByRole("button", { name: "Merge 0 of 1 files" }).isDisabled();
  const isOpen = await page.getByRole("button", { name: "Use these words" }).isDisabled();
  const found = await complaints(page);
  await page.keyboard.press("3");
  await page.getByRole("button", { name: "Use these words" }).click();
  await page.getByText("Conflicts resolved. Review the merge.").waitFor();
  await page.getByRole("button", { name: "Merge 1 file" }).waitFor();
  await page.locator(".merge-row.seen").first().waitFor();
  await isArmed(page);
  await page.keyboard.press("a");
  await expect.poll(() => git(ground.dir, "show", "main:notes/Log.md")).toContain("Halyna");
  const log = git(ground.dir, "show", "main:notes/Log.md");
  await context.close();
  expect({ locked, isOpen, found, problems, log }).toEqual({
    locked: true,
    isOpen: true,
    found: [],
    problems: [],
    log: "# Listening log\n\n1 November: nothing.\n\nThe shelf is dry.\n\n8 November: opened by me.\n8 November: box 9 opened with Halyna.",
  });
});
