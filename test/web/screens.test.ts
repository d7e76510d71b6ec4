import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plainEnvironment, sources } from "../bloom.ts";
import { fixedWorld, type WebGround, webGround } from "./ground.ts";
import { comparePicture } from "./picture.ts";
import { appPath } from "./walk.ts";

/** The twelve main screens as pictures. The garden, its clock and the clock of the browser are the same each time. */
const PLANTED_AT = "2026-01-14T07:00:00Z";
const SEEN_AT = "2026-01-14T10:05:00Z";

let ground: WebGround;
let places: Readonly<Record<string, string>>;
beforeAll(async () => {
  ground = await webGround(plant, { fixedAt: "2026-01-14T07:30:00Z" });
});
afterAll(() => ground?.stop());

/** The demo garden with a run, a held question, an approved change, a change of logic and one to review. */
function plant(dir: string): void {
  let minute = 0;
  const must = (at: string, ...args: string[]): string => {
    // A minute for each command: ids are made of the time and of a count that begins anew in each process.
    minute += 1;
    const env = plainEnvironment(fixedWorld(new Date(Date.parse(PLANTED_AT) + minute * 60_000).toISOString()));
    const { status, stdout, stderr } = spawnSync(process.execPath, [sources, ...args], {
      cwd: at,
      env,
      encoding: "utf8",
    });
    if (status !== 0 && status !== HELD) throw new Error(`bloom ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  must(dirname(dir), "demo", dir, "--lang", "en");
  const run = /run_[\w-]+/.exec(must(dir, "run", "gardener", "--wait"))![0];
  const held = /req_(\d[\w-]+)_\d+/.exec(must(dir, "run", "librarian", "--input", QUESTION, "--wait"))![1]!;
  const { proposals } = JSON.parse(must(dir, "proposals", "--json")) as {
    proposals: { id: string; summary: string }[];
  };
  const find = (summary: string): string => proposals.find((each) => each.summary.startsWith(summary))!.id;
  must(dir, "proposals", "approve", find("Mend the links in archive"), "--yes");
  const flow = JSON.parse(readFileSync(join(dir, "agents/gardener/drakon/main-flow.drakon.json"), "utf8")) as {
    items: Record<string, object>;
  };
  flow.items["10"] = { type: "loopend", one: "13" };
  delete flow.items["11"];
  delete flow.items["12"];
  const diagram = join(dirname(dir), "shorter.drakon.json");
  writeFileSync(diagram, JSON.stringify(flow));
  const change = ["propose", "logic", "gardener", "--diagram", diagram, "--from", "v001", "--evidence", run];
  const logic = /prop_[\w-]+/.exec(must(dir, ...change, "--reason", "Nobody reads the list"))![0];
  const lines = readFileSync(join(dir, "notes/archive/listening-log.md"), "utf8").split("\n");
  const line = String(lines.findIndex((each) => each.startsWith("Next: reel 9")) + 1);
  places = { line, run, held: `run_${held}`, logic, edit: find("Keep four sacks") };
}

/** Exit code of a run that waits for a person. */
const HELD = 9;
const QUESTION = "question=When does the lime tree bloom?";

const SCREENS: Readonly<Record<string, string>> = {
  today: "/",
  review: "/proposals/{edit}",
  "logic-review": "/proposals/{logic}",
  runs: "/runs",
  run: "/runs/{run}",
  agents: "/agents",
  agent: "/agents/gardener?tab=contract",
  diagram: "/agents/librarian/diagram",
  note: "/notes/notes/garden/compost.md",
  why: "/why?subject=notes/archive/listening-log.md:{line}",
  settings: "/settings",
  ask: "/ask?q=When does the lime tree bloom?",
};

/** Hides what is made anew with each garden: keys and digests. */
const HIDDEN = "code, .mono, kbd { color: transparent !important; }";

async function settle(page: Page): Promise<void> {
  await page.getByRole("main").getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForFunction(() => !document.querySelector(".loading"));
  await page.evaluate(async (hidden) => {
    // Not a style element: the policy of the page forbids it.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(hidden);
    document.adoptedStyleSheets.push(sheet);
    await document.fonts.ready;
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  }, HIDDEN);
}

test.for(["light", "dark"] as const)("U-1 the main screens look as their kept pictures do (%s)", async (theme) => {
  const isAccepted = process.env["BLOOM_ACCEPT_SCREENS"] === "1";
  const { page, context } = await ground.open({ theme, clock: SEEN_AT, scale: 1 / 3, width: 1280, height: 800 });
  const wrong: string[] = [];
  for (const [name, path] of Object.entries(SCREENS)) {
    await page.goto(
      appPath(
        ground,
        path.replaceAll(/\{(\w+)\}/g, (_, what: string) => places[what]!),
      ),
    );
    await settle(page);
    const said = await comparePicture(page, `${name}-${theme}`, isAccepted);
    if (said !== undefined) wrong.push(said);
  }
  await context.close();
  expect(wrong).toEqual([]);
});
