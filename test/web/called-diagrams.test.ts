import { afterAll, beforeAll, expect, test } from "vitest";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";

let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
});
afterAll(() => ground.stop());

test("D-7 L-6 a called diagram is drawn in place and proposed with its caller as one change", async () => {
  const { page, problems } = await ground.open();
  await page.goto(`${ground.url}app/agents/librarian/diagram`);
  const list = page.getByRole("listbox");
  const option = (name: string) => page.getByRole("option", { name, exact: true });
  const write = async (key: string, text: string): Promise<void> => {
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press(key);
    await page
      .getByRole("textbox", { name: "Text" })
      .or(page.getByRole("textbox", { name: "Name" }))
      .first()
      .waitFor();
    await page.keyboard.type(text);
    await page.keyboard.press("Control+Enter");
  };
  await list.waitFor();
  await list.focus();
  await write("i", "Look closely");
  const panel = page.getByRole("region", { name: "Called diagram" });
  await panel.getByText("No diagram of this agent is called “Look closely” yet.").waitFor();
  await panel.getByRole("button", { name: "Draw it" }).click();
  const path = page.getByRole("navigation", { name: "Open diagram" });
  await path.getByText("Look closely").waitFor();
  await list.focus();
  await write("a", "Read it twice");
  await option("Action: Read it twice").waitFor();
  // Undo and redo go to the diagram where the step was made.
  await path.getByRole("button").first().click();
  await option("Call a diagram: Look closely").waitFor();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+Shift+z");
  await option("Action: Read it twice").waitFor();
  // Everything is kept over a reload, and opens with a key.
  await page.reload();
  await option("Call a diagram: Look closely").click();
  await page.keyboard.press("o");
  await option("Action: Read it twice").waitFor();
  await page.getByRole("button", { name: "Propose …" }).click();
  await page.getByRole("textbox", { name: "Reason" }).fill("It reads too fast");
  await page.keyboard.press("Tab");
  await page.locator("dialog [aria-disabled=false]").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/proposals\/prop_/);
  // Both diagrams are in the review.
  const parts = page.getByRole("group", { name: "Changed diagrams" });
  await parts.getByRole("button", { name: /look-closely/ }).click();
  await page.locator(".moved-drawing").getByText("Read it twice").first().waitFor();
  const found = await complaints(page);
  expect({ found, problems }).toEqual({ found: [], problems: [] });
});
