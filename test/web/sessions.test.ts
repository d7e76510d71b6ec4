import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";
import { plantSessions } from "./planted-sessions.ts";
import { appPath } from "./walk.ts";

/** Sessions in the browser: the list with its picture, one session with its commits, their traces and files, and merges. */
let ground: WebGround;
let made: ReadonlyMap<string, string>;
beforeAll(async () => {
  ground = await webGround();
});
afterAll(() => ground.stop());

test("U-1 S-4 without sessions the page says what one is; one that is started by hand opens at main with its goal", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/sessions"));
  await page.getByRole("heading", { name: "No sessions yet" }).waitFor();
  await page.getByRole("button", { name: "Start a session" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Not A Name");
  await dialog.getByLabel("Goal").fill("Water the seedlings");
  const isRefused = await dialog.getByRole("button", { name: "Start", exact: true }).isDisabled();
  await dialog.getByLabel("Name").fill("seedlings");
  await dialog.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/sessions\/seedlings/);
  await page.getByRole("heading", { level: 1, name: "Water the seedlings" }).waitFor();
  const parent = git(ground.dir, "rev-parse", "agents/seedlings^");
  await context.close();
  expect({ isRefused, parent, problems }).toEqual({
    isRefused: true,
    parent: git(ground.dir, "rev-parse", "main"),
    problems: [],
  });
});

test("U-1 S-4 the list draws branches over time and filters by state and words; the keyboard opens a session", async () => {
  made = await plantSessions(ground.dir);
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/sessions"));
  const rows = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  await rows.filter({ hasText: "merge: Merge what" }).waitFor();
  const graph = page.getByRole("region", { name: "Branches over time" });
  await graph.locator(".kind-mark").nth(10).waitFor();
  const drawn = {
    names: await graph.getByRole("link").allTextContents(),
    merges: await graph.locator(".kind-mark.tone-leaf").count(),
    lines: await graph.locator(".branch-line").count(),
  };
  await page.getByRole("radio", { name: "Merged 1" }).check();
  await page.waitForURL(/state=merged/);
  await expect.poll(() => rows.count()).toBe(1);
  const merged = await rows.first().textContent();
  await page.getByRole("radio", { name: /^All/ }).check();
  await page.keyboard.press("Tab");
  await page.getByRole("searchbox").fill("halyna");
  await page.waitForURL(/text=halyna/);
  await expect.poll(() => rows.count()).toBe(1);
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox").fill("");
  await expect.poll(() => rows.count()).toBe(5);
  await page.getByRole("searchbox").blur();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(/sessions\/[a-z]/);
  const found = await complaints(page);
  await context.close();
  expect({ drawn, merged, found, problems }).toEqual({
    drawn: {
      names: expect.arrayContaining(["archivist-7f3k2m", "archivist-reader-2c", "tidy-up", "labels", "seedlings"]),
      merges: 1,
      // main, five branches, and the way back of the merged one
      lines: 7,
    },
    merged: expect.stringContaining("merged into archivist-7f3k2m"),
    found: [],
    problems: [],
  });
});

test("U-1 S-6 a commit shows its trace with long texts folded, its files with the diff, and what is not in a commit yet", async () => {
  const { page, context, problems } = await ground.open({ theme: "dark" });
  await page.goto(appPath(ground, "/sessions/archivist-7f3k2m"));
  await page.getByRole("heading", { level: 1, name: "Describe box 9 of the archive" }).waitFor();
  const commits = page.getByRole("list", { name: "Commits" }).getByRole("button");
  await commits.filter({ hasText: "+4 −1" }).click();
  await page.getByText("One note lists nine boxes.").waitFor();
  await page.keyboard.press("s");
  await page.getByRole("radio", { name: "Changes" }).and(page.locator(":checked")).waitFor();
  await page.locator("ins", { hasText: "[[Box 9]]" }).first().waitFor();
  await page.getByRole("radio", { name: "Trace" }).check();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const folded = page.locator("details.trace-folded");
  await folded.waitFor();
  const before = await folded.getByText("Lid 60").isVisible();
  await folded.locator("summary").click();
  await folded.getByText("Lid 60").waitFor();
  await commits.filter({ hasText: "Not in a commit yet" }).click();
  await page.getByText("is tape 41 the same reel").waitFor();
  const url = page.url();
  await page.reload();
  await page.getByText("is tape 41 the same reel").waitFor();
  const found = await complaints(page);
  await context.close();
  expect({ before, kept: /commit=not-committed/.test(url), found, problems }).toEqual({
    before: false,
    kept: true,
    found: [],
    problems: [],
  });
});

test("U-1 S-6 after a rewrite by hand the history of a commit names where its trace came from", async () => {
  const first = made.get("Tape 39 has no sound")!;
  git(ground.dir, "worktree", "add", "-q", "../reader", "agents/archivist-reader-2c");
  git(`${ground.dir}/../reader`, "commit", "-q", "--amend", "--no-edit", "--date=2026-11-17T10:00:00Z");
  git(ground.dir, "worktree", "remove", "../reader");
  ground.bloom("trace", "rebind");
  const now = git(ground.dir, "rev-parse", "agents/archivist-reader-2c");
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, `/sessions/archivist-reader-2c?commit=${now}&view=history`));
  await page.getByText("bound now").waitFor();
  await page.getByText("Show its traces").click();
  await page.getByText(first.slice(0, 10)).waitFor();
  const found = await complaints(page);
  await context.close();
  expect({ moved: now !== first, found, problems }).toEqual({ moved: true, found: [], problems: [] });
});

test("U-1 S-5 a sub-agent is merged into its session from the page; where both changed a line, the chosen words are merged", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/sessions/labels"));
  await page.getByRole("button", { name: "Merge into tidy-up" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Merge", exact: true }).click();
  await dialog.getByRole("group", { name: /^Conflict in line/ }).waitFor();
  const conclude = dialog.getByRole("button", { name: "Merge with these words" });
  const nothingChosen = (await dialog.getByRole("radio").count()) === 2 && (await conclude.isDisabled());
  await dialog.getByRole("radio", { name: /Halyna/ }).check();
  await dialog.getByRole("button", { name: "Write it yourself" }).click();
  await dialog.getByLabel("Your words").fill("8 November: box 9 opened with Halyna. Four tapes.");
  const found = await complaints(page);
  await conclude.click();
  await page.getByText("labels is merged into tidy-up.").waitFor();
  const log = git(ground.dir, "show", "agents/tidy-up:notes/Log.md");
  const parents = git(ground.dir, "rev-list", "--parents", "-n1", "agents/tidy-up").split(" ").length - 1;
  await context.close();
  expect({ nothingChosen, log, parents, found, problems }).toEqual({
    nothingChosen: true,
    // The other line of the sub-agent is merged too.
    log: "# Listening log\n\n1 November: silence.\n\nThe shelf is dry.\n\n8 November: box 9 opened with Halyna. Four tapes.",
    parents: 2,
    found: [],
    problems: [],
  });
});

test("U-1 S-8 a question of a session is answered on the list; the decision is a commit of its branch, with the reason", async () => {
  const contract = join(ground.dir, "agents/librarian/_agent.md");
  const text = readFileSync(contract, "utf8").replace("\ntools:", "\nworkspace: session\ntools:");
  writeFileSync(contract, text.replace("- propose-note", "- propose-note\n  - propose-merge"));
  ground.bloom("run", "librarian", "--input", "question=When does the lime tree bloom?", "--wait");
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/sessions"));
  await page.getByRole("heading", { name: "1 session asks you" }).waitFor();
  const question = page.getByRole("region", { name: "Question for you" });
  await question.getByRole("radio", { name: /neighbours-almanac/ }).check();
  await question.getByRole("textbox", { name: "Reason (optional)" }).fill("The almanac is newer");
  const found = await complaints(page);
  await question.getByRole("button", { name: "Answer", exact: true }).click();
  await question.waitFor({ state: "detached" });
  const rows = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  await rows.filter({ hasText: "librarian-" }).getByRole("link").click();
  await page
    .getByRole("list", { name: "Commits" })
    .getByRole("button", { name: /The almanac is newer/ })
    .waitFor();
  await page.getByRole("link", { name: "its run" }).waitFor();
  await context.close();
  expect({ found, problems }).toEqual({ found: [], problems: [] });
});

test("U-1 S-2 a session is archived from its page and brought back from the list", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/sessions/seedlings"));
  await page.getByRole("button", { name: "Archive", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Archive the session" }).click();
  await page.getByText("Archive: 1 session").click();
  const away = git(ground.dir, "branch", "--list", "agents/seedlings");
  await page.getByRole("button", { name: "Restore" }).click();
  await page.getByText("Archive: 1 session").waitFor({ state: "detached" });
  const back = git(ground.dir, "branch", "--list", "agents/seedlings").trim();
  await context.close();
  expect({ away, back, problems }).toEqual({ away: "", back: "agents/seedlings", problems: [] });
});
