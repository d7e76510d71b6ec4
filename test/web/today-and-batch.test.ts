import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patient } from "../../src/base/testing/patience.ts";
import { git } from "../../src/garden/testing/scratch.ts";
import { complaints } from "./axe.ts";
import { type WebGround, webGround } from "./ground.ts";
import { appPath } from "./walk.ts";

/** Abilities of a day: each agent's health in words, pictures in the review, several changes sent back at once. */
let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
  ground.bloom("run", "gardener", "--wait");
  ground.bloom("run", "librarian", "--input", "question=When does the lime tree bloom?", "--wait");
});
afterAll(() => ground.stop());

test("U-1 Today tells each agent's health in words: its state or next run, and the share of completed runs with its interval", async () => {
  const { page, context, problems } = await ground.open({ width: 1440 });
  const rowOf = async (slug: string): Promise<string> =>
    (await page.locator(".glance-row", { has: page.getByText(slug, { exact: true }) }).innerText()).replaceAll(
      "\n",
      " · ",
    );
  await page.locator(".glance-row").first().waitFor();
  await expect.poll(() => rowOf("librarian")).toContain("Waiting for you");
  const [gardener, librarian, echo] = [await rowOf("gardener"), await rowOf("librarian"), await rowOf("test-echo")];
  const strip = await page.getByRole("img", { name: "1 run in these days, none failed" }).count();
  const faults = await complaints(page);
  await context.close();
  expect({ gardener, librarian, echo, hasStrips: strip > 0, faults, problems }).toEqual({
    gardener: expect.stringMatching(/^gardener · Next .+ · 1 of 1, too few to tell · 95 % interval: \d+ to 100 %$/),
    librarian: "librarian · Waiting for you",
    echo: "test-echo · Has not run yet",
    hasStrips: true,
    faults: [],
    problems: [],
  });
});

test("U-1 a changed picture is reviewed as two pictures, before and after", async () => {
  const { page, context, problems } = await ground.open({ width: 1440 });
  const icon = (size: number): string => join(import.meta.dirname, `../../web/public/icon-${size}.png`);
  const proposed = (size: number, ...more: readonly string[]): string => {
    const artifact = ["plan.png", icon(size), "--agent", "gardener", "--type", "image/png", "--json", ...more];
    return /prop_[\w-]+/.exec(ground.bloom("propose", "artifact", ...artifact).out)![0];
  };
  ground.bloom("proposals", "approve", proposed(192), "--yes");
  const id = proposed(512, "--replaces", git(ground.dir, "hash-object", icon(192)));
  await page.goto(appPath(ground, `/proposals/${id}`));
  const pictures = page.locator(".picture-side");
  await pictures.nth(1).waitFor();
  const widths = () =>
    pictures.evaluateAll((all) =>
      all.map((each) => [(each as HTMLImageElement).alt, (each as HTMLImageElement).naturalWidth]),
    );
  await expect.poll(widths).toEqual([
    ["Before", 192],
    ["After", 512],
  ]);
  const faults = await complaints(page);
  await context.close();
  expect({ faults, problems }).toEqual({ faults: [], problems: [] });
});

test("P-10c several changes of one agent are sent back together, and each keeps what should change", async () => {
  const { page, context, problems } = await ground.open({ width: 1440 });
  const read = async (path: string) =>
    (await context.request.get(new URL(path, ground.url).href)).json() as Promise<never>;
  const { proposals } = (await read("/proposals/pending?agent=gardener&action=propose-edit")) as {
    proposals: readonly { readonly id: string }[];
  };
  const ids = proposals.slice(0, 2).map(({ id }) => id);
  await page.goto(appPath(ground, "/proposals"));
  for (const id of ids)
    await page
      .locator(".queue-card", { has: page.locator(`a[href*="${id}"]`) })
      .getByRole("checkbox")
      .check();
  await page.getByRole("button", { name: "Send back 2" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What should change").fill("Keep the old names");
  await dialog.getByRole("button", { name: "Send back 2" }).click();
  await page
    .getByRole("status")
    .getByText("Decided: 2")
    .waitFor({ timeout: patient(60_000) });
  const found = [];
  for (const id of ids) {
    const { proposal } = (await read(`/proposals/${id}`)) as {
      proposal: { status: string; approval: { decision_note: string; revision_requested?: object } };
    };
    const { decision_note: note, revision_requested: run } = proposal.approval;
    found.push([proposal.status, note, run !== undefined]);
  }
  await context.close();
  const sent = ["rejected", "Keep the old names", true];
  expect({ found, problems }).toEqual({ found: [sent, sent], problems: [] });
});
