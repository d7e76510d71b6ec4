import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";
import { libraryGarden } from "./planted-library.ts";
import { appPath } from "./walk.ts";

let ground: WebGround;
const remote = mkdtempSync(join(tmpdir(), "bloom-public-"));
beforeAll(async () => {
  git(remote, "init", "-q", "--bare", ".");
  const planted = await libraryGarden();
  ground = await webGround((dir) => renameSync(planted, dir));
  rmSync(dirname(planted), { recursive: true, force: true });
  ground.bloom("peer", "identity", "--make");
  ground.bloom("settings", "set", "remotes.public", JSON.stringify({ url: remote }));
});
afterAll(async () => {
  await ground?.stop();
  rmSync(remote, { recursive: true, force: true });
});

test("U-1 S-9b a behaviour of another garden is compared, replayed and proposed; a suggestion is dismissed with a reason", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/"));
  await page.getByRole("link", { name: "“Mend links after a rename” of orchard-row" }).waitFor();
  await page.goto(appPath(ground, "/agents/mender"));
  await page.getByRole("heading", { name: "Better elsewhere" }).waitFor();
  await page.goto(appPath(ground, "/agents"));
  await page.getByRole("link", { name: "Library", exact: true }).click();
  await page.getByText("“Mend links after a rename” of orchard-row (v007) does better than mender v001").waitFor();
  const evidence = page.getByRole("complementary", { name: "Evidence" });
  await evidence.getByText("It does better than mender v001, beyond chance.").waitFor();
  const found = await complaints(page);

  await evidence.getByRole("button", { name: "Show both diagrams" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("figure").nth(1).waitFor();
  await page.keyboard.press("Escape");
  await evidence.getByRole("button", { name: "Replay on runs of mender" }).click();
  await evidence.getByText("Replayed, mender").waitFor();

  await page.getByRole("button", { name: "Dismiss “Mend links after a rename”" }).click();
  const dismiss = dialog.getByRole("button", { name: "Dismiss…" });
  const isLocked = await dismiss.isDisabled();
  await dialog.getByLabel("Reason").fill("It asks for a tool that we do not give");
  await dismiss.click();
  await page.getByText("“Mend links after a rename” of orchard-row (v007) does better").waitFor({ state: "detached" });

  await page.getByText("Ours 0").click();
  await page.getByText("None of our behaviours has a name yet.").waitFor();
  await page.getByText("Followed 3").click();
  await page.getByRole("link", { name: "Count what grows" }).click();
  await evidence.getByRole("heading", { name: "Count what grows" }).waitFor();
  await evidence.getByLabel("Agent").selectOption("mender");
  await evidence.getByRole("button", { name: "Propose for mender…" }).click();
  await dialog.getByText("Nothing runs before you approve it.").waitFor();
  const dialogFound = await complaints(page);
  await dialog.getByRole("button", { name: "Replay and propose" }).click();
  await page.waitForURL(/\/proposals\/prop_/);
  expect({ found, dialogFound, isLocked, problems }).toEqual({
    found: [],
    dialogFound: [],
    isLocked: true,
    problems: [],
  });
  await context.close();
});

test("U-1 S-9b on a phone the evidence of the chosen behaviour comes before the list, and nothing is wider than the window", async () => {
  const { page, context, problems } = await ground.open({ language: "uk", theme: "dark", width: 390, height: 844 });
  await page.goto(appPath(ground, "/library"));
  await page.getByRole("heading", { name: "Із садів, за якими ви стежите" }).waitFor();
  await page.getByRole("link", { name: "Mend links", exact: true }).click();
  const top = await page.getByRole("complementary", { name: "Докази" }).boundingBox();
  const list = await page.getByRole("heading", { name: "Із садів, за якими ви стежите" }).boundingBox();
  const wide = await page.evaluate(() => document.scrollingElement!.scrollWidth - innerWidth);
  expect({ isFirst: top!.y < list!.y, wide, found: await complaints(page), problems }).toEqual({
    isFirst: true,
    wide: 0,
    found: [],
    problems: [],
  });
  await context.close();
});

test("U-1 S-9b one of ours is published after every byte was shown, saved as a file, withdrawn, and taken from the file", async () => {
  const { page, context, problems } = await ground.open({ theme: "dark" });
  await page.goto(appPath(ground, "/library"));
  await page.getByRole("button", { name: "Publish one of ours…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Behaviour of").selectOption("mender");
  await dialog.getByLabel("Name for others").fill("Mend our links");
  await dialog.getByRole("button", { name: "Show what would leave" }).click();
  await dialog.getByText("behaviour.json").waitFor();
  const shown = await dialog.locator("pre").allTextContents();
  const sent = git(remote, "for-each-ref");
  const found = await complaints(page);
  await dialog.getByRole("button", { name: "Publish exactly this" }).click();
  await page.getByRole("link", { name: "Mend our links" }).click();
  const published = git(remote, "ls-tree", "-r", "--name-only", "refs/agentic/library");
  const evidence = page.getByRole("complementary", { name: "Evidence" });
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    evidence.getByRole("button", { name: "Save as a file" }).click(),
  ]);
  await evidence.getByRole("button", { name: "Withdraw…" }).click();
  await dialog.getByRole("button", { name: "Withdraw it" }).click();
  await page.getByRole("link", { name: "Mend our links" }).waitFor({ state: "detached" });
  await page.getByLabel("File of a behaviour").setInputFiles(await file.path());
  await evidence.getByRole("heading", { name: "Mend our links" }).waitFor();
  expect({ sent, found, problems, isWhole: shown.some((text) => text.includes('"name":"Mend our links"')) }).toEqual({
    sent: "",
    found: [],
    problems: [],
    isWhole: true,
  });
  expect(published).toMatch(/^behaviours\/[0-9a-f]{40}\/behaviour\.json$/m);
  await context.close();
});
