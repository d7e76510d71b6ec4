import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";
import { appPath } from "./walk.ts";

let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
});
afterAll(() => ground.stop());

/** Counts the presses of a mouse button, over all pages of the window. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction("pressed", () => void clicks++);
  await page.addInitScript(() => {
    addEventListener("pointerdown", () => (globalThis as unknown as { pressed: () => void }).pressed(), true);
  });
  await page.reload();
  return () => clicks;
}

test("U-1b an agent from a template has its first proposal approved within six clicks", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/agents"));
  const clicks = await countClicks(page);
  const began = performance.now();
  await page.getByRole("link", { name: "New agent" }).click();
  await page.getByRole("button", { name: /^Selected|Daily note/ }).click();
  await page.getByRole("button", { name: "Create, activate and run" }).click();
  await page.waitForURL(/\/app\/runs\/run_/);
  await page.getByRole("link", { name: /Note of the day/ }).click();
  await page.waitForURL(/\/app\/proposals\/prop_/);
  const approve = page.getByRole("button", { name: /^Approve/ });
  await approve.and(page.locator(":not([aria-disabled=true]):not(:disabled)")).waitFor();
  await approve.click();
  await expect
    .poll(() => git(ground.dir, "log", "--format=%s", "-3", "main"), { timeout: 30_000 })
    .toContain("[daily-note] Note of the day");
  const seconds = (performance.now() - began) / 1000;
  process.stdout.write(`first approved proposal of a new agent: ${clicks()} clicks, ${seconds.toFixed(1)} s\n`);
  await context.close();
  expect({ fewClicks: clicks() <= 6, problems }).toEqual({ fewClicks: true, problems: [] });
});

test("U-1b an agent comes from pseudocode, from an empty drawing and from an exported file", async () => {
  const { page, context, problems } = await ground.open();
  const dialog = page.getByRole("dialog");
  await page.goto(appPath(ground, "/new-agent"));
  await page.getByRole("button", { name: "From pseudocode" }).click();
  const procedure = dialog.getByLabel("Procedure");
  const valid = await procedure.inputValue();
  await procedure.fill(valid.replace("END", ""));
  await dialog.getByLabel(/^Name/).fill("from-text");
  await dialog.getByRole("button", { name: "Create draft" }).click();
  await dialog.getByRole("alert").waitFor();
  await procedure.fill(valid);
  await dialog.getByRole("button", { name: "Create draft" }).click();
  await page.waitForURL(/\/agents\/from-text\?tab=contract/);

  await page.goto(appPath(ground, "/new-agent"));
  await page.getByRole("button", { name: "Start blank" }).click();
  await dialog.getByLabel(/^Name/).fill("blank");
  await dialog.getByRole("button", { name: "Create draft" }).click();
  await page.waitForURL(/\/agents\/blank\/diagram/);

  const file = join(ground.dir, "..", "gardener.agent.json");
  ground.bloom("agent", "export", "gardener", file);
  await page.goto(appPath(ground, "/agents"));
  await page.getByRole("button", { name: "Import…" }).click();
  writeFileSync(`${file}.txt`, "no agent");
  await dialog.getByLabel("Exported file").setInputFiles(`${file}.txt`);
  await dialog.getByRole("button", { name: "Create draft" }).click();
  await dialog.getByText("this file is not an exported agent").waitFor();
  await dialog.getByLabel("Exported file").setInputFiles(file);
  await expect.poll(() => dialog.getByLabel(/^Name/).inputValue()).toBe("gardener-2");
  await dialog.getByRole("button", { name: "Create draft" }).click();
  await page.waitForURL(/\/agents\/gardener-2\?tab=contract/);
  await context.close();
  const procedureOf = (slug: string): string => readFileSync(join(ground.dir, "agents", slug, "pseudocode.md"), "utf8");
  expect({
    text: procedureOf("from-text"),
    copy: procedureOf("gardener-2"),
    problems: problems.filter((problem) => !problem.includes("status of 400")),
  }).toEqual({ text: valid, copy: procedureOf("gardener"), problems: [] });
});

test("C-7 the list groups agents by who must act, and a stopped one says why with its repair", async () => {
  const file = join(ground.dir, "agents", "librarian", "_agent.md");
  const good = readFileSync(file, "utf8");
  writeFileSync(file, good.replace(/^status:.*$/m, 'status: "error"'));
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/agents"));
  const row = page.getByRole("region", { name: "Needs you" }).getByRole("listitem").filter({ hasText: "Librarian" });
  const [state, why] = [
    await row.getByText(/^Stopped/).textContent(),
    await row.getByText("its checks pass now").textContent(),
  ];
  await page.getByText("librarian has stopped").waitFor();
  await row.getByRole("button", { name: "Check and resume" }).click();
  await page.getByRole("region", { name: "At work" }).getByText("Librarian").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("renamed");
  await page.getByText("Echo").waitFor({ state: "detached" });
  const left = await page.getByRole("listitem").filter({ hasText: "Gardener" }).count();
  await context.close();
  expect({ state: state?.slice(0, 7), why, left: left > 0, problems }).toEqual({
    state: "Stopped",
    why: "its checks pass now",
    left: true,
    problems: [],
  });
});

test.each([
  { theme: "light", width: 1440, language: "en" },
  { theme: "dark", width: 390, language: "uk" },
] as const)(
  "U-1 the list and the gallery have no accessibility faults: $theme, $width wide, $language",
  async (how) => {
    const { page, context } = await ground.open({ ...how, touch: how.width < 700 });
    await page.goto(appPath(ground, "/agents"));
    await page.locator(".agent-row").first().waitFor();
    const list = await complaints(page);
    await page.goto(appPath(ground, "/new-agent"));
    await page.locator(".template").first().click();
    await page.locator(".chosen-template").waitFor();
    const gallery = await complaints(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    await context.close();
    expect({ list, gallery, overflow }).toEqual({ list: [], gallery: [], overflow: false });
  },
);
