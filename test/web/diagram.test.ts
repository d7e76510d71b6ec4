import { afterAll, beforeAll, expect, test } from "vitest";
import { patient } from "../../src/base/testing/patience.ts";
import { complaints } from "./axe.ts";
import { type WebGround, type Window, webGround } from "./ground.ts";

let ground: WebGround;
/** One English window, shared by the tests that need no other. */
let english: Window;
beforeAll(async () => {
  ground = await webGround();
  english = await ground.open();
});
afterAll(() => ground.stop());

async function openDiagram(slug: string, window = english): Promise<Window> {
  await window.page.goto(`${ground.url}app/agents/${slug}/diagram`);
  await window.page.getByRole("listbox").waitFor();
  return window;
}

test("U-1 L-6 an action is inserted, changed, undone, redone and proposed with the keyboard, and is pending", async () => {
  const { page, problems } = await openDiagram("librarian");
  const option = (name: string) => page.getByRole("option", { name, exact: true });
  await page.getByRole("listbox").focus();
  // From the header down its line, where an action is inserted.
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("a");
  await page.getByRole("textbox", { name: "Text" }).waitFor();
  await page.keyboard.type("Greet the reader");
  await page.keyboard.press("Enter");
  await option("Action: Greet the reader").and(page.locator("[aria-selected=true]")).waitFor();
  // The new icon is selected, and Enter opens its text.
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Text" }).fill("Greet the reader kindly");
  // After a reload neither the drawing nor the typed text is lost.
  await page.reload();
  await expect
    .poll(() => page.getByRole("textbox", { name: "Text" }).inputValue(), { timeout: patient(60_000) })
    .toBe("Greet the reader kindly");
  await page.keyboard.press("Enter");
  await option("Action: Greet the reader kindly").waitFor();
  await page.keyboard.press("Control+z");
  await option("Action: Greet the reader").waitFor();
  await page.keyboard.press("Control+Shift+z");
  await option("Action: Greet the reader kindly").waitFor();
  await page.getByRole("button", { name: "Propose …" }).click();
  await page.getByRole("textbox", { name: "Reason" }).fill("It begins without a word");
  await page.keyboard.press("Tab");
  // A dialog confirms a moment after it was shown, not by keys that were typed ahead.
  await page.locator("dialog [aria-disabled=false]").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/proposals\/prop_/);
  // It waits for a decision.
  await page.getByRole("region", { name: "Decision" }).getByRole("button", { name: "Approve" }).waitFor();
  const { out } = ground.bloom("proposals", "--json");
  // After the proposal there is no draft.
  await page.goto(`${ground.url}app/agents/librarian/diagram`);
  await page.getByRole("listbox").waitFor();
  const left = await option("Action: Greet the reader kindly").count();
  expect({ namesAgent: out.includes("librarian"), left, problems }).toEqual({
    namesAgent: true,
    left: 0,
    problems: [],
  });
});

test("U-1 an impossible command says why, before and after it is run", async () => {
  const { page, problems } = await openDiagram("librarian");
  await page.getByRole("option", { name: "End", exact: true }).click();
  await page.getByText("icon 12 (end) cannot be deleted", { exact: true }).waitFor();
  const before = await page.getByRole("button", { name: "Delete" }).getAttribute("aria-disabled");
  await page.keyboard.press("Delete");
  await page.getByText("Not possible: icon 12 (end) cannot be deleted").waitFor();
  // A line cannot lead into what lies above it without a loop.
  await page.getByRole("option", { name: /^Line: quote ← other/ }).click();
  await page.keyboard.press("m");
  await page.getByText("Select the icon that the line should lead to.").waitFor();
  await page.getByRole("option", { name: "Action: quote ← quotes[0]", exact: true }).click();
  const said = await page
    .getByText(/Not possible: icon/)
    .last()
    .textContent();
  expect({ before, said, problems }).toEqual({
    before: "true",
    said: expect.stringContaining("without a loop arrow"),
    problems: [],
  });
});

const broken = {
  name: "Broken",
  items: {
    1: { type: "branch", branchId: 0, one: "2" },
    2: { type: "question", content: "", flag1: 1, one: "3", two: "9" },
    3: { type: "action", content: "water the beds", one: "4" },
    4: { type: "end" },
  },
};

test("D-2a findings are shown at their icons and link there, and a diagram with errors cannot be proposed", async () => {
  const { page, problems } = await openDiagram("gardener");
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByRole("textbox", { name: "Or paste the text" }).fill(JSON.stringify(broken));
  await page.getByRole("button", { name: "Import text" }).click();
  await page.getByText("2 errors").waitFor();
  const marks = await page.locator(".mark.error").count();
  await page.getByRole("button", { name: /the question is empty/ }).click();
  const chosen = await page.getByRole("listbox").getByRole("option", { selected: true }).getAttribute("aria-label");
  await page.getByRole("button", { name: "Propose …" }).click();
  const dialog = page.getByRole("dialog", { name: "This diagram cannot be proposed yet" });
  const why = await dialog.getByRole("button", { name: /leads to an icon that does not exist/ }).count();
  const send = await dialog.getByRole("button", { name: "Propose", exact: true }).count();
  await page.keyboard.press("Escape");
  // Dropping all changes can be undone like any step.
  await page.getByRole("button", { name: "Discard changes" }).click();
  await page.getByText("no problems").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("2 errors").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("no problems").waitFor();
  expect({ marks, chosen, why, send, problems }).toEqual({
    marks: 1,
    chosen: "Question",
    why: 1,
    send: 0,
    problems: [],
  });
});

test("L-6 a change of an agent with runs needs a run as evidence; without one the gateway refuses", async () => {
  ground.bloom("run", "test-echo");
  await expect.poll(() => ground.bloom("runs", "--json").out, { timeout: patient(60_000) }).toContain('"completed"');
  // A window of its own: the browser logs the refused request, which the tests after this one do not expect.
  const { page, context, problems } = await openDiagram("test-echo", await ground.open());
  await page.getByRole("option", { name: /^Line: Echo/ }).click();
  await page.keyboard.press("c");
  await page.keyboard.type("Says what it was told");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Propose …" }).click();
  await page.getByRole("textbox", { name: "Reason" }).fill("It does not say what it is for");
  await page.getByRole("button", { name: "Propose", exact: true }).click();
  await page.getByRole("alert").getByText("a change of logic names at least one run as evidence").waitFor();
  await page.getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "Propose", exact: true }).click();
  await page.waitForURL(/\/proposals\/prop_/);
  await context.close();
  expect(problems.filter((problem) => !problem.includes("status of 400"))).toEqual([]);
});

test("U-1 two tabs share one diagram draft, and neither loses its own changes", async () => {
  const { context, problems } = english;
  const before = problems.length;
  const [one, two] = [await context.newPage(), await context.newPage()];
  const url = `${ground.url}app/agents/archivist/diagram`;
  const draw = async (page: typeof one, text: string): Promise<void> => {
    await page
      .getByRole("option", { name: /^Line: / })
      .first()
      .click();
    await page.keyboard.press("c");
    await page.getByRole("textbox", { name: "Text" }).fill(text);
    await page.keyboard.press("Enter");
  };
  const drawn = (page: typeof one, text: string) => page.getByRole("option", { name: `Comment: ${text}`, exact: true });
  await one.goto(url);
  await two.goto(url);
  await two.getByRole("listbox").waitFor();
  await draw(one, "from the first");
  await drawn(two, "from the first").waitFor();
  await draw(two, "from the second");
  await drawn(one, "from the second").waitFor();
  await two.getByRole("button", { name: "Undo" }).click();
  await drawn(one, "from the second").waitFor({ state: "detached" });
  // One tab leaves the page while the other continues: back here it has its own draft, and may choose.
  await one.goto(`${ground.url}app/agents`);
  await draw(two, "meanwhile");
  await drawn(two, "meanwhile").waitFor();
  await one.goto(url);
  await one.getByText("different unsaved changes in another tab").waitFor();
  const own = [await drawn(one, "from the first").count(), await drawn(one, "meanwhile").count()];
  await one.getByRole("button", { name: "Use the other one" }).click();
  await drawn(one, "meanwhile").waitFor();
  await one.getByRole("button", { name: "Discard changes" }).click();
  await drawn(two, "from the first").waitFor({ state: "detached" });
  await two.getByRole("button", { name: "Undo" }).click();
  await drawn(one, "meanwhile").waitFor();
  await one.getByRole("button", { name: "Discard changes" }).click();
  await one.close();
  await two.close();
  expect({ own, problems: problems.slice(before) }).toEqual({ own: [1, 0], problems: [] });
});

const screens = [
  { width: 360, height: 740, colorScheme: "light" },
  { width: 1280, height: 900, colorScheme: "dark" },
  { width: 2560, height: 1300, colorScheme: "light" },
] as const;

test("U-1 the editor fits any screen, and axe finds no problem in either theme", async () => {
  const { page, problems } = await openDiagram("gardener", await ground.open({ language: "uk" }));
  const seen: unknown[] = [];
  for (const { width, height, colorScheme } of screens) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await page
      .getByRole("option", { name: /^Питання/ })
      .first()
      .click();
    await page.getByRole("button", { name: /^Поміняти «так» і «ні»/ }).click();
    await page.getByRole("button", { name: "Скасувати" }).click();
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    seen.push([width, over <= 0, await complaints(page)]);
  }
  await page.context().close();
  expect({ seen, problems }).toEqual({ seen: screens.map(({ width }) => [width, true, []]), problems: [] });
});

test("I-1 a procedure in prose is shown as a first draft and taken into the editor by hand", async () => {
  const { page, problems } = await openDiagram("gardener");
  await page.getByRole("button", { name: "Import" }).click();
  const text = page.getByRole("textbox", { name: "Or paste the text" });
  await text.fill("Gardens are slow.");
  await page.getByRole("button", { name: "Import text" }).click();
  await page.getByRole("alert").waitFor();
  await text.fill("Walk:\n1. Look around\n2. Choose a note\n   - If it is old, then leave it\n3. Report it");
  await page.getByRole("button", { name: "Import text" }).click();
  await page.getByText("a first draft of 5 icons").waitFor();
  await page.getByRole("button", { name: "Use as a first draft" }).click();
  const places = page.getByRole("listbox");
  await places.getByRole("option", { name: "Action: Look around", exact: true }).waitFor();
  const questions = await places.getByRole("option", { name: "Question: it is old", exact: true }).count();
  await page.getByRole("button", { name: "Discard changes" }).click();
  expect({ questions, problems }).toEqual({ questions: 1, problems: [] });
});
