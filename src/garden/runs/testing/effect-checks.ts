import { expect } from "vitest";
import { scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { childRunId } from "../../../domain/run/sub-run.ts";
import { runSessionName } from "../../../domain/session/session-name.ts";
import { answerFault } from "../../../drakon/walk/request.ts";
import { program } from "../../../drakon/walk/testing/procedures.ts";
import { replay } from "../../../drakon/walk/testing/replay.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { runSessionOf } from "../../sessions/run-session.ts";
import type { SessionCheck } from "../../sessions/testing/object-checks.ts";
import { sessionLog } from "../../sessions/topology.ts";
import { requestsOf } from "../hold.ts";
import { childPlace, subRunsOf } from "../sub-agents/sub-runs.ts";
import { live, manifestOf, namesOf, portsWith, requestedRun } from "./agent-ground.ts";
import { heldAt, orderGarden, startedOrder } from "./held-order.ts";
import { onBranch, planted } from "./session-ground.ts";

let agents = 0;
const lived = (garden: Garden, place: RunPlace) => live(garden, place, portsWith(scriptedModel([])));

/** A requested run of an agent that works on a branch. */
async function onBranchRun(...lines: string[]): Promise<{ garden: Garden; place: RunPlace }> {
  const garden = orderGarden();
  const slug = `effects-${++agents}`;
  const tools = "[write-note, ask-human, create-proposal, spawn-agent]";
  const contract = { ...onBranch, tools, model: "bloom/follower", execution: "flow", sub_agents: "{most: 3}" };
  await planted(garden, slug, contract, lines);
  return { garden, place: await requestedRun(garden, slug) };
}
const WRITES = `write-note("notes/effect.md", "# Effect")`;

/** One life that ends, as by a crash, when it passes a point for the n-th time. */
async function crashed({ garden, place }: { garden: Garden; place: RunPlace }, point: string, nth: number) {
  let passed = 0;
  const disarm = armCrashPoints((name) => {
    if (name === point && ++passed === nth) throw new Error("the process died");
  });
  try {
    await lived(garden, place).catch(() => undefined);
  } finally {
    disarm();
  }
  expect(passed).toBeGreaterThanOrEqual(nth);
}

/** The commits that the run's calls made. */
async function madeCommits({ garden, place }: { garden: Garden; place: RunPlace }): Promise<unknown[]> {
  const { name } = (await runSessionOf(garden.repo, place))!;
  return (await sessionLog(garden.repo, name)).commits.flatMap(({ typed }) => typed?.fields["request"] ?? []);
}

/** Dies after the commit of its call and before the record of it: the first step is the context, the second the call. */
async function diedAfterEffect() {
  const run = await onBranchRun(WRITES);
  await crashed(run, "flow.step.worked", 2);
  return run;
}

/** E1 to E8. */
export const effectChecks: readonly SessionCheck[] = [
  [
    "crash after the effect, before the journal: request still pending",
    async () => {
      const run = await diedAfterEffect();
      expect([await namesOf(run.garden, run.place), await madeCommits(run)]).toEqual([
        ["load-context"],
        [`${run.place.run}/2-write-note`],
      ]);
    },
  ],
  [
    "re-run finds the commit by request id, no duplicate",
    async () => {
      const run = await diedAfterEffect();
      await lived(run.garden, run.place);
      expect([(await manifestOf(run.garden, run.place)).status, await madeCommits(run)]).toEqual([
        "completed",
        [`${run.place.run}/2-write-note`],
      ]);
    },
  ],
  [
    "spawn effect made one sub-agent with a derived name",
    async () => {
      const [record] = await spawnedBy();
      expect(record!.child.run).toBe(childRunId(record!.id, record!.asked_at));
      const { slug, run } = childPlace(record!);
      await lived(orderGarden(), { slug, run });
      expect((await runSessionOf(orderGarden().repo, { slug, run }))?.name).toBe(runSessionName(slug, run));
    },
  ],
  [
    "unhandled effect stays pending",
    () => {
      const waits = program('BEGIN "Waits"\n  x ← receive("paid")\nEND\n');
      const open = (): unknown => replay(waits, {}, []).requests.map(({ kind, name }) => [kind, name]);
      expect([open(), open(), replay(waits, {}, []).end]).toEqual([
        [["receive", "paid"]],
        [["receive", "paid"]],
        undefined,
      ]);
    },
  ],
  [
    "handler result is journaled once",
    async () => {
      const run = await onBranchRun(WRITES, 'ask-human("Go on?")');
      for (let life = 0; life < 3; life++) await heldAt(run.garden, run.place);
      expect([await namesOf(run.garden, run.place), await madeCommits(run)]).toEqual([
        ["load-context", "write-note"],
        [`${run.place.run}/2-write-note`],
      ]);
    },
  ],
  ["spawn effect is idempotent too", async () => expect(await spawnedBy("sub-run.recorded")).toHaveLength(1)],
  [
    "handler answers are type-checked",
    () => {
      const ask = (kind: "commit" | "spawn" | "propose" | "notify") => ({ kind, name: kind, payload: {} });
      const wrong = [
        answerFault(ask("commit"), { commit: "abc" }),
        answerFault(ask("spawn"), {}),
        answerFault(ask("propose"), "x"),
        answerFault(ask("notify"), 0),
      ];
      expect(wrong.map((fault) => fault !== undefined)).toEqual([true, true, true, true]);
    },
  ],
  [
    "human requests are never auto-answered",
    async () => {
      const { garden, place, request } = await startedOrder();
      for (let life = 0; life < 3; life++) expect(await heldAt(garden, place)).toBe(request);
      expect((await requestsOf(garden.store, place)).map(({ answer }) => answer)).toEqual([undefined]);
    },
  ],
];

/** The sub-agents of a run that asks for one, after a life that died at a point and two that did not. */
async function spawnedBy(point?: string) {
  const helper = await onBranchRun(WRITES);
  const run = await onBranchRun(`part ← spawn-agent("${helper.place.slug}", goal: "Write")`, WRITES);
  if (point !== undefined) await crashed(run, point, 1);
  for (let life = 0; life < 2; life++) await lived(run.garden, run.place);
  return subRunsOf(run.garden.store, run.place);
}
