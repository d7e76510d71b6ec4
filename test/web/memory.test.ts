import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";
import { appPath } from "./walk.ts";

let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
  ground.bloom(
    "propose",
    "memory",
    "gardener",
    "--append",
    "facts.md",
    "--text",
    "- The lime tree is old.",
    "--approve",
  );
});
afterAll(() => ground.stop());

test("M-4 M-5 memory is searched, edited and restored in the browser, each change as a proposal", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/agents/gardener?tab=memory"));
  await page.getByLabel("Search the memory").fill("lime");
  await page.getByText(/^1 place$/).waitFor();
  await page.getByRole("region", { name: "facts" }).getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  const text = dialog.getByLabel("Text");
  await text.fill(`${await text.inputValue()}- The pear tree is young.\n`);
  await dialog.getByRole("button", { name: "Propose" }).click();
  await page.waitForURL(/\/proposals\/prop_/);
  await page.getByText("The pear tree is young.").first().waitFor();
  await page.goto(appPath(ground, "/agents/gardener?tab=memory&part=snapshots"));
  await page.getByRole("button", { name: "Take a snapshot" }).click();
  await page.getByRole("button", { name: "Restore this state" }).first().click();
  await dialog.getByText("the memory changes when you approve it").waitFor();
  const found = await complaints(page);
  await page.keyboard.press("Escape");
  await page.goto(appPath(ground, "/agents/gardener?tab=memory&part=history"));
  await page.getByRole("button", { name: "Restore this state" }).first().waitFor();
  await context.close();
  expect({ found, problems }).toEqual({ found: [], problems: [] });
});

test("Z-2 A-3 an agent's permissions and the tokens of programs that act as it are set in the browser", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/agents/gardener?tab=settings"));
  const outputs = page.getByRole("region", { name: "May propose" });
  const notes = outputs.getByRole("checkbox").first();
  const before = await notes.isChecked();
  await notes.click();
  await page.getByRole("status").getByText("Saved as a commit of its contract").waitFor();
  const contract = readFileSync(join(ground.dir, "agents/gardener/_agent.md"), "utf8");
  const tokens = page.getByRole("region", { name: "Runs outside of the garden" });
  await tokens.getByLabel("Name of a new token").fill("laptop");
  await tokens.getByRole("button", { name: "Create token" }).click();
  await tokens.getByText("It is not shown again.").waitFor();
  await tokens.getByRole("button", { name: "Revoke: laptop" }).click();
  await tokens.getByRole("button", { name: "Revoke: laptop" }).waitFor({ state: "detached" });
  await context.close();
  expect({ changed: contract.includes("propose-note") !== before, problems }).toEqual({ changed: true, problems: [] });
});
