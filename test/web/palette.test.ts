import { afterAll, beforeAll, expect, test } from "vitest";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";
import { appPath, propose } from "./walk.ts";

/** The command palette: everything is found and opened from the keyboard, and nothing is decided by it. */
let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
});
afterAll(() => ground.stop());

test("Ctrl K finds notes, agents, proposals and commands, and opens the selected one", async () => {
  const { page, context, problems } = await ground.open();
  await propose(ground, { context }, { path: "notes/quince.md", text: "# Quince\n" }, "Plant a quince");
  await page.goto(appPath(ground, "/"));
  const palette = page.getByRole("dialog", { name: "Find or do" });
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  const find = async (words: string): Promise<void> => {
    await page.keyboard.press("Control+K");
    await palette.waitFor();
    await page.keyboard.type(words);
    await palette.getByRole("option", { selected: true }).waitFor();
  };
  await find("compost");
  await palette.getByRole("group", { name: "Notes" }).getByRole("option", { name: "compost" }).waitFor();
  const found = await complaints(page);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/notes\/.*compost\.md$/);
  await find("gardener");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/agents\/gardener$/);
  await find("quince");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/proposals\/prop_/);
  await find("dark theme");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  await find("archivist");
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "hidden" });
  await context.close();
  expect({ found, problems }).toEqual({ found: [], problems: [] });
});

test("the palette has no command that decides, and an act with Ctrl Enter on a proposal does nothing", async () => {
  const { page, context } = await ground.open();
  const id = await propose(ground, { context }, { path: "notes/medlar.md", text: "# Medlar\n" }, "Plant a medlar");
  await page.goto(appPath(ground, "/"));
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.keyboard.press("Control+K");
  const palette = page.getByRole("dialog", { name: "Find or do" });
  const offered: string[] = [];
  for (const words of ["approve", "reject", "medlar"]) {
    await palette.getByRole("combobox").fill(words);
    await palette.getByRole("option", { selected: true }).waitFor();
    offered.push(...(await palette.getByRole("option").allTextContents()));
  }
  await page.keyboard.press("Control+Enter");
  const answer = await context.request.get(new URL(`/proposals/${id}`, ground.url).href);
  const { proposal } = (await answer.json()) as { proposal: { status: string } };
  await context.close();
  expect({
    status: proposal.status,
    isOpen: page.url().endsWith("/app/"),
    deciding: offered.filter((each) => /^(?:approve|reject)/i.test(each)),
  }).toEqual({ status: "pending", isOpen: true, deciding: [] });
});

test("Ctrl Enter on an agent runs it, and Ctrl O switches to another note", async () => {
  const { page, context, problems } = await ground.open();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.keyboard.press("Control+K");
  const palette = page.getByRole("dialog", { name: "Find or do" });
  await palette.getByRole("combobox").fill("gardener");
  await palette.getByRole("option", { name: /^Gardener/, selected: true }).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/\/runs\/run_/);
  await page.keyboard.press("Control+O");
  const notes = page.getByRole("dialog", { name: "Open a note" });
  await notes.getByRole("combobox").fill("seed cal");
  await notes.getByRole("option", { name: /seed-calendar/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/notes\/.*seed-calendar\.md$/);
  await context.close();
  expect(problems).toEqual([]);
});

test("a question typed into the palette is answered from the notes, or the notes do not say", async () => {
  const { page, context, problems } = await ground.open();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  const ask = async (question: string): Promise<void> => {
    await page.keyboard.press("Control+K");
    const palette = page.getByRole("dialog", { name: "Find or do" });
    await palette.getByRole("combobox").fill(question);
    await palette.getByRole("option", { name: /^Ask the notes/ }).click();
    await page.getByRole("main").getByRole("heading", { name: question }).waitFor();
  };
  await ask("When does the lime tree bloom?");
  await page.getByText(/found word for word/).waitFor();
  await page
    .getByRole("list", { name: "Sources" })
    .getByRole("link", { name: /, line \d+/ })
    .first()
    .waitFor();
  await ask("Who won the football cup in 1974?");
  await page.getByText("The notes do not say.").waitFor();
  const found = await complaints(page);
  await context.close();
  expect({ found, problems }).toEqual({ found: [], problems: [] });
});
