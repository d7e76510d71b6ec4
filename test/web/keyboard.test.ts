import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { type WebGround, webGround } from "./ground.ts";
import { propose } from "./walk.ts";

/** Everything an owner does, with the keyboard alone: no mouse, no focus that a script sets, nothing filled in but by keys. */
let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
});
afterAll(() => ground.stop());

/** How the focused element shows its focus; "nowhere" if no element has the focus. */
const focusShown = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return "nowhere";
    // The frame around a field, which looks like the field itself, may show the focus for it.
    const frame = element.matches("input, textarea") ? element.parentElement : null;
    const isShown = [element, ...(frame ? [frame] : [])].some((each) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(each);
      return outlineStyle !== "none" && outlineWidth !== "0px";
    });
    return isShown ? "shown" : `unseen: ${element.tagName} ${element.className} ${element.textContent.slice(0, 30)}`;
  });

class Hands {
  readonly page: Page;
  /** The elements whose focus was not visible. */
  readonly unseen: string[] = [];
  constructor(page: Page) {
    this.page = page;
  }

  /** Presses Tab until this element has the focus. */
  async reach(wanted: Locator): Promise<void> {
    await wanted.first().waitFor();
    for (let tabs = 0; tabs < 150; tabs++) {
      if (await wanted.first().evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press("Tab");
      const shown = await focusShown(this.page);
      if (shown.startsWith("unseen")) this.unseen.push(shown);
    }
    throw new Error(`no way to ${String(wanted)} by Tab`);
  }

  async press(wanted: Locator): Promise<void> {
    await this.reach(wanted);
    // A button that decides is armed a moment after it was shown.
    await expect.poll(() => wanted.first().getAttribute("aria-disabled"), { timeout: 20_000 }).not.toBe("true");
    await this.page.keyboard.press("Enter");
  }

  /** Presses the keys in order. */
  async keys(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Waits until this element, or an element inside it, has the focus. */
  async isAt(wanted: Locator): Promise<void> {
    await expect
      .poll(
        () =>
          wanted
            .first()
            .evaluate((element) => element === document.activeElement || element.contains(document.activeElement)),
        {
          message: `focus at ${String(wanted)}`,
          timeout: 30_000,
        },
      )
      .toBe(true);
  }
}

test("U-1 an owner can do everything with the keyboard alone", async () => {
  const { page, context, problems } = await ground.open();
  for (const name of ["kale", "leek"])
    await propose(ground, { context }, { path: `notes/${name}.md`, text: `# ${name}\n` }, `Sow ${name}`);
  await propose(ground, { context }, { path: "notes/sorrel.md", text: "# Sorrel\n\nIn Mai.\n" }, "Sow sorrel");
  await page.reload();
  const hands = new Hands(page);
  const main = page.getByRole("main");
  const status = page.getByRole("status");

  // The first stop of the page leads past the menu.
  await main.getByRole("heading", { name: "Today" }).waitFor();
  await page.keyboard.press("Tab");
  await hands.isAt(page.getByRole("link", { name: "Skip to content" }));
  await page.keyboard.press("Enter");
  await hands.isAt(main);

  // A run with inputs, and its request.
  await hands.press(page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Agents" }));
  await hands.press(main.getByRole("link", { name: "Librarian" }));
  await hands.press(main.getByRole("button", { name: "Run now" }));
  const dialog = page.getByRole("dialog");
  await hands.isAt(dialog.getByLabel("question"));
  await page.keyboard.type("When does the lime tree bloom?");
  await hands.press(dialog.getByRole("button", { name: "Run now" }));
  await page.waitForURL(/\/runs\/run_/);
  await hands.isAt(main);
  await hands.reach(page.getByRole("radio").first());
  await page.keyboard.press("Space");
  while (!(await page.getByRole("radio", { name: /neighbours-almanac/ }).isChecked()))
    await page.keyboard.press("ArrowDown");
  await hands.press(page.getByRole("button", { name: "Answer", exact: true }));
  await status.getByText("Answered.").waitFor();
  await hands.isAt(main); // the form is gone

  // Its proposal is rejected, with a reason.
  await hands.press(page.getByRole("link", { name: /lime tree/i }));
  await page.getByRole("heading", { name: "Changes" }).waitFor();
  await hands.isAt(main);
  await page.keyboard.press("r");
  await hands.isAt(dialog.getByLabel(/^Reason/));
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await hands.isAt(main); // as before it
  await page.keyboard.press("r");
  await page.keyboard.type("The neighbours know less");
  await hands.press(dialog.getByRole("button", { name: "Reject" }));
  await status.getByText("Rejected.").waitFor();
  await hands.isAt(main); // of the next one

  // Another proposal is edited and approved.
  await hands.keys("g", "p");
  await hands.press(page.getByRole("link", { name: "Sow sorrel" }));
  await page.getByRole("heading", { name: "Changes" }).waitFor();
  await page.keyboard.press("e");
  await hands.isAt(dialog.getByLabel("Text to approve"));
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("# Sorrel\n\nIn May.\n");
  await hands.press(dialog.getByRole("button", { name: "Approve this text" }));
  await status.getByText("Approved.").waitFor();
  await hands.isAt(main);

  // All new notes together.
  await hands.keys("g", "p");
  await hands.press(page.getByRole("button", { name: "Filter by agent and kind" }));
  await hands.reach(page.getByRole("combobox", { name: "Kind" }));
  await page.keyboard.type("new note");
  await page.waitForURL(/action=propose-note/);
  await hands.press(page.getByRole("button", { name: "Select all" }));
  await hands.press(page.getByRole("button", { name: "Approve 2" }));
  await hands.press(dialog.getByRole("button", { name: "Approve 2" }));
  await status.getByText("Decided: 2").waitFor();
  await hands.isAt(main);

  // A run is requested again and cancelled; an ended run is forked.
  await hands.keys("g", "r");
  await hands.press(page.getByRole("list", { name: "Runs" }).getByRole("link", { name: "librarian" }));
  await hands.press(page.getByRole("button", { name: "Run again" }));
  await hands.press(dialog.getByRole("button", { name: "Run now" }));
  await hands.press(page.getByRole("button", { name: "Cancel run" }));
  await hands.isAt(dialog.getByLabel(/^Reason/));
  await page.keyboard.type("Not today");
  await hands.press(dialog.getByRole("button", { name: "Cancel run" }));
  await main.getByText("cancelled", { exact: true }).first().waitFor();
  await hands.isAt(main);
  await hands.keys("g", "r");
  const ended = page.getByRole("list", { name: "Runs" }).getByRole("listitem").filter({ hasText: "completed" });
  await hands.press(ended.first().getByRole("link"));
  await hands.press(page.locator("details summary").first());
  await hands.press(page.getByRole("button", { name: "Fork here" }));
  await hands.isAt(dialog);
  await hands.press(dialog.getByRole("button", { name: "Fork here" }));
  await main.getByRole("link", { name: "fork at step 1" }).waitFor();
  await hands.isAt(main);

  // The keys themselves, the language and the theme.
  await page.keyboard.press("?");
  await hands.isAt(page.getByRole("dialog", { name: "Keyboard shortcuts" }));
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor({ state: "hidden" });
  await hands.isAt(main);
  await hands.press(page.getByRole("button", { name: "Your menu" }));
  await hands.isAt(page.getByRole("radio", { name: "English" }));
  await page.keyboard.press("ArrowUp");
  await page.getByRole("navigation", { name: "Розділи" }).waitFor();
  await hands.isAt(page.getByRole("radio", { name: "Українська" }));
  await hands.reach(page.getByRole("radiogroup", { name: "Тема" }).getByRole("radio", { checked: true }));
  await hands.keys("ArrowDown", "ArrowDown");
  const look = await page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset["theme"]]);
  await context.close();
  expect({
    look,
    note: git(ground.dir, "show", "main:notes/sorrel.md"),
    unseen: [...new Set(hands.unseen)],
    problems,
  }).toEqual({ look: ["uk", "dark"], note: "# Sorrel\n\nIn May.", unseen: [], problems: [] });
});
