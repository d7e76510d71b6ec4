import { describe, expect, test } from "vitest";
import { scriptedModel } from "../../adapters/runtime/testing/scripted-model.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { keys } from "../../domain/layout.ts";
import { everyKey } from "../../ports/store.ts";
import { receive } from "../changes/inbox/receive.ts";
import { listPending } from "../changes/proposals/list-proposals.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { readProposal } from "../records/proposals/proposal-log.ts";
import { runSessionOf } from "../sessions/run-session.ts";
import { codeOf } from "../sessions/testing/space.ts";
import { sessionLog } from "../sessions/topology.ts";
import { compareRunEnds } from "./compare-ends.ts";
import { forkRun } from "./fork.ts";
import { discardSandboxed, openSandbox, promoteSandboxed, sandboxOf, showSandboxed } from "./sandbox.ts";
import { live, manifestOf, portsWith, requestedRun } from "./testing/agent-ground.ts";
import { answerWith } from "./testing/held-order.ts";
import { oneGarden } from "./testing/one-garden.ts";
import { onBranch, planted } from "./testing/session-ground.ts";
import { whatIfAnswered } from "./what-if.ts";

const shared = oneGarden();
const by = commandLineOwner;
let agents = 0;
const lived = (garden: Garden, place: RunPlace) => live(garden, place, portsWith(scriptedModel([])));

interface Ended {
  readonly garden: Garden;
  readonly place: RunPlace;
  readonly request: string;
}

/** A run that asks which of two notes to propose; `left` was the answer. */
async function answeredRun(): Promise<Ended> {
  const garden = shared();
  const slug = `chooser-${++agents}`;
  const lines = [
    'a ← ask-human("Which?", form: "choice", options: ["left", "right"])',
    `create-proposal(type: "propose-note", path: "notes/${slug}-" + a.choice + ".md", text: "# " + a.choice)`,
  ];
  const contract = { tools: "[ask-human, create-proposal]", safe_outputs: "[propose-note]", execution: "flow" };
  await planted(garden, slug, { model: "bloom/follower", ...contract }, lines);
  return ended(garden, slug, { choice: "left" });
}

async function ended(garden: Garden, slug: string, value: { choice: string }): Promise<Ended> {
  const place = await requestedRun(garden, slug);
  const held = await lived(garden, place);
  if (held.kind !== "held") throw new Error(JSON.stringify(await manifestOf(garden, place)));
  await answerWith(garden, held.request, value);
  await lived(garden, place);
  return { garden, place, request: held.request };
}

async function otherwise({ garden, place, request }: Ended, choice = "right"): Promise<RunPlace> {
  const { run_id: run } = await whatIfAnswered(garden, { request, value: { choice }, by, note: "Just to see" });
  const fork = { slug: place.slug, run };
  expect(await lived(garden, fork)).toEqual({ kind: "ended" });
  return fork;
}

const pendingOf = async (garden: Garden, slug: string): Promise<string[]> =>
  (await listPending(garden)).proposals.filter(({ target }) => target.includes(slug)).map(({ target }) => target);

describe("S-7 an experiment with another answer", () => {
  test("its proposals lie in the sandbox: nothing is pending, no event is sent, and the run itself stays as it was", async () => {
    const on = await answeredRun();
    const { garden, place } = on;
    const fork = await otherwise(on);
    expect(await pendingOf(garden, place.slug)).toEqual([`notes/${place.slug}-left.md`]);
    const [one] = await sandboxOf(garden.store, fork);
    expect(one!.entry).toMatchObject({ action: "propose-note", target: `notes/${place.slug}-right.md`, step: 3 });
    expect((await openSandbox(garden)).map(({ id }) => id)).toContain(one!.entry.id);
    expect(await manifestOf(garden, fork)).toMatchObject({
      status: "completed",
      forked_from: { run: place.run },
      experiment: true,
      outcome: { kind: "effects", proposals: [one!.entry.id] },
    });
    const events: string[] = [];
    for await (const { key } of everyKey(garden.store, keys.pendingEvents)) events.push(key);
    expect(events.filter((key) => key.includes(fork.run))).toEqual([]);
  });

  test("both ends stand side by side, with the answers and what each proposed", async () => {
    const on = await answeredRun();
    const fork = await otherwise(on);
    const compared = await compareRunEnds(on.garden, on.place, fork);
    expect(compared).toMatchObject({
      shared: 1,
      files: null,
      ends: [
        {
          run: on.place.run,
          is_experiment: false,
          answers: [{ question: "Which?", value: { choice: "left" } }],
          proposals: [{ target: `notes/${on.place.slug}-left.md`, status: "pending" }],
          parts_at: { position: 2, name: "ask-human" },
        },
        {
          run: fork.run,
          is_experiment: true,
          answers: [{ question: "Which?", value: { choice: "right" } }],
          proposals: [{ target: `notes/${on.place.slug}-right.md`, status: "sandbox" }],
          parts_at: { position: 2, name: "ask-human" },
        },
      ],
    });
  });

  test("the inbox takes nothing from an experiment, whoever asks in its name", async () => {
    const on = await answeredRun();
    const { slug, run } = await otherwise(on);
    const wish = { action: "propose-note", payload: { path: "notes/x.md", text: "# x\n" }, summary: "x" };
    const received = await receive(on.garden, { identity: { type: "agent", slug, run }, ...wish });
    expect(received).toMatchObject({ kind: "refused", failure: { code: "FORBIDDEN" } });
  });

  test("the owner promotes an entry once, which is a proposal of the agent then, and discards another", async () => {
    const on = await answeredRun();
    const { garden } = on;
    const fork = await otherwise(on);
    const [one] = await sandboxOf(garden.store, fork);
    const { id } = one!.entry;
    expect((await showSandboxed(garden, id)).preview).toMatchObject({ kind: "possible", target: one!.entry.target });
    expect(await codeOf(promoteSandboxed(garden, { id, by: { type: "gateway" } }))).toBe("FORBIDDEN");
    const first = await promoteSandboxed(garden, { id, by });
    const again = await promoteSandboxed(garden, { id, by });
    expect(again).toEqual(first);
    const proposal = await readProposal(garden.store, first.end!.proposal!);
    expect(proposal).toMatchObject({ status: "pending", target: one!.entry.target, forked_from: on.place.run });
    expect((await openSandbox(garden)).map((entry) => entry.id)).not.toContain(id);
    const other = (await sandboxOf(garden.store, await otherwise(on)))[0];
    // The same change waits already: the gate says so to the experiment, as it would have said it to the run.
    expect(other).toBeUndefined();
    const left = (await sandboxOf(garden.store, await otherwise(await answeredRun())))[0]!.entry.id;
    await discardSandboxed(garden, { id: left, by });
    expect(await codeOf(promoteSandboxed(garden, { id: left, by }))).toBe("INVALID_TRANSITION");
  });

  test("a fork of an experiment is one too; an answer in the wrong form starts nothing", async () => {
    const on = await answeredRun();
    const fork = await otherwise(on);
    const { forked_from } = await forkRun(on.garden, { place: fork, at: 1, by });
    expect(forked_from?.what_if).toEqual({});
    const wrong = whatIfAnswered(on.garden, { request: on.request, value: { choice: "up" }, by });
    expect(await codeOf(wrong)).toBe("VALIDATION_FAILED");
    expect(
      await codeOf(
        whatIfAnswered(on.garden, { request: on.request, value: { choice: "left" }, by: { type: "gateway" } }),
      ),
    ).toBe("FORBIDDEN");
  });
});

describe("S-7 S-11 a fork of a run with a session", () => {
  /** Writes one note, asks, writes another one. */
  async function onItsBranch(): Promise<Ended> {
    const garden = shared();
    const slug = `writer-${++agents}`;
    await planted(garden, slug, { ...onBranch, model: "bloom/follower", execution: "flow" }, [
      `write-note("notes/${slug}-first.md", "# First")`,
      'a ← ask-human("Which?", form: "choice", options: ["left", "right"])',
      `write-note("notes/${slug}-" + a.choice + ".md", "# Second")`,
    ]);
    return ended(garden, slug, { choice: "left" });
  }

  test.each([
    [1, "at its beginning", []],
    [2, "after its first commit", ["first"]],
    [3, "after its decision", ["first", "decision"]],
    [4, "after its last commit", ["first", "decision", "left"]],
  ])("at step %i begins %s, on a branch of its own that shares the objects", async (at, _, has) => {
    const on = await onItsBranch();
    const { garden, place } = on;
    const { run_id: run } = await forkRun(garden, { place, at, by, whatIf: {} });
    const fork = { slug: place.slug, run };
    const end = await lived(garden, fork);
    if (end.kind === "held") await answerWith(garden, end.request, { choice: "left" });
    const origin = (await runSessionOf(garden.repo, place))!;
    const own = (await runSessionOf(garden.repo, fork))!;
    const { commits } = await sessionLog(garden.repo, origin.name);
    const [left, decision, first, genesis] = commits.map(({ commit }) => commit.oid);
    const known = { first, decision, left } as Record<string, string | undefined>;
    const parent = (await garden.repo.commit(own.genesis)).parents[0];
    expect(parent).toBe(has.length === 0 ? (await garden.repo.commit(genesis!)).parents[0] : known[has.at(-1)!]);
    expect([own.name === origin.name, origin.head]).toEqual([false, left]);
  });

  test("that is an experiment has its other answer as a decision commit, and shows the files that differ", async () => {
    const on = await onItsBranch();
    const { garden, place } = on;
    const fork = await otherwise(on);
    const own = (await runSessionOf(garden.repo, fork))!;
    const { commits } = await sessionLog(garden.repo, own.name);
    expect(commits.map(({ typed }) => typed?.kind)).toEqual([expect.any(String), "decision", "spawn"]);
    expect(commits[1]!.typed).toMatchObject({
      message: "Just to see",
      fields: { "resume-value": { choice: "right" } },
    });
    const { files, ends } = await compareRunEnds(garden, place, fork);
    expect(files).toEqual([
      { path: `notes/${place.slug}-left.md`, change: "only-first" },
      { path: `notes/${place.slug}-right.md`, change: "only-second" },
    ]);
    expect(ends[1].proposals).toMatchObject([{ action: "propose-merge", status: "sandbox" }]);
  });
});
