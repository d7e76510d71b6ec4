import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patient } from "../../src/base/testing/patience.ts";
import { bloom, type Running, started } from "../bloom.ts";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";

/** Several gardens of one machine: one served here, one served beside it, one at rest, one whose folder is gone. */
const machine = mkdtempSync(join(tmpdir(), "bloom-gardens-"));
const environment = { XDG_STATE_HOME: join(machine, "state") };
let ground: WebGround;
let roses: Running;

beforeAll(async () => {
  for (const [name, folder] of [
    ["Roses", "roses"],
    ["Allotment", "allotment"],
    ["Orchard", "orchard"],
  ] as const)
    await bloom(machine, ["init", folder, "--name", name], environment);
  rmSync(join(machine, "orchard"), { recursive: true });
  roses = await started(join(machine, "roses"), ["up", "--port", "0"], environment);
  ground = await webGround(undefined, { environment });
}, patient(120_000));

afterAll(async () => {
  await ground?.stop();
  roses?.process.kill("SIGKILL");
  await roses?.ended;
  rmSync(machine, { recursive: true, force: true });
});

test("U-1 the palette and the keyboard switch gardens too, on a phone in Ukrainian as well", async () => {
  const { page, context } = await ground.open();
  await page.locator(".side button.garden").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("switch allot");
  await page.getByRole("option", { name: /Switch to Allotment.*not running/ }).waitFor();
  await page.keyboard.press("Enter");
  await page
    .getByRole("status")
    .getByText(`bloom up --garden ${join(machine, "allotment")}`)
    .waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("roses");
  await page.getByRole("option", { name: /Switch to Roses/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.href.startsWith(/http:\S+/.exec(roses.line)![0]));
  await context.close();
  const phone = await ground.open({ width: 390, height: 844, touch: true, language: "uk", theme: "dark" });
  await phone.page.locator(".phone-top button.garden").tap();
  const list = phone.page.getByRole("group", { name: "Перейти до іншого саду" });
  await list.getByText("Ви тут").waitFor();
  expect(await complaints(phone.page)).toEqual([]);
  await phone.page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  await phone.context.close();
});

test("U-1 the switcher opens a garden that runs, tells the command of one that does not, and leaves out one that is gone", async () => {
  const { page, context, problems } = await ground.open();
  await page.locator(".side button.garden").click();
  const list = page.getByRole("group", { name: "Switch garden" });
  await list.getByText("You are here").waitFor();
  expect(await complaints(page)).toEqual([]);
  await list.getByRole("button", { name: /Allotment.*Not running/s }).click();
  expect(await list.locator("code").innerText()).toBe(`bloom up --garden ${join(machine, "allotment")}`);
  expect(await list.getByText("Orchard").count()).toBe(0);
  await list.getByRole("button", { name: "Forget" }).click();
  await list.getByRole("button", { name: /Allotment/ }).waitFor({ state: "detached" });
  const { out } = await bloom(machine, ["gardens", "--json"], environment);
  const known = (JSON.parse(out) as { gardens: { name: string; state: string }[] }).gardens;
  expect(known.map(({ name, state }) => `${name} ${state}`)).toEqual([
    "Orchard gone",
    "Roses running",
    expect.stringMatching(/Lypova Street running$/),
  ]);
  expect(problems).toEqual([]);
  await list.getByRole("link", { name: /Roses/ }).click();
  await page.getByText("Roses").first().waitFor();
  expect(page.url().startsWith(/http:\S+/.exec(roses.line)![0])).toBe(true);
  await context.close();
});
