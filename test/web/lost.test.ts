import type { Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { type WebGround, type Window, webGround } from "./ground.ts";
import { appPath, endSession, isArmed, propose, readAll } from "./walk.ts";

/** Decisions during failures: typed text is kept, the page shows the true state, and each decision counts once. */
let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
});
afterEach(() => ground.up());
afterAll(() => ground.stop());

interface Review extends Window {
  readonly id: string;
  readonly name: string;
}

/** A window on the page of a new proposal. */
async function review(name: string): Promise<Review> {
  const window = await ground.open();
  const wish = { path: `notes/${name}.md`, text: `# ${name}\n` };
  const id = await propose(ground, window, wish, `Write ${name}`);
  await window.page.goto(appPath(ground, `/proposals/${id}`));
  await window.page.getByRole("heading", { name: "Changes" }).waitFor();
  await isArmed(window.page);
  return { ...window, id, name };
}

/** The recorded status and reason of the proposal, and the number of its commits. */
async function onRecord({ context, id, name }: Review): Promise<unknown> {
  const answer = await context.request.get(new URL(`/proposals/${id}`, ground.url).href);
  const { proposal } = (await answer.json()) as { proposal: { status: string; approval?: { decision_note?: string } } };
  const commits = git(ground.dir, "log", "--format=%s", "main")
    .split("\n")
    .filter((each) => each.includes(name));
  return { status: proposal.status, reason: proposal.approval?.decision_note, commits: commits.length };
}

/** Loses the response to the first change at `address` after the server got it (`sent`); may stop the server too. */
async function loseAnswer(
  { context }: Pick<Window, "context">,
  address: RegExp,
  sent: (route: Route) => Promise<unknown> = (route) => route.fetch(),
  ends: "server too" | "answer alone" = "server too",
): Promise<void> {
  let isFirst = true;
  await context.route(address, async (route) => {
    if (!isFirst || route.request().method() === "GET") return route.continue();
    isFirst = false;
    await sent(route);
    if (ends === "server too") await ground.down();
    return route.abort("connectionreset");
  });
}

/** The messages that the page may show about a decision before it loses the server. */
const IN_DOUBT = /not known yet whether your change was made|your decision was recorded/;

/** The ways to decide, and the record that each leaves. */
const ways = {
  approve: {
    async begin() {},
    async send({ page }: Review) {
      await page.getByRole("button", { name: /^Approve/ }).click();
    },
    done: "Approved.",
    typed: undefined,
    kept: async () => undefined,
    record: { status: "applied", reason: undefined, commits: 1 },
  },
  reject: {
    async begin({ page }: Review) {
      await page.keyboard.press("r");
      await page.getByLabel(/^Reason/).fill("We have enough");
    },
    async send({ page }: Review) {
      await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
    },
    done: "Rejected.",
    typed: "We have enough",
    kept: ({ page }: Review) => page.getByLabel(/^Reason/).inputValue(),
    record: { status: "rejected", reason: "We have enough", commits: 0 },
  },
  edit: {
    async begin({ page }: Review) {
      await page.keyboard.press("e");
      await page.getByLabel("Text to approve").fill("# Better\n");
    },
    async send({ page }: Review) {
      await page.getByRole("dialog").getByRole("button", { name: "Approve this text" }).click();
    },
    done: "Approved.",
    typed: "# Better\n",
    kept: ({ page }: Review) => page.getByLabel("Text to approve").inputValue(),
    record: { status: "rejected", reason: expect.stringMatching(/^edited: prop_/), commits: 1 },
  },
} as const;
const everyWay = ["approve", "reject", "edit"] as const;

test.for(everyWay)(
  "U-1 %s: a decision sent to a dead server is shown as unknown, then as not made, and can be sent again",
  async (how) => {
    const way = ways[how];
    const window = await review(`gone-${how}`);
    const { page } = window;
    await way.begin(window);
    await ground.down();
    await way.send(window);
    await page.getByText("not known yet whether your change was made").waitFor();
    const kept = await way.kept(window);
    await ground.up();
    await page.getByText("did not receive this. Nothing was changed").waitFor();
    await way.send(window);
    await page.getByRole("status").getByText(way.done).waitFor();
    const record = await onRecord(window);
    await window.context.close();
    expect({ kept, record }).toEqual({ kept: way.typed, record: way.record });
  },
);

test.for(everyWay)(
  "U-1 P-10a %s: if the server dies after a decision, the page shows after the restart that it counted",
  async (how) => {
    const way = ways[how];
    const window = await review(`answer-${how}`);
    const { page, context } = window;
    await way.begin(window);
    await loseAnswer(window, /\/proposals\/prop_/);
    await way.send(window);
    await page.getByText(IN_DOUBT).first().waitFor();
    await ground.up();
    await page
      .getByRole("status")
      .getByText(how === "edit" ? way.done : "your decision was recorded")
      .first()
      .waitFor();
    const unsent = await page.getByText("Your unsent text").count();
    const record = await onRecord(window);
    await context.close();
    expect({ unsent, record }).toEqual({ unsent: 0, record: way.record });
  },
);

test.for(everyWay)(
  "U-1 %s: if only the response is lost, the page reads the state again and continues",
  async (how) => {
    const way = ways[how];
    const window = await review(`alone-${how}`);
    const { page, context } = window;
    await way.begin(window);
    await loseAnswer(window, /\/proposals\/prop_/, undefined, "answer alone");
    await way.send(window);
    await page.getByRole("status").getByText(way.done).waitFor();
    const record = await onRecord(window);
    await context.close();
    expect(record).toEqual(way.record);
  },
);

/** A decision and the crash point at which the server dies. */
test.for([
  ["approve", "proposals.appended"],
  ["approve", "apply.planned"],
  ["approve", "apply.moved"],
  ["reject", "proposals.appended"],
  ["edit", "decide.edited"],
  ["edit", "decide.superseded"],
  ["edit", "apply.moved"],
] as const)(
  "U-1 P-11 %s: after a crash at %s the decision was made or can be sent again, and counts once",
  async ([how, at]) => {
    const way = ways[how];
    const window = await review(`dies-${how}-${at.replace(".", "-")}`);
    const { page } = window;
    await ground.down("SIGTERM");
    await ground.up(at);
    await way.begin(window);
    await way.send(window);
    await ground.gone();
    await page.getByText(IN_DOUBT).first().waitFor();
    await ground.up();
    const counted = page
      .getByRole("status")
      .getByText(/your decision was recorded|Approved\.|Rejected\./)
      .first();
    const waits = page.getByText("did not receive this. Nothing was changed");
    await counted.or(waits).first().waitFor();
    if (await waits.isVisible()) await way.send(window);
    await counted.waitFor();
    await page.waitForFunction(
      () => !/applying|approved/.test(document.querySelector("article .change-meta .state")?.textContent ?? ""),
    );
    const record = await onRecord(window);
    await window.context.close();
    expect(record).toEqual(way.record);
  },
);

test.for(everyWay)(
  "U-1 %s: the page says that nothing was sent while offline, and sends the decision when online",
  async (how) => {
    const way = ways[how];
    const window = await review(`offline-${how}`);
    const { page, context } = window;
    await way.begin(window);
    await context.setOffline(true);
    await way.send(window);
    await page.getByText("nothing was sent").waitFor();
    const banner = page.locator(".banner", { hasText: /^The garden is not reachable\. .*What you typed is kept\./ });
    await banner.waitFor();
    const kept = await way.kept(window);
    await context.setOffline(false);
    await banner.waitFor({ state: "hidden" });
    const before = await onRecord(window);
    await way.send(window);
    await page.getByRole("status").getByText(way.done).waitFor();
    const record = await onRecord(window);
    await context.close();
    expect({ kept, before, record }).toEqual({
      kept: way.typed,
      before: { status: "pending", reason: undefined, commits: 0 },
      record: way.record,
    });
  },
);

test.for(everyWay)(
  "U-1 %s: an ended session decides nothing and loses no text; after sign-in in another tab the page continues",
  async (how) => {
    const way = ways[how];
    const window = await review(`session-${how}`);
    const { page, context } = window;
    await way.begin(window);
    await endSession(ground, window);
    await way.send(window);
    await page.getByText("Your session has ended. Nothing was changed.").waitFor();
    const banner = page.locator(".banner", { hasText: "open a new sign-in link in this browser" });
    await banner.waitFor();
    const kept = await way.kept(window);
    const beside = await context.newPage();
    await ground.signIn(beside);
    await beside.close();
    await banner.waitFor({ state: "hidden" });
    const before = await onRecord(window);
    await way.send(window);
    await page.getByRole("status").getByText(way.done).waitFor();
    const record = await onRecord(window);
    await context.close();
    expect({ kept, before, record }).toEqual({
      kept: way.typed,
      before: { status: "pending", reason: undefined, commits: 0 },
      record: way.record,
    });
  },
);

test("U-1 P-10 after a lost response the page shows which proposals of a batch were decided; the rest is sent again, and each is one commit", async () => {
  const { page, context } = await ground.open();
  const names = ["rue", "yarrow", "tansy"];
  for (const name of names)
    await propose(ground, { context }, { path: `notes/${name}.md`, text: "# Herb\n" }, `Sow ${name}`);
  await page.goto(appPath(ground, "/proposals"));
  for (const name of names) await page.getByRole("checkbox", { name: `Select: Sow ${name}` }).check();
  await page.getByRole("button", { name: "Approve 3" }).click();
  await readAll(page);
  await loseAnswer({ context }, /\/proposals\/batch/, (route) => {
    const { proposals, ...rest } = route.request().postDataJSON() as { proposals: object[] };
    return route.fetch({ postData: { ...rest, proposals: proposals.slice(0, 2) } }); // the server dies before it reaches the last one
  });
  await page.getByRole("dialog").getByRole("button", { name: "Approve 3" }).click();
  await page.getByText("not known yet whether your change was made").waitFor();
  await ground.up();
  await page.getByText("but 2 of 3 were decided").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Approve 1" }).click();
  await page.getByRole("status").getByText("Decided: 1").waitFor();
  await context.close();
  const commits = git(ground.dir, "log", "--format=%s", "main")
    .split("\n")
    .filter((each) => /Sow (rue|yarrow|tansy)$/.test(each));
  expect(commits.toSorted()).toEqual(["[owner] Sow rue", "[owner] Sow tansy", "[owner] Sow yarrow"]);
});

test("U-1 O-6 a lost answer to a run's question counts once after it is sent again, and the choice survives a reload", async () => {
  const { page, context } = await ground.open();
  const asked = await context.request.post(new URL("/agents/librarian/run", ground.url).href, {
    headers: { "X-Requested-With": "test" },
    data: { input: { question: "When does the lime tree bloom?" } },
  });
  const { run } = (await asked.json()) as { run: { run_id: string } };
  await page.goto(appPath(ground, `/runs/${run.run_id}`));
  await page.getByRole("radio", { name: /neighbours-almanac/ }).check();
  await page.reload();
  const kept = await page.getByRole("radio", { name: /neighbours-almanac/ }).isChecked();
  await loseAnswer({ context }, /\/requests\/[^/]+\/answer/, async () => undefined); // the request does not arrive either
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await page.getByText("not known yet whether your change was made").waitFor();
  await ground.up();
  await page.getByText("did not receive this. Nothing was changed").waitFor();
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await page.getByRole("link", { name: /lime tree/i }).waitFor();
  const answers = await context.request.get(new URL(`/runs/${run.run_id}`, ground.url).href);
  const { requests } = (await answers.json()) as { requests: { answer: { value: unknown } }[] };
  await context.close();
  expect({ kept, answers: requests.map(({ answer }) => answer.value) }).toEqual({
    kept: true,
    answers: [{ choice: "sources/neighbours-almanac.md" }],
  });
});
