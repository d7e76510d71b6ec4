import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";
import { appPath, isArmed, propose } from "./walk.ts";

/** An owner with a phone in the hand: 390 points, a touch screen, no network now and then. */
let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
});
afterAll(() => ground.stop());

const PHONE = { width: 390, height: 844, touch: true } as const;

/** Controls that are smaller than a finger, and chrome above the title that is higher than 52 points. */
const tooSmall = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const bars = [...document.querySelectorAll(".tab-bar :is(a, button), .phone-top :is(a, button)")];
    const small = bars.filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.textContent);
    const top = document.querySelector(".phone-top")!.getBoundingClientRect().height;
    return top > 53 ? [...small, `top ${top}`] : small;
  });

test("U-1 a phone leads to every place by its tab bar, and nothing is too small or too wide", async () => {
  const { page, context, problems } = await ground.open(PHONE);
  const bar = page.getByRole("navigation", { name: "Places" });
  const found: string[] = [];
  const arrive = async (address: RegExp): Promise<void> => {
    await page.waitForURL(address);
    await page.getByRole("main").getByRole("heading", { level: 1 }).first().waitFor();
    found.push(...(await tooSmall(page)).map((each) => `${page.url()} ${each}`));
    const over = await page.evaluate(() => document.scrollingElement!.scrollWidth - innerWidth);
    if (over > 0) found.push(`${page.url()}: ${over} too wide`);
  };
  for (const [name, address] of [
    ["Review", /\/proposals$/],
    ["Notes", /\/notes$/],
    ["Agents", /\/agents$/],
    ["Today", /\/app\/$/],
  ] as const) {
    await bar.getByRole("link", { name }).tap();
    await arrive(address);
  }
  for (const [name, address] of [
    ["Runs", /\/runs$/],
    ["Ask", /\/ask$/],
    ["Why", /\/why$/],
    ["Settings", /\/settings/],
  ] as const) {
    await bar.getByRole("button", { name: "More" }).tap();
    await page.getByRole("group", { name: "More" }).getByRole("link", { name }).tap();
    await arrive(address);
  }
  await page.getByRole("button", { name: "Find or do" }).tap();
  await page.getByRole("dialog", { name: "Find or do" }).getByRole("combobox").fill("compost");
  await page
    .getByRole("option", { name: /compost/ })
    .first()
    .tap();
  await page.waitForURL(/\/notes\/.*compost\.md$/);
  await page.getByRole("article").getByRole("heading", { level: 1, name: "Compost", exact: true }).waitFor();
  found.push(...(await complaints(page)));
  await context.close();
  expect({ found, problems }).toEqual({ found: [], problems: [] });
});

test("an installed app opens without the garden and shows what was read last; a decision fails and says so", async () => {
  const { page, context } = await ground.open({ ...PHONE, installed: true });
  const id = await propose(ground, { context }, { path: "notes/sloe.md", text: "# Sloe\n" }, "Plant a sloe");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.goto(appPath(ground, `/proposals/${id}`));
  await page.getByRole("button", { name: /^Approve/ }).waitFor();
  await expect
    .poll(() => page.evaluate(async () => (await (await caches.open("bloom-reads")).keys()).length))
    .toBeGreaterThan(3);
  await ground.down();
  await page.reload();
  await page.getByText("The garden is not reachable. You see what was read last").waitFor();
  await page.getByText("Plant a sloe").first().waitFor();
  await isArmed(page);
  await page.getByRole("button", { name: /^Approve/ }).tap();
  await page
    .getByRole("alert")
    .getByText(/not known yet whether your change was made|nothing was sent/)
    .waitFor();
  const { manifest, hasIcons } = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=manifest]")!;
    return {
      manifest: new URL(link.href).pathname,
      hasIcons: document.querySelector("link[rel=apple-touch-icon]") !== null,
    };
  });
  await ground.up();
  await page.getByText("The garden is not reachable").waitFor({ state: "hidden" });
  const status = (await (await context.request.get(new URL(`/proposals/${id}`, ground.url).href)).json()) as {
    proposal: { status: string };
  };
  await context.close();
  expect({
    manifest,
    hasIcons,
    status: status.proposal.status,
    commits: git(ground.dir, "log", "--format=%s", "main").includes("sloe"),
  }).toEqual({ manifest: "/app/manifest.json", hasIcons: true, status: "pending", commits: false });
});

test("the files of an installed app have the right types, and its icons are pictures", async () => {
  const { context } = await ground.open();
  const get = async (path: string): Promise<string> => {
    const answer = await context.request.get(new URL(path, ground.url).href);
    return `${answer.status()} ${answer.headers()["content-type"]} ${answer.headers()["cache-control"]}`;
  };
  const manifest = (await (await context.request.get(new URL("/app/manifest.json", ground.url).href)).json()) as {
    icons: { src: string; type: string }[];
  };
  const icons = await Promise.all(
    manifest.icons.map(async ({ src, type }) => (await get(src)).includes(`200 ${type}`)),
  );
  const worker = await get("/app/sw.js");
  await context.close();
  expect({ icons, worker }).toEqual({
    icons: icons.map(() => true),
    worker: "200 text/javascript; charset=UTF-8 no-cache",
  });
});

test.for([
  ["en", 1440],
  ["uk", 1440],
  ["en", 390],
] as const)("nothing on the first page moves while it loads (%s, %i points)", async ([language, width]) => {
  const { page, context } = await ground.open({ language, width });
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(globalThis, { moved });
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as unknown as { value: number; sources: { node: Element }[] }[])
        moved.push(`${shift.value.toFixed(3)} ${shift.sources.map(({ node }) => node?.className).join(", ")}`);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(appPath(ground, "/"));
  await page.getByRole("main").getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("networkidle", { timeout: 3000 }).catch(() => undefined);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const moved = await page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved);
  await context.close();
  expect(moved).toEqual([]);
});
