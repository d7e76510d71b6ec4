import { describe, expect, test } from "vitest";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { everyKey } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { endedRun } from "../../insight/learning/testing/counted-runs.ts";
import { drawnAgent } from "../../insight/learning/testing/drawn-agent.ts";
import { readLogicState } from "../../records/logic/logic-state.ts";
import { logicOfFiles } from "../../records/logic/proposed-logic.ts";
import { gardenWith } from "../../testing/scratch.ts";
import { dismissSuggestion } from "./dismiss-suggestion.ts";
import { libraryStatistics } from "./library-statistics.ts";
import { recordReplay } from "./recorded-replays.ts";
import { suggestBehaviours } from "./suggestions.ts";
import { type PeerOffer, peerLibrary } from "./testing/peer-library.ts";

const SORT = 'BEGIN "Sort"\n  notes ← read-notes()\n  one ← read-context("a")\n  two ← read-context("b")\nEND\n';
const CAREFUL = SORT.replace("  two", "  IF one is empty\n    → END\n  two").replace(
  "→ END",
  'one ← read-context("c")',
);
const OTHER = 'BEGIN "Count"\n  n ← 1\n  m ← n + 1\nEND\n';

const careful: PeerOffer = { name: "Sort with care", version: "v004", procedure: CAREFUL, good: 96, bad: 4 };

/** An agent with 40 judged runs, of which `good` were good. */
async function sorter(garden: Garden, good: number): Promise<string> {
  await drawnAgent(garden, "sorter", SORT, { tools: "[read-notes, read-context, create-proposal]" });
  const { behaviour } = logicOfFiles(await readLogicState(garden.repo, await headOf(garden.repo), "sorter"));
  for (let run = 0; run < 40; run++)
    await endedRun(garden, "sorter", { behaviour_id: behaviour, status: run < good ? "completed" : "failed" });
  return behaviour;
}

const brief = async (garden: Garden) =>
  (await suggestBehaviours(garden)).open.map(({ agent, name, their_version, garden: from, reasons, relation }) => ({
    agent,
    name,
    their_version,
    from,
    reasons,
    relation,
  }));

describe("S-9b suggestions", () => {
  test("a behaviour whose interval is above the agent's own is suggested with both figures; unrelated and equal ones are not", async () => {
    const { garden } = await gardenWith();
    await sorter(garden, 20);
    await peerLibrary(garden, "alice", [
      careful,
      { name: "Count", version: "v001", procedure: OTHER, good: 200, bad: 0 },
      { name: "Sort", version: "v001", procedure: SORT, good: 200, bad: 0 },
    ]);
    const { open } = await suggestBehaviours(garden);
    expect(open).toMatchObject([
      {
        agent: "sorter",
        version: "v001",
        name: "Sort with care",
        garden: "alice",
        their_version: "v004",
        reasons: ["figures"],
        relation: "steps",
        theirs: { runs: 100, good: 96, bad: 4, models: [{ model: "bloom/follower", temperature: 0.3, runs: 100 }] },
        ours: { runs: 40, good: 20, bad: 20, models: [{ model: "bloom/follower", temperature: null, runs: 40 }] },
        replay: null,
      },
    ]);
  });

  test("without a difference beyond chance nothing is suggested; a replay on our runs can show one", async () => {
    const { garden } = await gardenWith();
    await sorter(garden, 38);
    const [behaviour] = await peerLibrary(garden, "alice", [careful]);
    const before = await brief(garden);
    await recordReplay(garden.store, `alice.${behaviour}`, {
      agent: "sorter",
      version: "v001",
      at: "2026-02-14T08:00:00Z",
      evidence: { agrees: 0, differs: 0, verdict_only: 100 },
      runs: { same: 30, better: 7, worse: 0, unknown: 3 },
      good: 37,
      judged: 37,
    });
    expect([before, (await brief(garden)).map(({ reasons }) => reasons)]).toEqual([[], [["replay"]]]);
  });

  test("a dismissed suggestion stays away with its reason; a new version is suggested again", async () => {
    const { garden } = await gardenWith();
    await sorter(garden, 20);
    await peerLibrary(garden, "alice", [careful]);
    const { id } = (await suggestBehaviours(garden)).open[0]!;
    await expect(dismissSuggestion(garden, { id, reason: " " }, commandLineOwner)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    await expect(
      dismissSuggestion(garden, { id: "0".repeat(16), reason: "x" }, commandLineOwner),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    const first = await dismissSuggestion(garden, { id, reason: "Asks too much" }, commandLineOwner);
    const again = await dismissSuggestion(garden, { id, reason: "Another" }, commandLineOwner);
    await peerLibrary(garden, "alice", [
      { ...careful, version: "v005", procedure: CAREFUL.replace('"c"', '"d"'), good: 99, bad: 1 },
    ]);
    const { dismissed } = await suggestBehaviours(garden);
    expect([again, await brief(garden), dismissed.map(({ reason }) => reason)]).toMatchObject([
      first,
      [{ their_version: "v005" }],
      ["Asks too much"],
    ]);
  });

  test("a crash between the dismissal and its audit record leaves the suggestion dismissed; repeating it writes the record once", async () => {
    const { garden } = await gardenWith();
    await sorter(garden, 20);
    await peerLibrary(garden, "alice", [careful]);
    const { id } = (await suggestBehaviours(garden)).open[0]!;
    const disarm = armCrashPoints((point) => {
      if (point === "library.suggestion.dismissed") throw new Error("died");
    });
    await expect(dismissSuggestion(garden, { id, reason: "No" }, commandLineOwner)).rejects.toThrow("died");
    disarm();
    const open = await brief(garden);
    for (let time = 0; time < 2; time++) await dismissSuggestion(garden, { id, reason: "No" }, commandLineOwner);
    const audits: string[] = [];
    for await (const { key } of everyKey(garden.store, "audit/"))
      if (key.includes(`suggestion-${id}`)) audits.push(Buffer.from((await garden.store.get(key))!.bytes).toString());
    expect([open, audits.length, audits[0]?.includes('"suggestion-dismissed"')]).toEqual([[], 1, true]);
  });

  test("statistics by behaviour show this garden and the library of a followed one beside each other", async () => {
    const { garden } = await gardenWith();
    const behaviour = await sorter(garden, 20);
    await peerLibrary(garden, "alice", [{ name: "Sort", version: "v002", procedure: SORT, good: 9, bad: 1 }]);
    const told = (await libraryStatistics(garden)).get(behaviour);
    expect(told?.map(({ garden: from, runs, good, agents }) => ({ from, runs, good, agents }))).toEqual([
      { from: null, runs: 40, good: 20, agents: ["sorter"] },
      { from: "alice", runs: 10, good: 9, agents: [] },
    ]);
    expect(await garden.store.get(keys.dismissedSuggestion("0".repeat(16)))).toBeUndefined();
  });
});
