import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { type WebGround, type Window, webGround } from "./ground.ts";
import { appPath, endSession, isArmed, propose, readAll } from "./walk.ts";

let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
});
afterAll(() => ground.stop());

const at = (path: string): string => appPath(ground, path);
/** Commits of proposals only: commits of run statistics may come at any time. */
const commits = (): string[] => git(ground.dir, "log", "--grep=^Proposal:", "--format=%s", "main").split("\n");
const subject = (): string => commits()[0]!;

/** A window on the page of a new proposal. Each test has its own note, so that tests do not conflict. */
async function review(name: string, text = `# ${name}\n`): Promise<Window & { readonly id: string }> {
  const window = await ground.open();
  const id = await propose(ground, window, { path: `notes/${name}.md`, text }, `Write ${name}`);
  await window.page.goto(at(`/proposals/${id}`));
  await window.page.getByRole("heading", { name: "Changes" }).waitFor();
  return { ...window, id };
}

test("U-1 P-10 a rejection takes a reason, and the proposal keeps it", async () => {
  const { page, context, id, problems } = await review("parsley");
  const before = commits().length;
  await page.getByRole("button", { name: "Reject" }).click();
  const dialog = page.getByRole("dialog");
  const mayAtOnce = await dialog.getByRole("button", { name: "Reject" }).isEnabled();
  await dialog.getByLabel(/^Reason/).fill("We have too much of it");
  await dialog.getByRole("button", { name: "Reject" }).click();
  await page.getByRole("status").getByText("Rejected.").waitFor();
  await page.goto(at(`/proposals/${id}`));
  await page.getByText("We have too much of it").waitFor();
  await context.close();
  expect({ mayAtOnce, hasNoCommit: commits().length === before, problems }).toEqual({
    mayAtOnce: false,
    hasNoCommit: true,
    problems: [],
  });
});

test("U-1 P-10 an edited and approved text becomes the commit", async () => {
  const { page, context, problems } = await review("sage", "# Sage\n\nPlant in Mai.\n");
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Text to approve").fill("# Sage\n\nPlant in May.\n");
  await dialog.getByRole("button", { name: "Approve this text" }).click();
  await page.getByRole("status").getByText("Approved.").waitFor();
  await context.close();
  expect({ note: git(ground.dir, "show", "main:notes/sage.md"), problems }).toEqual({
    note: "# Sage\n\nPlant in May.",
    problems: [],
  });
});

test("U-1 P-9 a proposal for a note that was edited by hand is a conflict: both texts are shown, and a merged text resolves it", async () => {
  const file = join(ground.dir, "notes/beds.md");
  const byHand = (text: string): void => {
    writeFileSync(file, text);
    git(ground.dir, "add", "notes/beds.md");
    git(ground.dir, "commit", "-qm", "By hand");
  };
  byHand("# Beds\n\nThree beds.\n");
  const { page, context, problems } = await ground.open();
  const wish = { path: "notes/beds.md", text: "# Beds\n\nFour beds.\n" };
  const id = await propose(ground, { context }, wish, "Dig a fourth bed", "propose-edit");
  byHand("# Beds\n\nThree beds and a heap.\n");
  await page.goto(at(`/proposals/${id}`));
  const told = page.getByRole("alert");
  await told.getByText("Three beds and a heap.").waitFor();
  await told.getByText("Four beds.").waitFor();
  const mayApprove = await page.getByRole("button", { name: /^Approve/ }).isEnabled();
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Text to approve").fill("# Beds\n\nFour beds and a heap.\n");
  await dialog.getByRole("button", { name: "Approve this text" }).click();
  await page.getByRole("status").getByText("Approved.").waitFor();
  await context.close();
  expect({ mayApprove, note: git(ground.dir, "show", "main:notes/beds.md"), problems }).toEqual({
    mayApprove: false,
    note: "# Beds\n\nFour beds and a heap.",
    problems: [],
  });
});

test("U-1 O-6 a waiting run shows its question on Today, and continues to its proposal after the answer", async () => {
  const { page, context, problems } = await ground.open();
  await page.goto(at("/"));
  await page.getByText("Nothing is running.").waitFor();
  await context.request.post(new URL("/agents/librarian/run", ground.url).href, {
    headers: { "X-Requested-With": "test" },
    data: { input: { question: "When does the lime tree bloom?" } },
  });
  const question = page.getByRole("region", { name: "Question for you" });
  await question.getByRole("heading", { name: "The sources answer differently" }).waitFor();
  const chosenBefore = await question.getByRole("radio", { checked: true }).count();
  const mayAnswer = await question.getByRole("button", { name: "Answer", exact: true }).isEnabled();
  await page.getByRole("link", { name: "Open the run" }).click();
  await page.waitForURL(/\/runs\/run_/);
  await question.waitFor();
  await page.keyboard.press("2");
  await page.getByRole("radio", { name: /neighbours-almanac/, checked: true }).waitFor();
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  const made = page.getByRole("link", { name: /lime tree/i });
  await made.waitFor();
  await made.click();
  await page.getByText("2 to 14 July").first().waitFor();
  await context.close();
  expect({ chosenBefore, mayAnswer, problems }).toEqual({ chosenBefore: 0, mayAnswer: false, problems: [] });
});

test("U-1 P-10 several proposals are approved together, and each is its own commit", async () => {
  const { page, context, problems } = await ground.open();
  const names = ["basil", "chives", "dill"];
  for (const name of names)
    await propose(ground, { context }, { path: `notes/${name}.md`, text: "# Herb\n" }, `Sow ${name}`);
  const before = commits().length;
  await page.goto(at("/proposals"));
  for (const name of names) await page.getByRole("checkbox", { name: `Select: Sow ${name}` }).check();
  await page.getByRole("button", { name: "Approve 3" }).click();
  await readAll(page);
  await page.getByRole("dialog").getByRole("button", { name: "Approve 3" }).click();
  await page.getByRole("status").getByText("Decided: 3").waitFor();
  await context.close();
  expect({ commits: commits().length - before, problems }).toEqual({ commits: 3, problems: [] });
});

test("U-1 P-10a if two browsers decide at once, one wins, and the other shows that decision", async () => {
  const { page, context, id, problems } = await review("thyme");
  const other = await ground.open();
  await other.page.goto(at(`/proposals/${id}`));
  await other.page.getByRole("heading", { name: "Changes" }).waitFor();
  // The second browser gets no events, as in two clicks at the same time.
  await other.page.keyboard.press("r");
  await other.page.getByLabel(/^Reason/).fill("Not here");
  await other.context.route(new URL(`/proposals/${id}`, ground.url).href + "**", async (route) => {
    if (route.request().method() !== "PATCH") return route.continue();
    await isArmed(page);
    await page.keyboard.press("a");
    await page.getByRole("status").getByText("Approved.").waitFor();
    return route.continue();
  });
  await other.page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
  await other.page.getByRole("heading", { name: "Decision" }).waitFor();
  await other.page.getByText("applied", { exact: true }).waitFor();
  const told = other.page.getByRole("alert");
  await told.getByText("Your decision was not recorded: another one came first.").waitFor();
  const why = await told.innerText();
  const kept = await other.page.getByText("Your unsent text:").locator("..").locator("..").innerText();
  await context.close();
  await other.context.close();
  // The browser itself logs the refused request (409).
  expect({
    subject: subject(),
    why,
    kept,
    problems,
    otherProblems: other.problems.filter((each) => !each.includes("409")),
  }).toEqual({
    subject: "[owner] Write thyme",
    why: expect.stringContaining("owner decided approved"),
    kept: expect.stringContaining("Not here"),
    problems: [],
    otherProblems: [],
  });
});

test("U-1 P-10a an owner who is typing a reason sees another owner's decision, and the typed text is kept", async () => {
  const { page, context, id } = await review("lovage");
  const other = await ground.open();
  await other.page.goto(at(`/proposals/${id}`));
  await other.page.getByRole("heading", { name: "Changes" }).waitFor();
  await other.page.keyboard.press("r");
  await other.page.getByLabel(/^Reason/).fill("It grows too");
  await isArmed(page);
  await page.keyboard.press("a");
  await page.getByRole("status").getByText("Approved.").waitFor();
  await other.page.getByText("This was already decided.").waitFor();
  const kept = await other.page.getByText("It grows too").isVisible();
  const dialogs = await other.page.getByRole("dialog").count();
  await other.page.getByRole("button", { name: "Discard" }).click();
  await other.page.reload();
  await other.page.getByRole("heading", { name: "Decision" }).waitFor();
  const left = await other.page.getByText("It grows too").count();
  await context.close();
  await other.context.close();
  expect({ kept, dialogs, left }).toEqual({ kept: true, dialogs: 0, left: 0 });
});

test("U-1 typed text survives a killed server, and the decision succeeds after the restart", async () => {
  const { page, context, id } = await review("mint");
  await page.keyboard.press("r");
  await page.getByLabel(/^Reason/).fill("It spreads");
  await ground.restart("SIGKILL");
  await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
  await page.getByRole("status").getByText("Rejected.").waitFor();
  await page.goto(at(`/proposals/${id}`));
  await page.getByText("It spreads").waitFor();
  await context.close();
});

test("U-1 typed text survives the end of a session and the next sign-in", async () => {
  const { page, context, id } = await review("hemlock");
  await page.keyboard.press("r");
  await page.getByLabel(/^Reason/).fill("Poisonous");
  await endSession(ground, { context });
  await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
  await page.getByRole("dialog").getByText("Your session has ended").waitFor();
  const kept = await page.getByLabel(/^Reason/).inputValue();
  await page.reload();
  await page.getByText("Your session has ended").first().waitFor();
  await ground.signIn(page);
  await page.goto(at(`/proposals/${id}`));
  await page.getByRole("button", { name: "Reject" }).waitFor(); // keys wake up with the page
  await page.keyboard.press("r");
  const after = await page.getByLabel(/^Reason/).inputValue();
  await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
  await page.getByRole("status").getByText("Rejected.").waitFor();
  await context.close();
  expect({ kept, after }).toEqual({ kept: "Poisonous", after: "Poisonous" });
});
