import { readFileSync } from "node:fs";
import { join } from "node:path";
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

const settings = (): string => readFileSync(join(ground.dir, "garden.yaml"), "utf8");

test("G-7 a setting is changed in the browser as a commit, an impossible value is refused at its row, and Undo takes it back", async () => {
  const { page, context } = await ground.open();
  await page.goto(appPath(ground, "/settings"));
  const hours = page.getByLabel("Proposals expire after");
  await hours.fill("-3");
  await hours.press("Enter");
  const limits = page.getByRole("region", { name: "Limits" });
  const refused = await hours.evaluate((field: HTMLInputElement) => field.validity.rangeUnderflow);
  await hours.fill("48");
  await limits.getByRole("button", { name: "Save" }).click();
  await page.getByRole("status").getByText("Saved as a commit").waitFor();
  const saved = settings().includes("proposal_hours: 48");
  await page.getByRole("status").getByRole("button", { name: /^Undo/ }).click();
  await expect.poll(() => settings().includes("proposal_hours")).toBe(false);
  await page.getByLabel("Time zone").fill("Mars/Olympus");
  await page.getByLabel("Time zone").press("Enter");
  await page.getByRole("region", { name: "Garden" }).getByRole("alert").waitFor();
  await context.close();
  expect({ refused, saved, commits: git(ground.dir, "status", "--porcelain") }).toEqual({
    refused: true,
    saved: true,
    commits: "",
  });
});

test("U-1 the section that an address names is marked, also one that is too short to reach the top", async () => {
  const { page, context, problems } = await ground.open({ height: 700 });
  const links = page.getByRole("navigation", { name: "Sections" });
  const marked = () => links.locator("[aria-current=location]").innerText();
  const names = await (async () => {
    await page.goto(appPath(ground, "/settings"));
    await links.waitFor();
    return links
      .getByRole("link")
      .evaluateAll((all) => all.map((each) => [each.getAttribute("href"), each.textContent?.trim()]));
  })();
  const wrong: string[] = [];
  for (const [hash, name] of names) {
    await page.goto(appPath(ground, `/settings${hash}`));
    await page.reload();
    await links.waitFor();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    if ((await marked()).trim() !== name) wrong.push(`${hash}: ${await marked()}`);
  }
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, -100_000);
  await expect.poll(marked).toBe(names[0]![1]);
  await context.close();
  expect({ wrong, isLong: names.length > 8, problems }).toEqual({ wrong: [], isLong: true, problems: [] });
});

test("the garden is checked, backed up, downloaded and pushed to a remote in the browser", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/settings"));
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText(/^No problems: \d+ checks passed/).waitFor();
  await page.getByRole("button", { name: "Back up now" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).first().click();
  const name = (await download).suggestedFilename();
  const bare = join(ground.dir, "../there.git");
  git(ground.dir, "clone", "-q", "--bare", ground.dir, bare);
  const remotes = page.getByRole("region", { name: "Remotes" });
  await remotes.getByText("Add a remote").click();
  await remotes.getByLabel("Name").fill("origin");
  await remotes.getByLabel("Address").fill(bare);
  await remotes.getByRole("button", { name: "Add", exact: true }).click();
  await remotes.getByRole("button", { name: "Push" }).click();
  await page
    .getByRole("status")
    .getByText(/^Pushed/)
    .waitFor();
  await context.close();
  expect({ name, main: git(bare, "rev-parse", "main"), problems }).toEqual({
    name: expect.stringMatching(/\.bloom\.tar\.gz$/) as string,
    main: git(ground.dir, "rev-parse", "main"),
    problems: [],
  });
});

test("O-10 the settings show where the garden is kept, its engine and the process that serves it", async () => {
  const { page, context, problems } = await ground.open({ language: "uk", width: 390, height: 844 });
  await page.goto(appPath(ground, "/settings#machines"));
  const machines = page.getByRole("region", { name: "Машини" });
  await machines.getByText("Шлюз і виконавець").waitFor();
  const rows = await machines.locator(".setting-row").evaluateAll((all) => all.map((row) => row.textContent ?? ""));
  const isWithinWindow = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  await context.close();
  expect({ rows, isWithinWindow, problems }).toEqual({
    rows: [
      expect.stringContaining("Тека саду на цій машині") as string,
      expect.stringContaining("вирішує репозиторій цієї машини") as string,
      expect.stringContaining("Вбудований у кожного виконавця") as string,
      expect.stringContaining(new URL(ground.url).origin) as string,
    ],
    isWithinWindow: true,
    problems: [],
  });
});

test("P-12 the audit log is filtered by kind, and leads to the proposal", async () => {
  const { page, context } = await ground.open();
  await page.goto(appPath(ground, "/settings"));
  await page.getByRole("link", { name: "What happened" }).click();
  await page.getByLabel("Kind").selectOption("proposed");
  await page.locator(".audit-row").first().waitFor();
  await expect.poll(() => page.locator(".audit-row", { hasNotText: "change proposed" }).count()).toBe(0);
  await page.locator(".audit-row").first().getByRole("link").click();
  await page.waitForURL(/\/proposals\/prop_/);
  await context.close();
});

test("O-4 an event is published in the browser, and a request shows the proposal that came of it", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(appPath(ground, "/audit?tab=events"));
  await page.getByLabel("Event").fill("mail/received");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.locator(".audit-row", { hasText: "mail/received" }).waitFor();
  await page.getByRole("link", { name: "Requests" }).click();
  await page.getByTitle("Open the proposal").first().click();
  await page.waitForURL(/\/proposals\/prop_/);
  await context.close();
  expect(problems).toEqual([]);
});

test.each(["light", "dark"] as const)("settings and audit log are accessible in the %s theme", async (theme) => {
  const { page, context } = await ground.open({ theme });
  const found: unknown[] = [];
  for (const path of ["/settings", "/audit", "/audit?tab=requests", "/audit?tab=events"]) {
    await page.goto(appPath(ground, path));
    await page.locator("h1").first().waitFor();
    await page.waitForLoadState("networkidle");
    for (const each of await page.locator(".add-form > summary").all()) await each.click();
    found.push(...(await complaints(page)));
  }
  await context.close();
  expect(found).toEqual([]);
});
