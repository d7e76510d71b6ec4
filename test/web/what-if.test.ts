import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";
import { appPath } from "./walk.ts";

/** Experiments with another answer, both ends side by side, and the sandbox. */
let ground: WebGround;
let origin = "";
let experiment = "";
beforeAll(async () => {
  ground = await webGround();
  ground.bloom("run", "librarian", "--input", "question=When does the lime tree bloom?", "--wait");
});
afterAll(() => ground.stop());

const questionOn = (page: Page) => page.getByRole("region", { name: "Question for you" });

/** Tries the other source on the page of the answered run; returns when the experiment shows what it would propose. */
async function tryOtherwise(page: Page): Promise<void> {
  await page.goto(origin);
  await page.getByRole("button", { name: "What if I had answered otherwise?" }).click();
  await questionOn(page)
    .getByRole("radio", { name: /seed-calendar/ })
    .check();
  await page.getByRole("button", { name: "Try it" }).click();
  await page.waitForURL((url) => url.href !== origin);
  await page.getByRole("button", { name: "Propose it for real" }).waitFor();
}

/** Decides on the entry of the page, and waits until the page shows it. */
async function decide(page: Page, button: string, shown: string): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await page.locator(".ending-proposal .chip").getByText(shown, { exact: true }).waitFor();
}

const pending = (): number => JSON.parse(ground.bloom("proposals", "--json").out).proposals.length;

test("U-1 S-7 an answered question is tried with the other answer, and both ends with their changes stand side by side", async () => {
  const { page, context, problems } = await ground.open({ width: 1440 });
  await page.goto(appPath(ground, "/runs?agent=librarian"));
  await page.getByRole("list", { name: "Runs" }).getByRole("link").first().click();
  const question = questionOn(page);
  await question.getByRole("radio", { name: /neighbours-almanac/ }).check();
  await question.getByRole("button", { name: "Answer", exact: true }).click();
  await page.getByRole("main").getByText("completed", { exact: true }).first().waitFor();
  origin = page.url();
  const before = pending();
  await tryOtherwise(page);
  experiment = page.url();
  await page.getByText("Would propose 1 change").waitFor();
  const ends = page.getByRole("region", { name: "Both ends" }).getByRole("article");
  await ends.first().getByText("2 to 14 July").first().waitFor();
  await ends.last().getByText("20 June").first().waitFor();
  const [left, right] = await Promise.all([ends.first().boundingBox(), ends.last().boundingBox()]);
  const found = await complaints(page);
  await ends.getByRole("link", { name: "As it was" }).click();
  await page.waitForURL(origin);
  await context.close();
  expect({ isBeside: left!.x + left!.width <= right!.x && left!.y === right!.y, found, problems }).toEqual({
    isBeside: true,
    found: [],
    problems: [],
  });
  expect(pending()).toBe(before);
});

test("U-1 S-7 on a phone, in Ukrainian, the ends stand one below the other and nothing is wider than the screen", async () => {
  const { page, context, problems } = await ground.open({ language: "uk", width: 390, height: 844, touch: true });
  await page.goto(experiment);
  const ends = page.getByRole("region", { name: "Обидва кінці" }).getByRole("article");
  await ends.last().getByText("20 June").first().waitFor();
  const [first, last] = await Promise.all([ends.first().boundingBox(), ends.last().boundingBox()]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  const found = await complaints(page);
  await context.close();
  expect({ isBelow: first!.y + first!.height <= last!.y, width, found, problems }).toEqual({
    isBelow: true,
    width: 390,
    found: [],
    problems: [],
  });
});

test("U-1 S-7 the sandbox lists what experiments would propose; one is proposed for real, another discarded", async () => {
  const { page, context, problems } = await ground.open({ theme: "dark" });
  const before = pending();
  await tryOtherwise(page);
  await page.goto(appPath(ground, "/runs"));
  await page.getByText("2 proposals of experiments").click();
  const found = await complaints(page);
  const entries = page.locator("details.sandbox").getByRole("link");
  await entries.first().click();
  await decide(page, "Discard", "discarded");
  await page.goto(appPath(ground, "/runs"));
  await page.getByText("1 proposal of experiments").click();
  await entries.first().click();
  await decide(page, "Propose it for real", "proposed for real");
  await page.locator(".ending").last().getByText("20 June").first().waitFor();
  await page
    .locator(".ending")
    .last()
    .getByRole("link", { name: /lime tree/ })
    .click();
  await page.getByRole("heading", { name: "Changes" }).waitFor();
  await page.goto(appPath(ground, "/runs"));
  await page.getByRole("list", { name: "Runs" }).getByText("Would propose 1 change").first().waitFor();
  const left = await page.locator("details.sandbox").count();
  await context.close();
  expect({ left, found, problems, more: pending() - before }).toEqual({ left: 0, found: [], problems: [], more: 1 });
});
