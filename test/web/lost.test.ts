import type { Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { git } from "../../src/garden/testing/scratch.ts";
import { type WebGround, type Window, webGround } from "./ground.ts";
import { appPath, endSession, propose } from "./walk.ts";

/** Decisions in bad luck: what was typed stays, the person is told the truth, and what is decided is decided once. */
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
  return { ...window, id, name };
}

/** What is on record of it: its state, the reason, and the commits that it made. */
async function onRecord({ context, id, name }: Review): Promise<unknown> {
  const answer = await context.request.get(new URL(`/proposals/${id}`, ground.url).href);
  const { proposal } = (await answer.json()) as { proposal: { status: string; approval?: { decision_note?: string } } };
  const commits = git(ground.dir, "log", "--format=%s", "main")
    .split("\n")
    .filter((each) => each.includes(name));
  return [proposal.status, proposal.approval?.decision_note, commits.length];
}

/** The first change of this kind reaches the server (`sent`); what it answers does not reach the page, with the server or without. */
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

/** What the page may have heard of a decision before it lost the server. */
const IN_DOUBT = /not known yet whether your change was made|your decision counted/;

/** How a person decides, and what is on record in the end. */
const ways = {
  approve: {
    async begin() {},
    async send({ page }: Review) {
      await page.getByRole("button", { name: /^Approve/ }).click();
    },
    done: "Approved.",
    typed: undefined,
    kept: async () => undefined,
    record: ["applied", undefined, 1],
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
    record: ["rejected", "We have enough", 0],
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
    record: ["rejected", expect.stringMatching(/^edited: prop_/), 1],
  },
} as const;
const everyWay = ["approve", "reject", "edit"] as const;

test.for(everyWay)(
  "U-1 %s: sent to a server that is gone, it is not known; back again, it has not counted, and sent again counts",
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
    expect([kept, record]).toEqual([way.typed, way.record]);
  },
);

test.for(everyWay)(
  "U-1 P-10a %s: the answer is lost with the server; back again, the page says that it counted",
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
      .getByText(how === "edit" ? way.done : "your decision counted")
      .first()
      .waitFor();
    const unsent = await page.getByText("Your unsent text").count();
    const record = await onRecord(window);
    await context.close();
    expect([unsent, record]).toEqual([0, way.record]);
  },
);

test.for(everyWay)("U-1 %s: the answer alone is lost; the page finds out by itself and goes on", async (how) => {
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
});

/** Where the server dies in the middle of a decision, and whether that has counted then. */
test.for([
  ["approve", "proposals.appended"],
  ["approve", "apply.planned"],
  ["approve", "apply.moved"],
  ["reject", "proposals.appended"],
  ["edit", "decide.edited"],
  ["edit", "decide.superseded"],
  ["edit", "apply.moved"],
] as const)(
  "U-1 P-11 %s: a server that dies at %s and is started again has done it, or does it when asked again: once",
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
      () => !/applying|approved/.test(document.querySelector("article .tag")?.textContent ?? ""),
    );
    const record = await onRecord(window);
    await window.context.close();
    expect(record).toEqual(way.record);
  },
);

test.for(everyWay)(
  "U-1 %s: without a network nothing is sent, and that is said at once; with it, it goes",
  async (how) => {
    const way = ways[how];
    const window = await review(`offline-${how}`);
    const { page, context } = window;
    await way.begin(window);
    await context.setOffline(true);
    await way.send(window);
    await page.getByText("nothing was sent").waitFor();
    await page.getByText("The garden is not reachable. What you typed is kept.").waitFor();
    const kept = await way.kept(window);
    await context.setOffline(false);
    await page.getByText("The garden is not reachable. What you typed is kept.").waitFor({ state: "hidden" });
    const before = await onRecord(window);
    await way.send(window);
    await page.getByRole("status").getByText(way.done).waitFor();
    const record = await onRecord(window);
    await context.close();
    expect([kept, before, record]).toEqual([way.typed, ["pending", undefined, 0], way.record]);
  },
);

test.for(everyWay)(
  "U-1 %s: a session that ended decides nothing and loses nothing; signed in beside it, the same page goes on",
  async (how) => {
    const way = ways[how];
    const window = await review(`session-${how}`);
    const { page, context } = window;
    await way.begin(window);
    await endSession(ground, window);
    await way.send(window);
    await page.getByText("Your session has ended. Nothing was changed.").waitFor();
    const banner = page.getByRole("main").getByText("open a new sign-in link in this browser", { exact: false });
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
    expect([kept, before, record]).toEqual([way.typed, ["pending", undefined, 0], way.record]);
  },
);

test("U-1 P-10 of a batch whose answer is lost the page knows which were decided; the rest is sent again, and each is one commit", async () => {
  const { page, context } = await ground.open();
  const names = ["rue", "yarrow", "tansy"];
  for (const name of names)
    await propose(ground, { context }, { path: `notes/${name}.md`, text: "# Herb\n" }, `Sow ${name}`);
  await page.goto(appPath(ground, "/proposals"));
  for (const name of names) await page.getByRole("checkbox", { name: `Choose: Sow ${name}` }).check();
  await page.getByRole("button", { name: "Approve 3" }).click();
  await loseAnswer({ context }, /\/proposals\/batch/, (route) => {
    const { proposals, ...rest } = route.request().postDataJSON() as { proposals: object[] };
    return route.fetch({ postData: { ...rest, proposals: proposals.slice(0, 2) } }); // it dies before it comes to the last
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

test("U-1 O-6 an answer to a run's question that was lost on its way counts once, and the choice stays through a new page", async () => {
  const { page, context } = await ground.open();
  const asked = await context.request.post(new URL("/agents/librarian/run", ground.url).href, {
    headers: { "X-Requested-With": "test" },
    data: { input: { question: "When does the lime tree bloom?" } },
  });
  const { run } = (await asked.json()) as { run: { run_id: string } };
  await page.goto(appPath(ground, `/runs/${run.run_id}`));
  await page.getByRole("radio", { name: "sources/neighbours-almanac.md" }).check();
  await page.reload();
  const kept = await page.getByRole("radio", { name: "sources/neighbours-almanac.md" }).isChecked();
  await loseAnswer({ context }, /\/requests\/[^/]+\/answer/, async () => undefined); // not even the question arrives
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await page.getByText("not known yet whether your change was made").waitFor();
  await ground.up();
  await page.getByText("did not receive this. Nothing was changed").waitFor();
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await page.getByRole("link", { name: /lime tree/i }).waitFor();
  const answers = await context.request.get(new URL(`/runs/${run.run_id}`, ground.url).href);
  const { requests } = (await answers.json()) as { requests: { answer: { value: unknown } }[] };
  await context.close();
  expect([kept, requests.map(({ answer }) => answer.value)]).toEqual([
    true,
    [{ choice: "sources/neighbours-almanac.md" }],
  ]);
});
