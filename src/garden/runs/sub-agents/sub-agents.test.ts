import { expect, test } from "vitest";
import { type Script, scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { MERGES, SUB_AGENT_OF } from "../../../domain/session/edges.ts";
import { everyKey } from "../../../ports/store.ts";
import { changeAgentStatus } from "../../agents/lifecycle/change-status.ts";
import { listPending } from "../../changes/proposals/list-proposals.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import { commitSession } from "../../sessions/commit-session.ts";
import { readEdges } from "../../sessions/edge-stream.ts";
import { runSessionOf } from "../../sessions/run-session.ts";
import { sessionLog } from "../../sessions/topology.ts";
import { answerRequest } from "../answer.ts";
import { endRun } from "../end-run.ts";
import { forkRun } from "../fork.ts";
import { openRequests } from "../hold.ts";
import { openRunIds, requestAt } from "../open-runs.ts";
import { listRuns, runCard } from "../read-runs.ts";
import {
  activeAgent,
  ENDING,
  live,
  manifestOf,
  namesOf,
  portsWith,
  requestedRun,
  stepsOf,
} from "../testing/agent-ground.ts";
import { engineGround } from "../testing/engine-ground.ts";
import { agentFlow, spawning, spawnResults, WITH_SPAWN } from "../testing/sub-agent-ground.ts";
import { cancelledVerdict } from "../verdict.ts";
import { childPlace, openRunsBelow, subRunsOf } from "./sub-runs.ts";

const SPAWN = 'part ← spawn-agent("helper", goal: "Write b")';

test("S-2 S-5 an agent has another one do a part: its branch is merged, and one merge is proposed", async () => {
  const { garden, engine } = await engineGround();
  await spawning(garden, "lead", ['write-note("b", content: "# B\\n")', SPAWN, 'write-note("d", content: "# D\\n")']);
  await spawning(garden, "helper", ['write-note("c", content: "# C\\n")']);
  const place = await requestedRun(garden, "lead");
  const running = await engine(agentFlow());
  await running.settled();

  const [record] = await subRunsOf(garden.store, place);
  const child = childPlace(record!);
  const [own, below] = [await runSessionOf(garden.repo, place), await runSessionOf(garden.repo, child)];
  expect(await manifestOf(garden, child)).toMatchObject({
    status: "completed",
    trigger: "agent",
    outcome: { kind: "effects", proposals: [], files: 1 },
  });
  expect(await manifestOf(garden, place)).toMatchObject({ status: "completed", outcome: { kind: "effects" } });
  expect(await spawnResults(garden, place)).toEqual([
    {
      agent: "helper",
      run: child.run,
      status: "completed",
      outcome: "effects",
      answer: expect.any(String) as string,
      used: { tokens: 0, calls: 1, agents: 0 },
      session: below!.name,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      files: ["notes/c.md"],
    },
  ]);
  const { commits } = await sessionLog(garden.repo, own!.name);
  expect(commits.map(({ typed }) => typed?.kind)).toEqual(["finding", "session-merge", "finding", "spawn"]);
  expect(commits[1]!.commit.parents).toEqual([commits[2]!.commit.oid, below!.head]);
  expect((await sessionLog(garden.repo, below!.name)).genesis?.commit.parents).toEqual([commits[2]!.commit.oid]);
  expect((await readEdges(garden.repo)).all()).toEqual([
    { kind: SUB_AGENT_OF, from: below!.name, to: own!.name },
    { kind: MERGES, from: own!.name, to: below!.name },
  ]);
  const { proposals } = await listPending(garden);
  expect(proposals.map(({ action, target }) => [action, target])).toEqual([["propose-merge", `agents/${own!.name}`]]);
  expect(await namesOf(garden, child)).toContain("hand-over");
});

test("O-6 a run waits for a sub-agent that asks a person, through restarts, and occupies no worker", async () => {
  const { garden, engine, clock } = await engineGround();
  await spawning(garden, "lead", [SPAWN]);
  await spawning(garden, "helper", ['ask-human("Go on?", form: "text")', 'write-note("c", content: "# C\\n")']);
  const place = await requestedRun(garden, "lead");
  const first = await engine(agentFlow(), { limit: 1 });
  await first.settled();
  const waiting = await runCard(garden, place);
  const [record] = await subRunsOf(garden.store, place);
  expect(waiting).toMatchObject({ state: "running", waiting_for: record!.id });
  expect(await runCard(garden, childPlace(record!))).toMatchObject({ state: "waiting" });
  expect(first.workingOn()).toEqual([]);
  await first.close();

  const second = await engine(agentFlow(), { limit: 1 });
  await second.settled();
  expect((await subRunsOf(garden.store, place)).map(({ id }) => id)).toEqual([record!.id]);
  const [question] = await openRequests(garden);
  await second.close();
  await answerRequest(garden, { request: question!.id, value: { text: "yes" }, by: commandLineOwner });
  const third = await engine(agentFlow(), { limit: 1 });
  await clock.pass(3000);
  await third.settled();
  expect(await manifestOf(garden, place)).toMatchObject({ status: "completed", outcome: { kind: "effects" } });
  expect((await spawnResults(garden, place)).map(({ files }) => files)).toEqual([["notes/c.md"]]);
});

/** Calls that a sub-agent tries, with the contract of the run that asks, and what that run is told. */
const REFUSED: readonly (readonly [string, Readonly<Record<string, string>>, { readonly [name: string]: unknown }])[] =
  [
    [
      'delete-note("a")',
      { tools: "[read-notes, write-note, spawn-agent]" },
      { status: "failed", outcome: "blocked", reason: expect.stringContaining("delete-note"), commit: null, files: [] },
    ],
    [
      'write-note("notes/other/c", content: "# C\\n")',
      {},
      { status: "failed", reason: expect.stringContaining("only in the folder notes/part"), commit: null },
    ],
    [
      'read-context("notes/a.md")',
      {},
      { status: "failed", reason: expect.stringContaining("notes/a.md"), commit: null },
    ],
  ];

test("S-2 a sub-agent has no tool and no folder beyond those handed on, and the run that asked is told", async () => {
  const { garden, engine } = await engineGround();
  const places: RunPlace[] = [];
  for (const [index, [line, over]] of REFUSED.entries()) {
    const spawn = `part ← spawn-agent("helper-${index}", goal: "Try", folders: ["part"])`;
    await spawning(garden, `lead-${index}`, [spawn, `write-note("d-${index}", content: part.status)`], over);
    await spawning(garden, `helper-${index}`, [line]);
    places.push(await requestedRun(garden, `lead-${index}`));
  }
  await (await engine(agentFlow())).settled();
  const told = await Promise.all(places.map(async (place) => (await spawnResults(garden, place))[0]));
  expect(told).toMatchObject(REFUSED.map(([, , result]) => result));
  const ends = await Promise.all(places.map((place) => manifestOf(garden, place)));
  expect(ends.map(({ outcome }) => outcome?.kind)).toEqual(REFUSED.map(() => "effects"));
});

/** A call that starts nothing, the contract of the run, and the failure. */
const IMPOSSIBLE: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ['spawn-agent("nobody", goal: "Try")', {}, "NOT_FOUND"],
  ['spawn-agent("plain", goal: "Try")', {}, "FORBIDDEN"],
  ['spawn-agent("paused", goal: "Try")', {}, "INVALID_AGENT_TRANSITION"],
  ['spawn-agent("lead-0", goal: "Try", folders: ["b"])', { context: "{folder: part}" }, "FORBIDDEN"],
  ['spawn-agent("lead-0", goal: "")', {}, "VALIDATION_FAILED"],
  ['spawn-agent("lead-0", goal: "Try")', { budget: "{calls: 1}" }, "FORBIDDEN"],
];

test("S-2 a run that may not have a sub-agent is told why, and nothing is started", async () => {
  const { garden, engine } = await engineGround();
  await spawning(garden, "paused", ["read-notes()"]);
  await changeAgentStatus(garden, { slug: "paused", to: "paused", by: commandLineOwner });
  const plain = { workspace: "proposals", tools: "[today, create-proposal]", safe_outputs: "[propose-note]" };
  await spawning(garden, "plain", ["today()"], plain);
  const places: RunPlace[] = [];
  for (const [index, [line, over]] of IMPOSSIBLE.entries()) {
    await spawning(garden, `lead-${index}`, [line], over);
    places.push(await requestedRun(garden, `lead-${index}`));
  }
  await (await engine(agentFlow())).settled();
  const told = await Promise.all(places.map(async (place) => (await spawnResults(garden, place))[0]?.["code"]));
  expect(told).toEqual(IMPOSSIBLE.map(([, , code]) => code));
  expect((await listRuns(garden)).runs.length).toBe(places.length);
});

test("S-2 sub-agents are limited in depth and in number over the whole tree", async () => {
  const { garden, engine } = await engineGround();
  const again = 'spawn-agent("helper", goal: "Deeper")';
  await spawning(garden, "lead", [`one ← ${again}`, `two ← ${again}`, `three ← ${again}`], {
    sub_agents: "{most: 3, depth: 2}",
  });
  await spawning(garden, "helper", [`below ← ${again}`]);
  const place = await requestedRun(garden, "lead");
  await (await engine(agentFlow())).settled();
  const { runs } = await listRuns(garden);
  // The first helper asks for a second one, which may not go deeper; the next helper of the lead may not have one below.
  expect(runs.length).toBe(4);
  const results = await spawnResults(garden, place);
  expect(results.map(({ code, status }) => code ?? status)).toEqual(["completed", "failed", "FORBIDDEN"]);
  expect(results.map(({ used }) => (used as { readonly agents?: number } | undefined)?.agents)).toEqual([
    1,
    0,
    undefined,
  ]);
  expect(results[2]).toMatchObject({ text: expect.stringContaining("3 so far") as string });
  const reasons = (
    await Promise.all(runs.map((card) => manifestOf(garden, { slug: card.agent_slug, run: card.run_id })))
  )
    .map(({ error }) => error ?? "")
    .filter((error) => error.includes("leave no further level"));
  expect(reasons.length).toBe(1);
});

test("S-2 a run that is cancelled cancels its sub-agents, at every depth", async () => {
  const { garden, engine } = await engineGround();
  await spawning(garden, "lead", [SPAWN]);
  await spawning(garden, "helper", ['spawn-agent("asker", goal: "Ask")']);
  await spawning(garden, "asker", ['ask-human("Go on?", form: "text")']);
  const place = await requestedRun(garden, "lead");
  const running = await engine(agentFlow());
  await running.settled();
  const below = await openRunsBelow(garden.store, place);
  await running.cancel(place, "owner", "not needed");
  await expect.poll(async () => (await openRunIds(garden.store)).length).toBe(0);
  await running.settled();
  const ends = await Promise.all([place, ...below].map((each) => manifestOf(garden, each)));
  expect(below.length).toBe(2);
  expect(ends.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
  expect(await openRequests(garden)).toEqual([]);
  expect((await listPending(garden)).proposals).toEqual([]);
});

test("S-2 a sub-agent whose asking run is over before it begins does nothing", async () => {
  const { garden, engine } = await engineGround();
  await spawning(garden, "lead", [SPAWN]);
  await spawning(garden, "helper", ['write-note("c", content: "# C\\n")']);
  const place = await requestedRun(garden, "lead");
  await live(garden, place, portsWith(scriptedModel([])));
  const [record] = await subRunsOf(garden.store, place);
  const request = (await requestAt(garden.store, place))!;
  await endRun({ ...ENDING, garden }, place, request, cancelledVerdict({ by: "owner" }));
  await garden.store.remove(
    keys.runCancel("helper", record!.child.run),
    (await garden.store.get(keys.runCancel("helper", record!.child.run)))!.hash,
  );
  await (await engine(agentFlow())).settled();
  expect(await manifestOf(garden, childPlace(record!))).toMatchObject({ status: "cancelled", steps_count: 0 });
  expect(await runSessionOf(garden.repo, childPlace(record!))).toBeUndefined();
});

test("S-5 a conflict with the work of a sub-agent is told to the agent and to the owner, and nothing is merged", async () => {
  const { garden, engine } = await engineGround();
  await spawning(garden, "lead", [SPAWN]);
  await spawning(garden, "helper", ['ask-human("Go on?", form: "text")', 'write-note("a", content: "# Helper\\n")']);
  const place = await requestedRun(garden, "lead");
  const running = await engine(agentFlow());
  await running.settled();
  const own = (await runSessionOf(garden.repo, place))!;
  const person = { expect: own.head, kind: "refactor", message: "by hand", fields: {} };
  await commitSession(garden, own.name, {
    ...person,
    tree: { edits: [{ path: "notes/a.md", bytes: Buffer.from("# Person\n") }] },
  });
  const [question] = await openRequests(garden);
  await answerRequest(garden, { request: question!.id, value: { text: "yes" }, by: commandLineOwner });
  await expect.poll(async () => (await openRunIds(garden.store)).length).toBe(0);
  await running.settled();
  expect(await spawnResults(garden, place)).toMatchObject([
    { status: "completed", commit: null, files: ["notes/a.md"], conflicts: ["notes/a.md"] },
  ]);
  const { commits } = await sessionLog(garden.repo, own.name);
  expect(commits.map(({ typed }) => typed?.kind)).toEqual(["refactor", "spawn"]);
  const told: unknown[] = [];
  for await (const { key } of everyKey(garden.store, "audit/"))
    if (key.includes("-conflict")) told.push(JSON.parse(Buffer.from((await garden.store.get(key))!.bytes).toString()));
  expect(told).toMatchObject([{ kind: "session-conflict", by: "lead", why: "notes/a.md" }]);
});

test("S-2 what a sub-agent uses counts against the budget of the run that asked, in prompt too", async () => {
  const { garden, engine } = await engineGround();
  const prompted = { model: "claude-sonnet-4-5-20250929", execution: "prompt" };
  await activeAgent(garden, "lead", { ...WITH_SPAWN, ...prompted, budget: "{calls: 7}" }, "Lead.\n");
  await activeAgent(garden, "helper", { ...WITH_SPAWN, ...prompted, budget: "{calls: 100}" }, "Help.\n");
  const place = await requestedRun(garden, "lead");
  const write = { tool: "write-note", input: { note: "c", content: "# C\n" } };
  const spawn = { tool: "spawn-agent", input: { agent: "helper", goal: "Help" } };
  const script: Script = ({ prompt }, turn) => {
    const isHelper = JSON.stringify(prompt[0]).includes("Help.");
    if (isHelper) return turn === 0 ? { calls: [write] } : { text: "One note." };
    return turn < 2 ? { calls: [spawn] } : { text: "Two parts." };
  };
  await (await engine(agentFlow(script))).settled();
  const [first, second] = await spawnResults(garden, place);
  expect(first).toMatchObject({ answer: "One note.", used: { calls: 3, agents: 0 } });
  // Two calls of the lead, three of the first helper, two for the second turn: the next helper may make none.
  expect(second).toMatchObject({ code: "FORBIDDEN", text: expect.stringContaining("budget.calls") as string });
  expect(await manifestOf(garden, place)).toMatchObject({ outcome: { kind: "blocked" } });
});

test("S-2 a fork of a sub-agent's run keeps its ceiling, and proposes its work itself", async () => {
  const { garden, engine } = await engineGround();
  await spawning(garden, "lead", ['part ← spawn-agent("helper", goal: "Try", folders: ["part"])']);
  await spawning(garden, "helper", ['write-note("notes/part/c", content: "# C\\n")']);
  const place = await requestedRun(garden, "lead");
  const running = await engine(agentFlow());
  await running.settled();
  const child = childPlace((await subRunsOf(garden.store, place))[0]!);
  const fork = await forkRun(garden, { place: child, at: 1, by: commandLineOwner });
  await running.settled();
  const forked = { slug: "helper", run: fork.run_id };
  expect([fork.spawned_by, fork.ceiling?.writes]).toEqual([undefined, ["notes/part"]]);
  expect(await namesOf(garden, forked)).toContain("propose-merge");
});

test("E3 E6 a sub-agent that was asked for is found again after a crash: one record, one run, one merge", async () => {
  const { garden } = await engineGround();
  const { store, repo } = garden;
  await spawning(garden, "lead", [SPAWN]);
  await spawning(garden, "helper", ['write-note("c", content: "# C\\n")']);
  const place = await requestedRun(garden, "lead");
  const ports = portsWith(scriptedModel([]));
  await live(garden, place, ports);
  const [record] = await subRunsOf(store, place);
  const child = childPlace(record!);
  // As if the process had died between the record and the request.
  for (const key of [keys.runRequest(child.slug, child.run), keys.runStatus(child.slug, child.run)])
    await store.remove(key, (await store.get(key))!.hash);
  expect(await live(garden, place, ports)).toEqual({ kind: "held", request: record!.id });
  expect(await subRunsOf(store, place)).toEqual([record]);
  expect(await requestAt(store, child)).toMatchObject({ trigger: "agent", spawned_by: { run: place.run } });
  await live(garden, child, ports);
  await live(garden, place, ports);
  const session = (await runSessionOf(repo, place))!;
  // As if it had died between the merge and its step.
  const [step] = (await stepsOf(garden, place)).filter(({ name }) => name === "spawn-agent");
  const later = (await stepsOf(garden, place)).filter(({ position }) => position >= step!.position);
  for (const { position, name } of later) {
    const key = keys.runStep(place.slug, place.run, position, name);
    await store.remove(key, (await store.get(key))!.hash);
  }
  await live(garden, place, ports);
  expect((await runSessionOf(repo, place))!.head).toBe(session.head);
  expect((await stepsOf(garden, place)).find(({ name }) => name === "spawn-agent")!.output).toEqual(step!.output);
});
