import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { bloomNow } from "../bloom.ts";
import { complaints } from "./axe.ts";
import { type WebGround, type Window, type WindowOptions, webGround } from "./ground.ts";

const comment = 'create-proposal(type: "propose-comment", note: note, content: "It says: " + text)';
const read = { type: "action", content: "text ← read-context(note)" };
const first = {
  1: { type: "branch", branchId: 0, one: "2" },
  2: { ...read, one: "3" },
  3: { type: "action", content: comment, one: "4" },
  4: { type: "end" },
};
const second = {
  ...first,
  2: { ...read, one: "5" },
  5: { type: "question", content: "not text is empty", one: "3", two: "4", flag1: 1 },
};

/** An agent with two versions, two recorded runs of the first and one of the second: one of each was of an empty note. */
function plant(dir: string): void {
  const scratch = dirname(dir);
  const must = (at: string, ...args: string[]): string => {
    const { exit, out, err } = bloomNow(at, args);
    if (exit !== 0) throw new Error(`bloom ${args.join(" ")}: ${err}`);
    return out;
  };
  const diagram = (name: string, items: object): string => {
    const file = join(scratch, `${name}.drakon.json`);
    writeFileSync(file, JSON.stringify({ name: "Tell about a note", type: "drakon", params: "note", items }));
    return file;
  };
  const run = (bed: string): string =>
    /run_[\w-]+/.exec(must(dir, "run", "teller", "--input", `note=notes/${bed}.md`, "--wait"))![0];
  must(scratch, "init", dir, "--lang", "en");
  mkdirSync(join(dir, "notes"), { recursive: true });
  writeFileSync(join(dir, "notes/roses.md"), "# Roses\n\nIn bloom.\n");
  writeFileSync(join(dir, "notes/empty.md"), "");
  git(dir, "add", "notes");
  git(dir, "commit", "-qm", "Two beds, one of them empty");
  must(dir, "agent", "new", "teller", "--diagram", diagram("tell", first), "--quiet");
  must(dir, "agent", "activate", "teller", "--quiet");
  run("roses");
  const empty = run("empty");
  const change = ["propose", "logic", "teller", "--diagram", diagram("tell-better", second), "--from", "v001"];
  const proposed = must(dir, ...change, "--evidence", empty, "--reason", "Nothing is told about nothing");
  must(dir, "proposals", "approve", /prop_[\w-]+/.exec(proposed)![0], "--yes");
  run("empty");
}

let ground: WebGround;
beforeAll(async () => {
  ground = await webGround(plant);
});
afterAll(() => ground?.stop());

async function openLogic(options?: WindowOptions, search = ""): Promise<Window> {
  const window = await ground.open(options);
  await window.page.goto(`${ground.url}app/agents/teller/logic${search}`);
  await window.page.getByRole("region", { name: /^(?:Compare versions|Порівняти версії)$/ }).waitFor();
  return window;
}

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("L-5a U-1 every version shows its rates with confidence intervals, in words and as a chart", async () => {
  const { page, problems } = await openLogic();
  const cards = section(page, "Versions").getByRole("listitem");
  await cards.first().waitFor();
  const seen = await cards.allInnerTexts();
  await section(page, "Performance").getByRole("button", { name: "Completed" }).click();
  const chart = await section(page, "Performance").getByRole("img").getAttribute("aria-label");
  await cards.first().getByText("Reason and results").click();
  await cards.first().getByText("Nothing is told about nothing").first().waitFor();
  await page.context().close();
  const [newest, oldest] = seen.map((text) => text.replace(/\s+/g, " "));
  expect({
    newest: /^v002 current .* Runs 1 Completed 100 % interval in percent: 21–100 /.test(newest!) || newest,
    oldest:
      /^v001 Compare with current Roll back … .* Runs 2 Completed 100 % interval in percent: 34–100 /.test(oldest!) ||
      oldest,
    chart,
    problems,
  }).toEqual({ newest: true, oldest: true, chart: "v001: 100 % (34–100); v002: 100 % (21–100)", problems: [] });
});

test("L-5b U-1 the heat map of recorded runs is on the diagram and in a table, and the selected icon shows its branches", async () => {
  const { page, problems } = await openLogic();
  const heat = section(page, "Heat map");
  await heat.getByText("Runs with a recorded path: 1;").waitFor();
  await heat.getByRole("button", { name: "not text is empty" }).click();
  const way = await heat.getByRole("row", { name: "→ no" }).innerText();
  await heat.getByLabel("Version").selectOption("v001");
  await heat.getByText("Runs with a recorded path: 2;").waitFor();
  const rows = await heat.getByRole("row").count();
  await page.context().close();
  expect({ way: way.trim().split(/\s+/), rows, problems }).toEqual({ way: ["→", "no", "1"], rows: 3, problems: [] });
});

test("L-5 D-8 U-1 any two versions can be compared as diagrams and as text, at their own address", async () => {
  const { page, problems } = await openLogic({}, "?from=v001&to=v002");
  const compare = section(page, "Compare versions");
  await compare.getByText('a check is added: "not text is empty"').waitFor();
  const pictures = await compare.getByRole("figure").count();
  await compare.getByRole("combobox", { name: "From" }).selectOption("v002");
  await compare.getByText("Select two different versions.").waitFor();
  await compare.getByRole("combobox", { name: "To" }).selectOption("v001");
  await compare.getByText('a check is removed: "not text is empty"').waitFor();
  await compare.getByRole("button", { name: "Text" }).click();
  await compare.getByRole("row").filter({ hasText: "IF not text is empty" }).waitFor();
  const address = new URL(page.url()).search;
  await page.context().close();
  expect({ pictures, address, problems }).toEqual({ pictures: 2, address: "?from=v002&to=v001", problems: [] });
});

test("L-8 U-1 a change of logic without a report cannot be approved; the page says so and can request the report", async () => {
  const { out } = ground.bloom("logic", "rollback", "teller", "v001", "--reason", "The check is too much");
  const id = /prop_[\w-]+/.exec(out)![0];
  const { page, problems } = await ground.open();
  let isMade = false;
  let requests = 0;
  await page.route(
    ({ pathname }) => pathname === `/proposals/${id}`,
    async (route) => {
      const answer = await route.fetch();
      const { report, ...rest } = (await answer.json()) as { report: unknown };
      await route.fulfill({ response: answer, json: isMade ? { ...rest, report } : rest });
    },
  );
  await page.route(
    ({ pathname }) => pathname === `/proposals/${id}/report`,
    async (route) => {
      requests += 1;
      // The page requests the report by itself once: that request is answered without one being made.
      if (requests === 1) return await route.fulfill({ json: {} });
      isMade = true;
      await route.continue();
    },
  );
  await page.goto(`${ground.url}app/proposals/${id}`);
  await page.getByText("No report yet").waitFor();
  const approve = page.getByRole("button", { name: "Approve" });
  const before = [await approve.isEnabled(), await page.getByText("Approval needs the report").count()];
  await page.getByRole("button", { name: "Make report now" }).click();
  await section(page, "Replay of recorded runs").getByRole("table").waitFor();
  // The verdict must have been on the screen, and the bar armed.
  await section(page, "Verdict").scrollIntoViewIfNeeded();
  await expect.poll(() => approve.isEnabled(), { timeout: 30_000 }).toBe(true);
  const after = await approve.isEnabled();
  await page.context().close();
  ground.bloom("proposals", "reject", id, "--reason", "Not now");
  expect({ before, after, problems }).toEqual({ before: [false, 1], after: true, problems: [] });
});

test("L-7 L-8 U-1 a rollback needs a reason, shows the replay of recorded runs, and becomes a new version", async () => {
  const { page, problems } = await openLogic();
  await page.getByRole("button", { name: "Roll back to v001 …" }).click();
  const propose = page.getByRole("button", { name: "Propose rollback" });
  const mayWithoutReason = await propose.isEnabled();
  await page.getByRole("textbox", { name: "Reason" }).fill("Empty beds should be told too");
  await propose.click();
  await page.waitForURL(/\/proposals\/prop_/);
  await page.getByRole("heading", { name: "Go back from v002 to v001" }).waitFor();
  await section(page, "Before and after").getByRole("figure").nth(1).waitFor();
  await section(page, "Risk").getByText('a check is removed: "not text is empty"').first().waitFor();
  await section(page, "Checks").getByRole("listitem").nth(3).waitFor();
  const report = section(page, "Replay of recorded runs");
  const totals = await section(page, "Verdict").getByRole("group").innerText();
  // The run of the empty note diverges at the removed check: the icon is highlighted when the row is selected.
  const place = report.getByRole("row").getByRole("button", { name: "create-proposal" }).first();
  await place.click();
  const lit = await place.getAttribute("aria-pressed");
  const runs = await section(page, "Evidence").getByRole("link").count();
  const complained = await complaints(page);
  await section(page, "Verdict").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("status").getByText("Approved.").waitFor();
  await page.goto(`${ground.url}app/agents/teller/logic`);
  await section(page, "Versions").getByRole("heading", { name: /^v003/ }).waitFor();
  await section(page, "Versions").getByText("same logic as v001").waitFor();
  await page.context().close();
  expect({
    mayWithoutReason,
    totals: totals.replace(/\s+/g, " "),
    lit,
    runs,
    complained,
    subject: git(ground.dir, "log", "-1", "--grep=^Proposal:", "--format=%s", "main").split(" / ")[0],
    problems,
  }).toEqual({
    mayWithoutReason: false,
    totals: "2 same path 0 proposal lost 1 unknown",
    lit: "true",
    runs: 3,
    complained: [],
    subject: "logic-rollback: teller v002→v003",
    problems: [],
  });
});

test.each([
  { language: "uk", theme: "dark", width: 360 },
  { language: "en", theme: "light", width: 1280 },
] as const)("U-1 the page fits $width px in $language, $theme, and axe finds no problem", async (options) => {
  const { page, problems } = await openLogic(options);
  await page.getByRole("figure").nth(1).waitFor();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const complained = await complaints(page);
  await page.context().close();
  expect({ overflow: Math.max(0, overflow), complained, problems }).toEqual({
    overflow: 0,
    complained: [],
    problems: [],
  });
});
