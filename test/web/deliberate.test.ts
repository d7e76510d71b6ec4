import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type WebGround, type Window, webGround } from "./ground.ts";
import { appPath, isArmed, propose } from "./walk.ts";

/** Held keys, double clicks and keys typed ahead decide at most on the proposal that was read. */
let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
});
afterAll(() => ground.stop());

/** Longer gaps than this are a slow machine, not a double press. */
const QUICK_MS = 600;

const pause = (page: Page, ms: number): Promise<unknown> => page.waitForTimeout(ms);

/** The ids that are pending. */
async function pendingIds({ context }: Pick<Window, "context">): Promise<string[]> {
  const answer = await context.request.get(new URL("/proposals/pending?limit=500", ground.url).href);
  const { proposals } = (await answer.json()) as { proposals: { id: string }[] };
  return proposals.map(({ id }) => id);
}

/** Presses twice; false if the machine was too slow for a double press. */
async function twice(page: Page, gapMs: number, press: () => Promise<unknown>): Promise<boolean> {
  const start = performance.now();
  await press();
  await pause(page, gapMs);
  await press();
  return performance.now() - start < gapMs + QUICK_MS / 2;
}

async function hold(page: Page, key: string): Promise<boolean> {
  for (let round = 0; round < 28; round++) {
    await page.keyboard.down(key); // from the second on with `repeat`
    await pause(page, 50);
  }
  await page.keyboard.up(key);
  return true;
}

async function centreOf(page: Page): Promise<{ x: number; y: number }> {
  const box = (await page.getByRole("button", { name: /^Approve/ }).boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

interface Accident {
  readonly name: string;
  /** Presses before the bar is armed. */
  readonly early?: boolean;
  readonly touch?: boolean;
  /** The number of proposals that the person meant to decide. */
  readonly meant: number;
  press(page: Page): Promise<boolean>;
}

const accidents: readonly Accident[] = [
  { name: "`a` held for 1.4 s", meant: 1, press: (page) => hold(page, "a") },
  { name: "`a` held while the page opens", early: true, meant: 0, press: (page) => hold(page, "a") },
  { name: "`a` twice within 450 ms", meant: 1, press: (page) => twice(page, 400, () => page.keyboard.press("a")) },
  {
    name: "two clicks within 500 ms",
    meant: 1,
    async press(page) {
      const { x, y } = await centreOf(page);
      return twice(page, 400, () => page.mouse.click(x, y));
    },
  },
  {
    name: "a double tap",
    touch: true,
    meant: 1,
    async press(page) {
      const { x, y } = await centreOf(page);
      return twice(page, 200, () => page.touchscreen.tap(x, y));
    },
  },
  {
    name: "Enter held on the button",
    meant: 1,
    async press(page) {
      await page.getByRole("button", { name: /^Approve/ }).focus();
      return hold(page, "Enter");
    },
  },
  {
    name: "`j` and `a` typed ahead four times",
    early: true,
    meant: 0,
    async press(page) {
      const start = performance.now();
      for (const key of "jajajaja") await page.keyboard.press(key);
      return performance.now() - start < QUICK_MS;
    },
  },
  {
    name: "an impatient `a` every 400 ms",
    meant: 1,
    async press(page) {
      let isQuick = true;
      for (let round = 0; round < 4; round++)
        isQuick = (await twice(page, 400, () => page.keyboard.press("a"))) && isQuick;
      return isQuick;
    },
  },
];

test.for(accidents)("P-10a $name decides nothing that was not read", async (accident) => {
  const window = await ground.open({ touch: accident.touch ?? false });
  const { page, context } = window;
  const decided: number[] = [];
  // A slow machine may not press fast enough: then it tries again.
  for (let attempt = 0; attempt < 10; attempt++) {
    for (let made = 0; made < 5; made++) {
      const name = `accident ${accidents.indexOf(accident)} ${attempt} ${made}`;
      await propose(ground, window, { path: `notes/${name}.md`, text: `# ${name}\n` }, `Write ${name}`);
    }
    const before = await pendingIds(window);
    await page.goto(appPath(ground, `/proposals/${before.at(-5)!}`));
    await page.getByRole("button", { name: /^Approve/ }).waitFor();
    if (accident.early !== true) await isArmed(page);
    const isQuick = await accident.press(page);
    await pause(page, 500);
    const after = await pendingIds(window);
    decided.push(before.filter((id) => !after.includes(id)).length);
    if (isQuick) break;
    decided.pop();
  }
  await context.close();
  expect(decided).toEqual([accident.meant]);
});

test("P-10a a double click on a batch opens the dialog and decides nothing", async () => {
  const { page, context } = await ground.open();
  await page.goto(appPath(ground, "/proposals?group=none"));
  const before = await pendingIds({ context });
  await page.getByRole("button", { name: /^Select (?:all|the first)/ }).click();
  const button = page.getByRole("button", { name: /^Approve \d+$/ }).first();
  await button.focus();
  await hold(page, "Enter");
  const after = await pendingIds({ context });
  const dialogs = await page.getByRole("dialog").count();
  await context.close();
  expect({ decided: before.length - after.length, dialogs }).toEqual({ decided: 0, dialogs: 1 });
});
