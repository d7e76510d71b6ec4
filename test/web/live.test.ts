import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { patient } from "../../src/base/testing/patience.ts";
import { bloomNow, started } from "../bloom.ts";
import { type WebGround, type Window, webGround } from "./ground.ts";
import { type SlowModel, slowModel } from "./slow-model.ts";
import { appPath, propose } from "./walk.ts";

/** Pages show changes of other processes without a reload: at once and after a lost connection; hidden pages request nothing. */
let ground: WebGround;
let model: SlowModel;
beforeAll(async () => {
  model = await slowModel();
  ground = await webGround((dir) => {
    bloomNow(dirname(dir), ["demo", dir, "--lang", "en"]);
    const settings = join(dir, "garden.yaml");
    writeFileSync(settings, `${readFileSync(settings, "utf8")}\nmodels:\n  local: { url: "${model.url}" }\n`);
    const contract = join(dir, "agents/test-echo/_agent.md");
    writeFileSync(contract, readFileSync(contract, "utf8").replace('"bloom/follower"', '"local/slow"'));
  });
});
afterEach(() => ground.up());
afterAll(async () => {
  await ground.stop();
  model.stop();
});

/** Another process requests a run of the agent whose model waits. Returns when the run is in the middle, waiting for its model. */
async function runElsewhere(): Promise<string> {
  const { line, ended } = await started(ground.dir, ["run", "test-echo"]);
  await ended;
  await model.asked();
  return /run_[\w-]+/.exec(line)![0];
}

/** The row of the agent's newest run in the list. */
const firstRun = (page: Page, agent = "test-echo") =>
  page.getByRole("list", { name: "Runs" }).getByRole("listitem").filter({ hasText: agent }).first();

/** Three pages that show a run, and the text of each while the run is active and after its end. */
async function watching(
  run?: string,
): Promise<{ readonly list: Page; seen(state: "running" | "completed"): Promise<void>; close(): Promise<void> }> {
  const [list, today] = [await ground.open(), await ground.open()];
  await list.page.goto(appPath(ground, "/runs"));
  await list.page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
  await today.page
    .getByText("Nothing is running.")
    .or(today.page.getByRole("region", { name: "Running now" }).getByRole("listitem"))
    .first()
    .waitFor();
  const one = run === undefined ? undefined : await ground.open();
  await one?.page.goto(appPath(ground, `/runs/${run}`));
  const now = today.page.getByRole("region", { name: "Running now" });
  return {
    list: list.page,
    async seen(state) {
      await firstRun(list.page).getByText(state, { exact: true }).waitFor();
      if (state === "running") await now.getByRole("link", { name: "test-echo" }).waitFor();
      else await now.getByText("Nothing is running.").waitFor();
      await one?.page.getByRole("main").getByText(state, { exact: true }).first().waitFor();
    },
    async close() {
      for (const window of [list, today, one]) await window?.context.close();
    },
  };
}

test("U-1 A-4 every page that shows a run of another process updates when it starts and ends", async () => {
  const pages = await watching();
  const run = await runElsewhere();
  await pages.seen("running");
  const page = await watching(run);
  await page.seen("running");
  model.answer();
  await pages.seen("completed");
  await page.seen("completed");
  await pages.close();
  await page.close();
});

test("U-1 A-4 a response older than an event is requested again, so no change is missed", async () => {
  const witness = await ground.open();
  await witness.page.goto(appPath(ground, "/proposals"));
  const { page, context } = await ground.open();
  const held: { readonly route: Route; readonly body: string }[] = [];
  let taken = 0;
  const isHeld = Promise.withResolvers<void>();
  // The gateway answers the first request of each list at once, but the response arrives late.
  await context.route(/\/proposals\/pending/, async (route) => {
    const isOfList = new URL(route.request().frame().url()).pathname === "/app/proposals";
    if (!isOfList || taken === 2) return route.continue();
    taken += 1;
    const answer = await route.fetch();
    held.push({ route, body: await answer.text() });
    if (held.length === 2) isHeld.resolve();
  });
  await page.goto(appPath(ground, "/proposals")); // one for the list, one for the number beside its name
  await isHeld.promise;
  const wish = { path: "notes/late.md", text: "# Late\n" };
  await propose(ground, { context }, wish, "Write it late");
  await witness.page.getByRole("link", { name: "Write it late" }).waitFor();
  const wasOld = held.every(({ body }) => !body.includes("Write it late"));
  for (const { route, body } of held) await route.fulfill({ body, contentType: "application/json" });
  await page.getByRole("link", { name: "Write it late" }).waitFor();
  await context.close();
  await witness.context.close();
  expect(wasOld).toBe(true);
});

test("U-1 A-4 a page shows without a reload what happened while the server was down", async () => {
  const run = await runElsewhere();
  const pages = await watching(run);
  await pages.seen("running");
  await ground.down();
  await (await started(ground.dir, ["run", "gardener", "--wait"])).ended; // works alone
  await ground.up();
  await model.asked().then(() => model.answer()); // the interrupted call is made again by the server
  await pages.seen("completed");
  await firstRun(pages.list, "gardener").waitFor();
  await pages.close();
});

/** Hides the page as if another tab were in front, or shows it again. */
const turnAway = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    Object.defineProperty(document, "visibilityState", {
      configurable: true,
      get: () => (hidden ? "hidden" : "visible"),
    });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, isHidden);

/** A window with a manual clock, and the paths that it requested. */
async function counted(withEvents: boolean): Promise<Window & { readonly asked: string[] }> {
  const window = await ground.open();
  const asked: string[] = [];
  if (!withEvents) await window.context.route(/\/events$/, (route) => route.abort());
  window.page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/app/")) asked.push(pathname);
  });
  await window.page.clock.install();
  await window.page.goto(appPath(ground, "/runs"));
  await window.page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
  return { ...window, asked };
}

/** Waits until the page requests this path. */
const asksFor = ({ page }: Window, path: string): Promise<unknown> =>
  page.waitForRequest((request) => new URL(request.url()).pathname === path);

test("U-1 A-4 a page without events polls every few seconds, and shows the end of a run", async () => {
  const window = await counted(false);
  const run = await runElsewhere();
  for (let rounds = 0; rounds < 2; rounds++) {
    const asks = asksFor(window, "/runs");
    await window.page.clock.fastForward(11_000);
    await asks;
  }
  await firstRun(window.page).getByText("running", { exact: true }).waitFor();
  model.answer();
  ground.bloom("run", "status", run); // takes no part: only the page's own asking can show it
  await expect
    .poll(
      async () => {
        await window.page.clock.fastForward(11_000);
        return firstRun(window.page).innerText();
      },
      { timeout: patient(60_000) },
    )
    .toContain("completed");
  await window.context.close();
});

test.for([
  ["by events", true],
  ["by polling", false],
] as const)(
  "U-1 A-4 a page that updates %s requests nothing while it is hidden, and catches up when it is visible",
  async ([, withEvents]) => {
    const window = await counted(withEvents);
    const { page, context, asked } = window;
    await page.waitForLoadState("load");
    await turnAway(page, true);
    await page.clock.fastForward(1000);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    await expect
      .poll(
        async () => {
          const before = asked.length;
          await page.evaluate(() => fetch("/health"));
          return asked.length - before;
        },
        { timeout: patient(60_000) },
      )
      .toBe(1); // no other request is pending
    const before = asked.length;
    for (let minutes = 0; minutes < 10; minutes++) await page.clock.fastForward(60_000);
    await page.evaluate(() => fetch("/health"));
    const hidden = asked.slice(before);
    ground.bloom("run", "gardener", "--wait");
    const asks = asksFor(window, "/runs");
    await turnAway(page, false);
    await asks;
    await firstRun(page, "gardener").waitFor();
    await context.close();
    expect(hidden).toEqual(["/health"]);
  },
);

test("U-1 A-4 an event stream without heartbeat is detected as dead and opened again", async () => {
  const window = await counted(true);
  await firstRun(window.page).waitFor();
  const opens = asksFor(window, "/events");
  await window.page.clock.fastForward(60_000); // without a heartbeat of the gateway
  await opens;
  await window.context.close();
});
