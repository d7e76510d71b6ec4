import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { type WebGround, type Window, webGround } from "./ground.ts";
import { appPath, isArmed, propose } from "./walk.ts";

/** The maximum: long enough for a slow machine. */
const LONG = 60;
let ground: WebGround;
beforeAll(async () => {
  ground = await webGround(undefined, { graceSeconds: LONG });
});
afterAll(() => ground.stop());

const commits = (name: string): number =>
  git(ground.dir, "log", "--format=%s", "main")
    .split("\n")
    .filter((subject) => subject.endsWith(name)).length;

async function statusOf({ context }: Pick<Window, "context">, id: string): Promise<string> {
  const answer = await context.request.get(new URL(`/proposals/${id}`, ground.url).href);
  return ((await answer.json()) as { proposal: { status: string } }).proposal.status;
}

/** A window in which a new note was approved with the keyboard. */
async function approved(name: string): Promise<Window & { readonly id: string }> {
  const window = await ground.open();
  const id = await propose(ground, window, { path: `notes/${name}.md`, text: `# ${name}\n` }, `Write ${name}`);
  await window.page.goto(appPath(ground, `/proposals/${id}`));
  await isArmed(window.page);
  await window.page.keyboard.press("a");
  await window.page.getByRole("status").getByText("Approved.").waitFor();
  return { ...window, id };
}

test("P-6a `z` withdraws an approval: nothing was committed, and the proposal is shown again, not armed", async () => {
  const { page, context, id } = await approved("sage");
  const before = [await statusOf({ context }, id), commits("sage")];
  await page.keyboard.press("z");
  await page.getByRole("status").getByText("Approval withdrawn.").waitFor();
  await page.waitForURL(new RegExp(id));
  await page.getByRole("heading", { name: "Write sage" }).waitFor();
  const after = [await statusOf({ context }, id), commits("sage")];
  await isArmed(page);
  await context.close();
  expect({ before, after }).toEqual({ before: ["approved", 0], after: ["pending", 0] });
});

test("P-6a after a restart of the server an approval can still be withdrawn on its page", async () => {
  const { page, context, id } = await approved("rue");
  await ground.restart();
  await page.goto(appPath(ground, `/proposals/${id}`));
  await page.getByRole("button", { name: "Withdraw approval" }).click();
  await page.getByRole("status").getByText("Approval withdrawn.").waitFor();
  const status = await statusOf({ context }, id);
  await context.close();
  expect({ status, commits: commits("rue") }).toEqual({ status: "pending", commits: 0 });
});

test("P-6a P-10b an approval is applied after its grace without the page, and is then undone in one click", async () => {
  const settings = join(ground.dir, "garden.yaml");
  writeFileSync(settings, readFileSync(settings, "utf8").replace(`seconds: ${LONG}`, "seconds: 1"));
  const { context, id } = await approved("mint");
  await context.close();
  const { page, context: later } = await ground.open();
  await expect.poll(() => statusOf({ context: later }, id), { timeout: 60_000 }).toBe("applied");
  const made = commits("Write mint");
  await page.goto(appPath(ground, `/proposals/${id}`));
  await page.getByRole("button", { name: "Undo this change" }).click();
  await page.getByRole("status").getByText("was undone").waitFor();
  const note = git(ground.dir, "ls-tree", "--name-only", "main", "notes/mint.md");
  await later.close();
  expect({ made, note }).toEqual({ made: 1, note: "" });
});
