import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type WebGround, webGround } from "./ground.ts";
import { appPath } from "./walk.ts";

/** Runs, their spending and their diagrams. */
let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
  appendFileSync(
    join(ground.dir, "garden.yaml"),
    "prices: { currency: EUR, models: { bloom/follower: { input: 3, output: 15 } } }\n",
  );
  for (const agent of ["gardener", "archivist"]) ground.bloom("run", agent, "--wait");
  ground.bloom("run", "librarian", "--input", "question=When does the lime tree bloom?", "--wait");
});
afterAll(() => ground.stop());

test("U-1 the list of runs says what each run did; a filter states its value, works in the server and can be taken off", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/runs"));
  const rows = page.getByRole("list", { name: "Runs" }).getByRole("listitem");
  await rows.filter({ hasText: "gardener" }).first().waitFor();
  const agents = async (): Promise<string[]> =>
    [
      ...new Set((await rows.allTextContents()).map((text) => /gardener|archivist|librarian/.exec(text)?.[0] ?? "")),
    ].toSorted();
  const all = await agents();
  await page.getByLabel("Agent", { exact: true }).selectOption("archivist");
  await page.waitForURL(/agent=archivist/);
  await expect.poll(agents).toEqual(["archivist"]);
  await page.getByRole("button", { name: "Remove the filter Agent" }).click();
  await page.getByLabel("Outcome", { exact: true }).selectOption("waiting");
  await expect.poll(agents).toEqual(["librarian"]);
  await rows.getByText(/Waits \S+ \S+ for you/).waitFor();
  await page.getByRole("button", { name: "Remove the filter Outcome" }).click();
  await page.getByRole("searchbox", { name: "Input or outcome" }).fill("lime tree");
  await page.waitForURL(/text=lime/);
  await expect.poll(agents).toEqual(["librarian"]);
  await context.close();
  expect({ all, problems }).toEqual({ all: ["archivist", "gardener", "librarian"], problems: [] });
});

test("U-1 O-7 a step opens with its output; an ended run is started again and forked with the inputs that its diagram declares", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/runs?agent=librarian"));
  await page.getByRole("list", { name: "Runs" }).getByRole("link").first().click();
  const question = page.getByRole("region", { name: "Question for you" });
  await question.getByRole("radio", { name: /neighbours-almanac/ }).check();
  await question.getByRole("button", { name: "Answer", exact: true }).click();
  await page.getByRole("main").getByText("completed", { exact: true }).first().waitFor();
  await page.locator("details summary").nth(2).click();
  const output = await page.getByRole("radio", { name: "Output" }).isChecked();
  await page
    .locator(".payload")
    .getByText(/20 June/)
    .first()
    .waitFor();
  await page.getByRole("radio", { name: "Raw" }).check();
  await page
    .locator(".payload")
    .getByText(/"position"/)
    .first()
    .waitFor();
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Run again" }).click();
  const given = await dialog.getByLabel("question").inputValue();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Fork from a step" }).click();
  await dialog.getByLabel("Last common step").selectOption("1");
  await dialog.getByLabel("question").fill("What grows in the shade?");
  await dialog.getByRole("button", { name: "Fork here" }).click();
  await page.getByRole("link", { name: "fork at step 1" }).waitFor();
  await context.close();
  expect({ output, given, problems }).toEqual({
    output: true,
    given: "When does the lime tree bloom?",
    problems: [],
  });
});

test("U-1 an icon of a diagram is found by its text, and a tool is completed while typing", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/agents/archivist/diagram"));
  await page.getByRole("listbox").waitFor();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("read-memory");
  await page.getByRole("status").getByText("1 of 1").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("option", { name: /read-memory/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  const text = page.getByRole("textbox", { name: "Text" });
  await text.fill("x ← read-no");
  await page
    .getByRole("list", { name: "Suggestions" })
    .getByRole("button", { name: /read-notes\(\)/ })
    .waitFor();
  await page.keyboard.press("Tab");
  const completed = await text.inputValue();
  await page.keyboard.press("Escape");
  await context.close();
  expect({ completed, problems }).toEqual({ completed: "x ← read-notes()", problems: [] });
});
