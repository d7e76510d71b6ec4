import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patient } from "../../src/base/testing/patience.ts";
import { complaints } from "./axe.ts";
import { type WebGround, type Window, webGround } from "./ground.ts";
import { appPath, isArmed, propose } from "./walk.ts";

/** The review workspace: queue, change, context, remarks and send-back. */
let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
  ground.bloom("run", "gardener", "--wait");
  ground.bloom("run", "archivist", "--wait");
});
afterAll(() => ground.stop());

interface Read {
  readonly proposal: { status: string; approval?: { revision_requested?: { run: string }; decision_note?: string } };
  readonly remarks: readonly { readonly text: string; readonly place?: { readonly line: number } }[];
}

async function read({ context }: Pick<Window, "context">, id: string): Promise<Read> {
  return (await (await context.request.get(new URL(`/proposals/${id}`, ground.url).href)).json()) as Read;
}

/** The id of the first pending proposal of an agent with this action. */
async function pendingOf({ context }: Pick<Window, "context">, agent: string, action: string): Promise<string> {
  const address = new URL(`/proposals/pending?agent=${agent}&action=${action}`, ground.url).href;
  const { proposals } = (await (await context.request.get(address)).json()) as { proposals: { id: string }[] };
  return proposals[0]!.id;
}

const title = (page: Page) => page.locator("#change-title");

test("U-1 selecting in the queue shows another change without loading a page, with its context beside it", async () => {
  const { page, context, problems } = await ground.open({ width: 1440 });
  await page.goto(appPath(ground, "/proposals"));
  const first = await title(page).textContent();
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  await page.getByRole("link", { name: /Mend the links in garden\/seed-calendar/ }).click();
  await page.getByRole("heading", { name: /seed-calendar/ }).waitFor();
  const context1 = page.getByRole("complementary", { name: "Context" });
  for (const name of ["Why", "Sources", "Checks", "Risk", "Where it came from"])
    await context1.getByRole("region", { name, exact: true }).waitFor();
  await context1.getByText("found in the garden").first().waitFor();
  const isSame = await page.evaluate(() => (globalThis as { isSamePage?: boolean }).isSamePage);
  // The verdict, the change and the bar are on the first screen.
  const isVisible = await page.getByRole("button", { name: /^Approve/ }).isVisible();
  await context.close();
  expect({ isOther: first !== "", isSame, isVisible, problems }).toEqual({
    isOther: true,
    isSame: true,
    isVisible: true,
    problems: [],
  });
});

test("U-1 `s` goes through words, side by side and as rendered, and hidden lines can be shown", async () => {
  const { page, context, problems } = await ground.open({ width: 1440 });
  await page.goto(appPath(ground, "/proposals"));
  await page.getByRole("link", { name: /Mend the links in garden\/seed-calendar/ }).click();
  const words = page.locator(".words");
  await words.getByText("Show 9 lines above, with properties").click();
  await words.getByText("Seed calendar", { exact: true }).first().waitFor();
  const marked = [await words.locator("del").count(), await words.locator("ins").count()];
  await page.keyboard.press("s");
  await page.locator(".diff table").waitFor();
  await page.keyboard.press("s");
  await page.locator(".rendered").getByRole("heading").first().waitFor();
  const sides = await page.locator(".rendered figure").count();
  await page.keyboard.press("s");
  await words.waitFor();
  await context.close();
  expect({ marked, sides, problems }).toEqual({ marked: [1, 1], sides: 2, problems: [] });
});

test("P-10c a comment on a line is recorded without deciding, and is at its line after a reload", async () => {
  const window = await ground.open({ width: 1440 });
  const { page, context, problems } = window;
  const id = await pendingOf(window, "gardener", "propose-edit");
  await page.goto(appPath(ground, `/proposals/${id}`));
  await isArmed(page);
  await page.keyboard.press("c");
  await page.getByRole("textbox", { name: /^Comment on line/ }).fill("Is this the same plan?");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await page.locator(".thread").getByText("Is this the same plan?").waitFor();
  await page.reload();
  await page.locator(".word-line.changed + .thread").getByText("Is this the same plan?").waitFor();
  const { proposal, remarks } = await read(window, id);
  await context.close();
  expect({ status: proposal.status, said: remarks.map(({ text }) => text), problems }).toEqual({
    status: "pending",
    said: ["Is this the same plan?"],
    problems: [],
  });
});

test("P-10c `b` sends a change back with what should change, and its agent starts a run that revises it", async () => {
  const window = await ground.open({ width: 1440 });
  const { page, context, problems } = window;
  const id = await pendingOf(window, "archivist", "propose-tag");
  await page.goto(appPath(ground, `/proposals/${id}`));
  await isArmed(page);
  await page.keyboard.press("b");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What should change").fill("Fewer tags, please");
  await dialog.getByRole("button", { name: "Send back" }).click();
  await page.getByRole("status").getByText("Sent back.").waitFor();
  const { proposal } = await read(window, id);
  const { run } = proposal.approval!.revision_requested!;
  const address = new URL(`/runs/${run}`, ground.url).href;
  await expect.poll(async () => (await context.request.get(address)).status(), { timeout: 30_000 }).toBe(200);
  await page.goto(appPath(ground, `/proposals/${id}`));
  await page.getByRole("link", { name: "Run that revises it" }).waitFor();
  // The agent has no language model: it proposes the same, which is not filed again, and says so.
  await expect.poll(async () => (await read(window, id)).remarks.length, { timeout: patient(60_000) }).toBe(1);
  await page.reload();
  await page.getByText(/it cannot use comments/).waitFor();
  await context.close();
  expect({ status: proposal.status, note: proposal.approval!.decision_note, problems }).toEqual({
    status: "rejected",
    note: "Fewer tags, please",
    problems: [],
  });
});

test("U-1 a changed table shows its changed cells, and an added row as added", async () => {
  const window = await ground.open({ width: 1440 });
  const { page, context, problems } = window;
  const path = "notes/beds.md";
  const table = (rows: string): string => `# Beds\n\n| Bed | Grows |\n| --- | --- |\n${rows}`;
  const made = await propose(ground, window, { path, text: table("| 1 | beans |\n| 2 | peas |\n") }, "List the beds");
  await page.goto(appPath(ground, `/proposals/${made}`));
  await isArmed(page);
  await page.keyboard.press("a");
  await page.getByRole("status").getByText("Approved.").waitFor();
  const text = table("| 1 | beans |\n| 2 | lettuce |\n| 3 | leeks |\n");
  const id = await propose(ground, window, { path, text }, "Change the beds", "propose-edit");
  await page.goto(appPath(ground, `/proposals/${id}`));
  const shown = page.locator(".table-diff");
  await shown.locator("del", { hasText: "peas" }).waitFor();
  const found = [await shown.locator("ins").allInnerTexts(), await shown.locator("tr.added").count()];
  await context.close();
  expect({ found, problems }).toEqual({ found: [["lettuce"], 1], problems: [] });
});

test("P-10 U-1 alike changes of one run are folded, and decided together after one of them was read", async () => {
  const window = await ground.open({ width: 1440 });
  const { page, context, problems } = window;
  // Five notes of one run, as the gateway would list them.
  const card = (at: number) => ({
    id: `prop_2026-01-01_00000${at}_aaaaaa`,
    status: "pending",
    action: "propose-note",
    target: `notes/herb-${at}.md`,
    summary: `Write herb-${at}`,
    preview: { text: `Herb ${at}`, more: 0 },
    source: {
      type: "agent",
      identity: "gardener",
      authenticated: true,
      timestamp: "2026-01-01T00:00:00.000Z",
      run_id: "run_2026-01-01_000000_aaaaaa",
    },
    priority: "normal",
    digest: String(at).repeat(40),
    created_at: "2026-01-01T00:00:00.000Z",
    expires_at: "2027-01-01T00:00:00.000Z",
  });
  const cards = [1, 2, 3, 4, 5].map(card);
  const sent: { readonly verdict: string; readonly proposals: readonly { readonly id: string }[] }[] = [];
  await context.route(/\/proposals\/pending/, (route) => route.fulfill({ json: { proposals: cards } }));
  await context.route(/\/proposals\/prop_/, (route) => route.fulfill({ json: { proposal: opened(cards[0]!) } }));
  await context.route(/\/runs\/run_2026-01-01/, (route) =>
    route.fulfill({ json: { run: { requested_at: "2026-01-01T00:00:00.000Z" }, steps: [] } }),
  );
  await context.route(/\/proposals\/batch/, async (route) => {
    const body = route.request().postDataJSON() as (typeof sent)[number];
    sent.push(body);
    await route.fulfill({ json: { results: body.proposals.map(({ id }) => ({ id, status: 200 })) } });
  });
  await page.goto(appPath(ground, "/proposals"));
  await page.getByRole("button", { name: "3 more like this: new note" }).waitFor();
  const rows = await page.locator(".queue-card").count();
  await page.getByRole("button", { name: "Decide together…" }).click();
  const dialog = page.getByRole("dialog");
  const approve = dialog.getByRole("button", { name: "Approve 3" });
  await expect.poll(() => approve.getAttribute("aria-disabled"), { timeout: 30_000 }).toBe("false");
  await approve.click();
  await page.getByRole("status").getByText("Decided: 3").waitFor();
  await context.close();
  expect({ rows, sent: sent.map(({ verdict, proposals }) => [verdict, proposals.length]), problems }).toEqual({
    rows: 2,
    sent: [["approve", 3]],
    problems: [],
  });
});

/** A proposal as `GET /proposals/:id` answers, without a review: it cannot be decided. */
const opened = (card: object) => ({
  ...card,
  content: { summary: "", citations: [] },
  operation: { action: "propose-note", payload: {} },
});

test("U-1 on a phone the change takes the whole screen, and the decision bar takes the place of the tab bar", async () => {
  const window = await ground.open({ width: 390, height: 844, touch: true });
  const { page, context, problems } = window;
  const id = await propose(ground, window, { path: "notes/chervil.md", text: "# Chervil\n" }, "Sow chervil");
  await page.goto(appPath(ground, "/proposals"));
  const tabs = page.locator(".tab-bar");
  const row = page.getByRole("link", { name: /Sow chervil/ });
  await row.waitFor();
  const before = [await tabs.isVisible(), await page.getByRole("button", { name: /^Approve/ }).count()];
  await row.tap();
  await page.waitForURL(new RegExp(id));
  await isArmed(page);
  const bar = page.getByRole("region", { name: "Decision" });
  const after = [await tabs.isVisible(), await bar.isVisible(), await page.locator(".queue").isVisible()];
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await context.close();
  expect({ before, after, overflow: Math.max(0, overflow), problems }).toEqual({
    before: [true, 0],
    after: [false, true, false],
    overflow: 0,
    problems: [],
  });
});

test("P-10a U-1 a swipe of a row asks with the change shown, and decides nothing by itself", async () => {
  const window = await ground.open({ width: 390, height: 844, touch: true });
  const { page, context, problems } = window;
  const id = await propose(ground, window, { path: "notes/lovage.md", text: "# Lovage\n" }, "Sow lovage");
  await page.goto(appPath(ground, "/proposals"));
  const row = page.getByRole("link", { name: /Sow lovage/ });
  await row.waitFor();
  const box = (await row.boundingBox())!;
  const client = await context.newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", x: number) =>
    client.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : [{ x, y: box.y + box.height / 2 }],
    });
  await touch("touchStart", box.x + 60);
  for (let by = 20; by <= 180; by += 20) await touch("touchMove", box.x + 60 + by);
  await touch("touchEnd", 0);
  const dialog = page.getByRole("dialog", { name: "Approve 1" });
  await dialog.waitFor();
  const { proposal } = await read(window, id);
  const approve = dialog.getByRole("button", { name: "Approve 1" });
  await expect.poll(() => approve.getAttribute("aria-disabled"), { timeout: 30_000 }).toBe("false");
  await approve.click();
  await page.getByRole("status").getByText("Decided: 1").waitFor();
  const { proposal: now } = await read(window, id);
  await context.close();
  expect({ asked: proposal.status, confirmed: now.status, problems }).toEqual({
    asked: "pending",
    confirmed: "applied",
    problems: [],
  });
});

test.each([
  { language: "en", theme: "light", width: 1440 },
  { language: "uk", theme: "dark", width: 1100 },
  { language: "uk", theme: "light", width: 390 },
  { language: "en", theme: "dark", width: 390 },
] as const)("U-1 the review fits $width px in $language, $theme, and axe finds no problem", async (options) => {
  const window = await ground.open(options);
  const { page, context, problems } = window;
  const id = await pendingOf(window, "gardener", "propose-edit");
  await page.goto(appPath(ground, `/proposals/${id}`));
  await isArmed(page);
  if (options.width < 1180) await page.keyboard.press("i");
  const complained = await complaints(page);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await context.close();
  expect({ complained, overflow: Math.max(0, overflow), problems }).toEqual({
    complained: [],
    overflow: 0,
    problems: [],
  });
});
