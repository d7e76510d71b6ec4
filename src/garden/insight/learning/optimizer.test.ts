import { appendFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import type { Json } from "../../../base/canonical.ts";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { tools } from "../../../domain/contract/tool.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { contractKey, keys, logicPath, MAIN_REF, memoryPath } from "../../../domain/layout.ts";
import { readMeta } from "../../../domain/logic/logic-meta.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { RunManifest } from "../../../domain/run/run-manifest.ts";
import { everyKey } from "../../../ports/store.ts";
import { changeSafeOutput } from "../../agents/safe-outputs.ts";
import { receive } from "../../changes/inbox/receive.ts";
import { closeFound, closeGarden, findGarden, type Garden } from "../../core/garden.ts";
import { logicTextAt } from "../../records/logic/logic-state.ts";
import { writeAnalyses } from "../../records/logic/record-analysis.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { live, manifestOf, portsWith, requestedRun, stepsOf } from "../../runs/testing/agent-ground.ts";
import { toolGround } from "../../runs/tools/testing/tool-ground.ts";
import { gardensLike, gardenWith, git, testPorts } from "../../testing/scratch.ts";
import { verifyGarden } from "../verify/verify.ts";
import { logicPerformance } from "./logic-performance.ts";
import { ensureLogicReport } from "./logic-report.ts";
import { proposalsOf } from "./proposal-fates.ts";
import { recordStatistics } from "./statistics.ts";
import { activeOptimizer, activeTeller, judged, notesToTell, ran, toldAndJudged } from "./testing/teller-agent.ts";
import { watchVersions } from "./watch-versions.ts";

const SETTINGS = `learning: { enough_runs: 7 }
grants:
  - { agent: optimizer, actions: [logic-update], on: [teller, unheard] }
`;

/** An agent that lacks a check, after two weeks of work that its owner judged; and the optimizer of the product, as an observer. */
const { open: afterWeeks } = gardensLike(async () => {
  const made = await gardenWith(notesToTell());
  appendFileSync(`${made.dir}/garden.yaml`, SETTINGS);
  git(made.dir, "commit", "-qam", "Let the optimizer look");
  await activeTeller(made.garden, "teller");
  await activeOptimizer(made.garden);
  await toldAndJudged(made.garden, "teller", 14);
  return made;
});

const mainText = async ({ repo }: Garden, path: string): Promise<string> =>
  (await logicTextAt(repo, (await repo.resolve(MAIN_REF))!, path)) ?? "";
const metaOf = async (garden: Garden) => readMeta(await mainText(garden, logicPath.current("teller", "meta")))!;
const proposedIn = async (garden: Garden, manifest: RunManifest): Promise<Proposal[]> =>
  Promise.all((await proposalsOf(garden.store, manifest)).map((id) => readProposal(garden.store, id)));
const allow = (garden: Garden, slug = "optimizer") =>
  changeSafeOutput(garden, { slug, action: "logic-update", allowed: true, by: commandLineOwner });
const called = async (garden: Garden, { agent_slug: slug, run_id: run }: RunManifest): Promise<string[]> =>
  (await stepsOf(garden, { slug, run })).filter(({ kind }) => kind === "tool").map(({ name }) => name);

/** Closes the garden and returns the findings of `verify`. */
async function verified(garden: Garden): Promise<readonly unknown[]> {
  await closeGarden(garden);
  const found = await findGarden(testPorts(), garden.dir);
  const wrong = await verifyGarden(found);
  await closeFound(found);
  return wrong;
}

describe("the optimizer", () => {
  test("Z-1 Z-2 Z-3 Z-6 L-9 observes, gets its permission, proposes a change, and the approved version is measured as better", async () => {
    const { garden } = await afterWeeks();

    const first = await ran(garden, "optimizer");
    const [anomaly, ...more] = await proposedIn(garden, first);
    expect({ action: anomaly!.operation.action, more }).toEqual({ action: "memory-update", more: [] });
    await judged(garden, first, () => "approve", "Thank you");
    expect(await mainText(garden, memoryPath.file("optimizer", "open_loops.md"))).toMatch(
      /- \[ \] Anomaly in teller v001, icon 3: 14 judged runs, 57\.1 % of them good.* Not proposed: the owner has not let me yet\./,
    );
    const commit = await writeAnalyses(garden);
    expect({ meta: await metaOf(garden), analyses: await writeAnalyses(garden) }).toMatchObject({
      meta: { optimizerRecommendation: "guard 3", optimizerLastAnalysis: expect.any(String) as string },
      analyses: undefined,
    });

    await allow(garden);
    const second = await ran(garden, "optimizer");
    const [change, ...others] = await proposedIn(garden, second);
    expect(others).toEqual([]);
    expect(change).toMatchObject({
      status: "pending",
      target: "logic/teller",
      operation: {
        action: "logic-update",
        payload: {
          currentVersion: "v001",
          requiresHumanReview: true,
          optimizerRunId: second.run_id,
          rationale: {
            problem: expect.stringContaining("6 of 6 runs were rejected (100 %), 0 % of the others") as string,
            evidenceRuns: expect.arrayContaining([expect.stringMatching(/^run_/)]) as string[],
            expectedImprovement: expect.stringContaining("of 14 recorded runs 6 went wrong") as string,
            cannotTell: expect.any(Number) as number,
            riskAssessment: expect.stringMatching(/^low/) as string,
          },
        },
      },
    });

    await expect(judged(garden, second, () => "approve", "Unseen")).rejects.toMatchObject({
      code: "INVALID_TRANSITION",
    });
    const seen = await ensureLogicReport(garden, change!);
    expect(seen?.report).toMatchObject({
      kind: "counterfactual",
      counterfactual: { totals: { runs: 14, same: 8, parts: 6 } },
    });
    const [applied] = await judged(garden, second, () => "approve", "It has the runs");
    expect({ status: applied!.status, version: (await metaOf(garden)).logicVersion }).toEqual({
      status: "applied",
      version: "v002",
    });

    const after = await toldAndJudged(garden, "teller", 7);
    expect(after.map(({ outcome }) => outcome?.kind).filter((kind) => kind === "noop")).toHaveLength(3);
    const { versions } = await logicPerformance(garden, { slug: "teller" });
    expect({ before: versions["v001"]!.good_rate, after: versions["v002"]!.good_rate }).toEqual({
      before: 0.5714,
      after: 1,
    });
    await recordStatistics(garden);
    await watchVersions(garden);
    expect(await mainText(garden, logicPath.changelog("teller"))).toMatch(/## v002[^]*\*\*Result after 7 runs:\*\*/);

    const third = await ran(garden, "optimizer");
    await judged(garden, third, () => "approve", "Good");
    expect(await mainText(garden, memoryPath.file("optimizer", "facts.md"))).toContain("- teller is normal on v002");
    expect((await called(garden, third)).includes("read-runs")).toBe(false);
    await writeAnalyses(garden);
    expect((await metaOf(garden)).optimizerRecommendation).toBe("none");
    expect(commit).toBeDefined();
    expect(await verified(garden)).toEqual([]);
  });

  test("Z-5 works the same as one prompt to the follower, and with a language model under the same checks", async () => {
    const { garden } = await afterWeeks();
    await allow(garden);
    await inContract(garden, "optimizer", (text) => text.replace('execution: "flow"', 'execution: "prompt"'));
    const byFollower = await ran(garden, "optimizer");
    const [change] = await proposedIn(garden, byFollower);
    expect({ status: byFollower.status, action: change?.operation.action }).toEqual({
      status: "completed",
      action: "logic-update",
    });
    await judged(garden, byFollower, () => "reject", "I want it to say so in a comment");

    const evidence =
      change!.operation.action === "logic-update" ? change!.operation.payload.rationale.evidenceRuns : [];
    const { diagram } = change!.operation.payload as { diagram: string };
    const saying = `BEGIN "Tell about a note"
  PARAMETERS: note

  text ← read-context(note)

  IF text is empty
    create-proposal(type: "propose-comment", note: note, content: "There is nothing here yet")
  ELSE
    create-proposal(type: "propose-comment", note: note, content: "This note says: " + text)

END
`;
    const propose = (input: object) => ({
      calls: [{ tool: "propose-logic-update", input: { agent: "teller", rationale: "Empty notes", ...input } }],
    });
    const model = scriptedModel([
      propose({ proposedPseudo: saying, evidenceRuns: ["run_2026-02-14_000000_zzzzzz"] }),
      propose({ proposedPseudo: saying }),
      propose({
        proposedPseudo: 'BEGIN "Tell"\n  REPEAT\n    text ← read-context("a")\nEND\n',
        evidenceRuns: evidence,
      }),
      propose({ proposedDrakon: diagram, evidenceRuns: evidence.slice(0, 2) }),
      propose({ proposedPseudo: saying, evidenceRuns: evidence, agent: "optimizer" }),
      propose({ proposedPseudo: saying, evidenceRuns: evidence }),
      { text: "Proposed." },
    ]);
    await inContract(garden, "optimizer", (text) =>
      text.replace('model: "bloom/follower"', 'model: "offline/scripted"'),
    );
    const place = await requestedRun(garden, "optimizer");
    await live(garden, place, portsWith(model));
    const answers = (await stepsOf(garden, place)).filter(({ name }) => name === "propose-logic-update");
    expect(answers.map(({ output }) => output)).toMatchObject([
      { status: "refused", reason: expect.stringContaining("no finished run of teller") as string },
      { status: "refused", reason: expect.stringContaining("at least one run as evidence") as string },
      { status: "refused", reason: expect.stringContaining("every loop has an exit") as string },
      { status: "refused", reason: expect.stringContaining("I want it to say so in a comment") as string },
      { status: "refused", reason: expect.stringContaining("optimizer may not change its own logic") as string },
      { status: "pending", target: "logic/teller" },
    ]);
    expect(JSON.stringify(model.seen[0]!.prompt)).toContain("I want it to say so in a comment");
    expect((await manifestOf(garden, place)).outcome).toMatchObject({ kind: "effects" });
  });

  test("Z-4 makes one proposal in two concurrent runs; the other run writes an open loop", async () => {
    const { garden } = await afterWeeks();
    appendFileSync(`${garden.dir}/garden.yaml`, "  - { agent: second, actions: [logic-update], on: [teller] }\n");
    await activeOptimizer(garden, "second");
    await Promise.all([allow(garden), allow(garden, "second")]);
    const runs = await Promise.all([ran(garden, "optimizer"), ran(garden, "second")]);
    const made = (await Promise.all(runs.map((run) => proposedIn(garden, run)))).flat();
    const actions = made.map(({ operation }) => operation.action).toSorted();
    expect({ runs: runs.map(({ status }) => status), actions }).toEqual({
      runs: ["completed", "completed"],
      actions: ["logic-update", "memory-update"],
    });
  });
});

describe("an optimizer without permission", () => {
  test("Z-1 Z-2 is refused at each attempt", async () => {
    const { garden, dir } = await afterWeeks();
    await activeTeller(garden, "private");
    const observer = await toolGround({ garden, dir, slug: "observer", outputs: ["memory-update"] });
    appendFileSync(`${dir}/garden.yaml`, "  - { agent: observer, actions: [logic-update], on: [teller] }\n");
    const versions = await garden.repo.list((await garden.repo.resolve(MAIN_REF))!, "logic");
    const rows: [string, string, Record<string, Json>][] = [
      ["propose as an observer", "propose-logic-update", { agent: "teller", content: "x", rationale: "y" }],
      ["go back as an observer", "propose-logic-update", { agent: "teller", toVersion: "v001", rationale: "y" }],
      ["read another's memory", "read-memory", { agent: "teller" }],
      ["search or compare it", "memory-diff", { agent: "teller", from: "2026-02-01" }],
      ["write another's memory", "propose-memory-update", { agent: "teller", content: "x" }],
      ["look at logic that was not granted", "analyse-logic", { agent: "private", runs: 10 }],
      ["read it", "read-logic", { agent: "private" }],
      ["read its changelog", "read-changelog", { agent: "private" }],
      ["read its runs", "read-runs", { agent: "private" }],
      ["ask what was tried there", "tried-before", { agent: "private", content: "x" }],
      ["list it", "list-agents", { agent: "private" }],
      ["judge itself", "analyse-logic", { agent: "observer" }],
      ["judge itself unnamed", "analyse-logic", {}],
      ["name itself as a target", "list-agents", { agent: "observer" }],
      ["write into versions/", "propose-edit", { path: "logic/teller/versions/v001.pseudo.md", text: "x" }],
      ["write its own contract", "propose-edit", { path: "agents/observer/_agent.md", text: "x" }],
      ["write the grants", "propose-edit", { path: "garden.yaml", text: "x" }],
    ];
    const answers: Record<string, unknown> = {};
    for (const [what, tool, input] of rows) {
      const answer =
        tool === "propose-edit"
          ? await receive(garden, {
              identity: { type: "agent", slug: "observer", run: observer.run },
              action: tool,
              payload: input,
            }).then((received) => (received.kind === "refused" ? received.failure : received))
          : await observer.use(tool, input).catch((error: unknown) => error);
      answers[what] = (answer as { code?: string }).code;
    }
    expect(answers).toEqual(Object.fromEntries(rows.map(([what]) => [what, "FORBIDDEN"])));
    expect(await garden.repo.list((await garden.repo.resolve(MAIN_REF))!, "logic")).toEqual(versions);
    expect(tools.filter((tool) => /run/.test(tool))).toEqual(["read-runs"]);
  });
});

describe("Z-6 the gateway's record of an analysis", () => {
  test("survives a kill at each point, and is written once", async () => {
    const { garden, dir } = await afterWeeks();
    const { use } = await toolGround({ garden, dir, slug: "optimizer-2" });
    appendFileSync(`${dir}/garden.yaml`, "  - { agent: optimizer-2, actions: [logic-update], on: [teller] }\n");
    const killedAt = async (point: string, work: () => Promise<unknown>): Promise<void> => {
      const disarm = armCrashPoints((name) => {
        if (name === point) throw new Error("killed");
      });
      await expect(work()).rejects.toThrow("killed");
      disarm();
    };
    const look = () => use("analyse-logic", { agent: "teller", runs: 50 }, { key: "one call" });
    const analyses = async () => {
      const found: string[] = [];
      for await (const { key } of everyKey(garden.store, keys.logicAnalysis("teller", "").replace(".json", "")))
        found.push(key);
      return found.length;
    };
    await killedAt("analysis.recorded", look);
    const nothing = await writeAnalyses(garden);
    const told = await look();
    await killedAt("analysis.committed", () => writeAnalyses(garden));
    const again = await writeAnalyses(garden);
    expect({ nothing, again, analyses: await analyses(), looked: await look() }).toEqual({
      nothing: undefined,
      again: undefined,
      analyses: 1,
      looked: told,
    });
    expect(await metaOf(garden)).toMatchObject({ optimizerRecommendation: "guard 3" });
    const log = git(dir, "log", "--format=%s", "--", logicPath.current("teller", "meta"));
    expect(log.split("\n").filter((line) => line === "analyses: teller")).toHaveLength(1);
  });
});

/** The owner edits a contract with an editor. */
async function inContract({ store }: Garden, slug: string, edit: (text: string) => string): Promise<void> {
  const stored = (await store.get(contractKey(slug)))!;
  await store.swap(contractKey(slug), stored.hash, Buffer.from(edit(Buffer.from(stored.bytes).toString())));
}
