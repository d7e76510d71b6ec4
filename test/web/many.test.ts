import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type WebGround, webGround } from "./ground.ts";
import { manyProposals, manyRuns, proposalId } from "./made-up.ts";
import { appPath, propose, readAll } from "./walk.ts";

/** Lists of ten thousand: few rows are rendered, few pages are requested, and a selection means exactly its rows. */
let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
});
afterAll(() => ground.stop());

const MANY = 10_000;

const ROWS = ".long-rows, .queue-rows";

/** Scrolls to the end of the list. Returns the maximum number of rows that were rendered at once. */
const scrolledDown = (page: Page): Promise<number> =>
  page.evaluate(async (many) => {
    const rows = document.querySelector<HTMLElement>(".long-rows, .queue-rows")!;
    let most = 0;
    for (;;) {
      rows.scrollTop = rows.scrollHeight;
      await new Promise(requestAnimationFrame);
      const shown = [...rows.querySelectorAll("[role=listitem]")];
      most = Math.max(most, shown.length);
      if (shown.some((row) => row.ariaPosInSet === String(many))) return most;
    }
  }, MANY);

test.for([
  ["proposals", manyProposals, 100, `Change number ${MANY - 1}:`],
  ["runs", manyRuns, 50, "number 0"],
] as const)(
  "U-1 ten thousand %s scroll with few rows in the page, and each page is requested once",
  async ([name, many, size, last]) => {
    const { page, context, problems } = await ground.open();
    const made = await many(context, MANY);
    await page.goto(appPath(ground, `/${name}`));
    await page.locator(`:is(${ROWS}) [aria-posinset]`).first().waitFor();
    const before = made.asked();
    const most = await scrolledDown(page);
    await page.getByText(last).waitFor();
    const all = await page.locator(`:is(${ROWS}) [aria-posinset]`).first().getAttribute("aria-setsize");
    const asked = made.asked() - before;
    await context.close();
    // One screen with a dozen rows before and after it; one request per page, and a few by the menu for its counters.
    expect({ isShort: most < 60, asksFew: asked <= MANY / size + 8, all, problems }).toEqual({
      isShort: true,
      asksFew: true,
      all: String(MANY),
      problems: [],
    });
  },
);

test("U-1 A-4 a change deep in a list of ten thousand is shown for a few requests, and the scroll position is restored", async () => {
  const { page, context, problems } = await ground.open();
  const made = await manyProposals(context, MANY);
  await page.goto(appPath(ground, "/proposals"));
  await page.locator(`:is(${ROWS}) [aria-posinset]`).first().waitFor();
  await scrolledDown(page);
  await page.getByText(`Change number ${MANY - 3}:`).waitFor();
  const before = made.asked();
  made.take([proposalId(MANY - 3)]);
  // After an event in the garden the visible part is requested again.
  await propose(ground, { context }, { path: "notes/many.md", text: "# Many\n" }, "One of many");
  await page.getByText(`Change number ${MANY - 3}:`).waitFor({ state: "detached" });
  const cost = made.asked() - before;
  const there = page.getByRole("link", { name: `Change number ${MANY - 2}:` });
  await there.click();
  await page.getByRole("heading", { name: `Change number ${MANY - 2}:` }).waitFor();
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "Settings" }).first().waitFor();
  for (let steps = 0; steps < 2; steps++) {
    await page.goBack();
    await there.waitFor();
  }
  await context.close();
  expect({ isCheap: cost <= 12, problems: problems.filter((told) => !told.includes("404")) }).toEqual({
    isCheap: true,
    problems: [],
  });
});

test("U-1 P-10 a batch decision in a list of ten thousand decides exactly the selected proposals", async () => {
  const { page, context, problems } = await ground.open();
  const made = await manyProposals(context, MANY);
  const sent: {
    readonly verdict: string;
    readonly proposals: readonly { readonly id: string; readonly digest: string }[];
  }[] = [];
  await context.route(/\/proposals\/batch/, async (route) => {
    const body = route.request().postDataJSON() as (typeof sent)[number];
    sent.push(body);
    made.take(body.proposals.map(({ id }) => id));
    await route.fulfill({ json: { results: body.proposals.map(({ id }) => ({ id, status: 200 })) } });
  });
  const decide = async (count: number): Promise<void> => {
    await page.getByRole("button", { name: `Approve ${count}` }).click();
    await readAll(page);
    await page
      .getByRole("dialog")
      .getByRole("button", { name: `Approve ${count}` })
      .click();
    await page.getByRole("status").getByText(`Decided: ${count}`).first().waitFor();
  };
  await page.goto(appPath(ground, "/proposals"));
  await page.getByRole("checkbox", { name: "Select: Change number 1:" }).check();
  await scrolledDown(page);
  await page.getByRole("checkbox", { name: `Select: Change number ${MANY - 1}:` }).check();
  await decide(2);
  await page.evaluate(() => document.querySelector(".queue-rows")!.scrollTo(0, 0));
  await page.getByRole("link", { name: "Change number 0:" }).waitFor();
  await page.getByText("Change number 1:").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Select the first 50" }).click();
  await page.evaluate(() => document.querySelector(".queue-rows")!.scrollTo(0, 3400));
  const isFull = await page.getByRole("checkbox", { name: "Select: Change number 56:" }).isDisabled();
  await decide(50);
  await page.getByRole("button", { name: "Filter by agent and kind" }).click();
  await page.getByRole("combobox", { name: "Kind" }).selectOption("propose-note");
  await page.getByText("Change number 57:").waitFor();
  await page.getByRole("button", { name: "Select the first 50" }).click();
  await decide(50);
  await context.close();
  const numbers = sent.map(({ proposals }) => proposals.map(({ id }) => Number(id.slice(-6))));
  const digests = sent.flatMap(({ proposals }) =>
    proposals.map(({ id, digest }) => Number(id.slice(-6)) === Number(digest)),
  );
  expect({ isFull, numbers, lacksDigest: digests.includes(false), problems }).toEqual({
    isFull: true,
    numbers: [
      [1, MANY - 1],
      [0, ...Array.from({ length: 49 }, (_, at) => at + 2)],
      Array.from({ length: 50 }, (_, at) => 51 + at * 3),
    ],
    lacksDigest: false,
    problems: [],
  });
});
