import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { type WebGround, webGround } from "./ground.ts";
import { isArmed } from "./walk.ts";

let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
});
afterAll(() => ground.stop());

test("U-1 P-10 a proposal is reviewed and approved with the keyboard, and is a commit", async () => {
  const before = git(ground.dir, "rev-parse", "main");
  const { page, problems } = await ground.open();
  await page.locator("a.place[title=Review]").click();
  await page.getByRole("link", { name: "Keep four sacks of leaves" }).click();
  await page.getByRole("heading", { name: "Changes" }).waitFor();
  await isArmed(page);
  await page.keyboard.press("a");
  await page.getByRole("status").getByText("Approved.").waitFor();
  await page.context().close();
  expect({
    isOneCommit: git(ground.dir, "rev-parse", "main^") === before,
    subject: git(ground.dir, "log", "-1", "--format=%s", "main"),
    problems,
  }).toEqual({ isOneCommit: true, subject: "[owner] Keep four sacks of leaves", problems: [] });
});
