import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { files, git } from "../../src/garden/testing/scratch.ts";
import { complaints } from "./axe.ts";
import { type WebGround, type Window, webGround } from "./ground.ts";
import { appPath, isArmed, propose } from "./walk.ts";

/** The story of a line: shared as one file, and mended where it breaks. */
let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
});
afterAll(() => ground.stop());

/** An approved note whose words were exchanged by a commit with the same trailers. */
async function brokenStory(window: Window, name: string): Promise<string> {
  const path = `notes/${name}.md`;
  const id = await propose(ground, window, { path, text: "# Almanac\n\nKept from 1961 to 1971.\n" }, `Note ${name}`);
  ground.bloom("proposals", "approve", id, "--yes");
  const message = git(ground.dir, "log", "-1", "--format=%B", `--grep=${id}`);
  files(ground.dir, { [path]: "# Almanac\n\nKept from 1961 to 1974.\n" });
  git(ground.dir, "commit", "-qam", message);
  return `${path}:3`;
}

const story = (subject: string): string => appPath(ground, `/why?subject=${encodeURIComponent(subject)}`);

test("P-11 a shared story is one file that opens without a server, without scripts and without errors", async () => {
  const window = await ground.open();
  const { page, context, problems } = window;
  const id = await propose(
    ground,
    window,
    { path: "notes/shared.md", text: "# Shared\n\nWords.\n" },
    "A note to share",
  );
  ground.bloom("proposals", "approve", id, "--yes");
  await page.goto(story("notes/shared.md:3"));
  await page.getByRole("button", { name: "Share as one file" }).click();
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Save file" }).click();
  const download = await saving;
  const file = join(ground.dir, "..", "shared.html");
  await download.saveAs(file);
  const alone = await context.newPage();
  const said: string[] = [];
  const asked: string[] = [];
  alone.on("console", (message) => said.push(message.text()));
  alone.on("pageerror", (error) => said.push(error.message));
  alone.on("request", (request) => asked.push(new URL(request.url()).protocol));
  await page.close();
  await context.setOffline(true);
  await alone.goto(pathToFileURL(file).href);
  const shown = {
    line: await alone.locator(".line.on").innerText(),
    links: await alone.locator(".links > li").count(),
    verdict: await alone.locator(".verdict b").innerText(),
    scripts: await alone.locator("script").count(),
  };
  await context.close();
  expect({
    name: download.suggestedFilename(),
    shown,
    said,
    isLocal: asked.every((each) => each === "file:"),
    problems,
  }).toEqual({
    name: "why-notes-shared-md-3.html",
    shown: { line: expect.stringContaining("Words."), links: 5, verdict: "All 5 links are verified", scripts: 0 },
    said: [],
    isLocal: true,
    problems: [],
  });
});

test("P-11 a story that breaks offers the approved words as a proposal, and approving it mends the line", async () => {
  const window = await ground.open();
  const { page, context, problems } = window;
  const subject = await brokenStory(window, "almanac");
  await page.goto(story(subject));
  await page.getByText("The story breaks at link 4.").waitFor();
  await page.getByRole("button", { name: "Propose the approved words" }).click();
  await page.waitForURL(/\/proposals\/prop_/);
  await isArmed(page);
  await page.keyboard.press("a");
  await page
    .getByText(/^Approved/)
    .first()
    .waitFor();
  await expect.poll(() => git(ground.dir, "show", "main:notes/almanac.md")).toContain("1971");
  await page.goto(story(subject));
  const verdict = (await page.getByText(/^All \d links are verified/).textContent()) ?? "";
  await context.close();
  expect({ verdict: verdict.length > 0, problems }).toEqual({ verdict: true, problems: [] });
});

test("P-11 words that nobody approved can be kept with a reason, which ends the warning everywhere", async () => {
  const window = await ground.open({ theme: "dark" });
  const { page, context, problems } = window;
  const subject = await brokenStory(window, "kept");
  const before = ground.bloom("why", subject).exit;
  await page.goto(story(subject));
  await page.getByRole("button", { name: "Keep these, with a reason…" }).click();
  const keep = page.getByRole("button", { name: "Keep these words" });
  const isEmptyRefused = await keep.isDisabled();
  await page.getByLabel("Reason to keep them").fill("The almanac itself says 1974");
  const found = await complaints(page);
  await keep.click();
  await page.getByRole("button", { name: "Kept with a reason" }).waitFor();
  const verdict = await page.locator(".verdict b").innerText();
  const after = ground.bloom("why", subject);
  await context.close();
  expect({ before, isEmptyRefused, found, verdict, after: after.exit, out: after.out, problems }).toEqual({
    before: 1,
    isEmptyRefused: true,
    found: [],
    verdict: "4 links are verified, 1 differs and is kept with a reason.",
    after: 0,
    out: expect.stringContaining("The almanac itself says 1974"),
    problems: [],
  });
});
