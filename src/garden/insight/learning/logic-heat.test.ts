import { describe, expect, test } from "vitest";
import { type Script, scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import type { Json } from "../../../base/canonical.ts";
import { heatOf, type WeighedRun } from "../../../domain/logic/icon-heat.ts";
import { PASSED } from "../../../domain/run/passed-lines.ts";
import type { PassedIcon } from "../../../domain/run/run-path.ts";
import { approve, reject } from "../../changes/proposals/testing/decisions.ts";
import type { Garden } from "../../core/garden.ts";
import { live, manifestOf, portsWith, requestedRun } from "../../runs/testing/agent-ground.ts";
import { oneGarden } from "../../runs/testing/one-garden.ts";
import { heatPicture, type LogicHeatReport, logicHeat } from "./logic-heat.ts";
import { drawnAgent } from "./testing/drawn-agent.ts";

const at = (icon: string, over: Partial<PassedIcon> = {}): PassedIcon => ({
  diagram: "d",
  icon,
  calls: 0,
  tokens: 0,
  ms: 0,
  failed: false,
  proposals: [],
  ...over,
});

const weighed = (passed: PassedIcon[], over: Partial<WeighedRun & WeighedRun["path"]> = {}): WeighedRun => ({
  verdict: over.verdict ?? "good",
  fates: over.fates ?? new Map(),
  path: {
    run: "r",
    version: "v001",
    behaviour: null,
    certainty: over.certainty ?? "fact",
    passed,
    status: over.status ?? "completed",
    outcome: null,
    tokens: passed.reduce((sum, { tokens }) => sum + tokens, 0),
    logicIssue: false,
  },
});

describe("heat per icon and branch", () => {
  const runs = [
    weighed(
      [at("q", { answer: true }), at("w", { tokens: 5, calls: 1, proposals: ["a", "b"] }), at("q", { answer: false })],
      {
        verdict: "bad",
        fates: new Map([
          ["a", "rejected"],
          ["b", "accepted"],
        ]),
      },
    ),
    weighed([at("q", { answer: false }), at("x", { failed: true, ms: 9 })], { verdict: "bad", status: "failed" }),
    weighed([at("q", { answer: true }), at("w", { tokens: 7 })], { certainty: "claim" }),
    weighed([at("q", { answer: true })], { certainty: "unknown" }),
  ];
  const heat = new Map(heatOf(runs).map((icon) => [icon.icon, icon]));

  test("an icon counts its visits, failures, cost and proposals, and the results of its runs", () => {
    expect(heat.get("q")).toMatchObject({ visits: 4, claimed: 1, runs: 3, good: 1, bad: 2, tokens: 0 });
    expect(heat.get("w")).toMatchObject({ visits: 2, tokens: 12, calls: 1, proposals: { accepted: 1, rejected: 1 } });
    expect(heat.get("x")).toMatchObject({ visits: 1, failures: 1, ms: 9, bad: 1 });
  });

  test("a branch counts each run that took it once, with its whole result", () => {
    expect(heat.get("q")!.branches).toMatchObject([
      { answer: true, visits: 2, runs: 2, good: 1, bad: 1, failures: 0, tokens: 12, proposals: { rejected: 1 } },
      { answer: false, visits: 2, runs: 2, good: 0, bad: 2, failures: 1, tokens: 5, proposals: { rejected: 1 } },
    ]);
  });

  test("R-1a an unknown path adds nothing", () => {
    expect(heatOf(runs.slice(3))).toEqual([]);
  });
});

const shared = oneGarden();

const PROCEDURE = `BEGIN "Tidy"
  notes ← read-notes()
  IF wanted
    create-proposal(type: "propose-note", path: "notes/" + mark + ".md", text: "# New")
  ELSE
    a ← mark
  IF missing
    text ← read-context("nowhere at all")
END
`;

const TOOLS = {
  tools: "[read-notes, read-context, create-proposal]",
  safe_outputs: "[propose-note]",
  max_steps: "20",
};

async function ran(
  garden: Garden,
  slug: string,
  input: { readonly [name: string]: Json },
  script: Script = [],
): Promise<string[]> {
  const place = await requestedRun(garden, slug, input);
  await live(garden, place, portsWith(scriptedModel(script)));
  const { outcome } = await manifestOf(garden, place);
  return outcome?.kind === "effects" ? outcome.proposals : [];
}

const shown = ({ icons }: LogicHeatReport): Record<string, unknown> =>
  Object.fromEntries(
    icons
      .filter(({ text }) => /^(?:notes|wanted|create|missing|text)/.test(text))
      .map(({ text, visits, claimed, failures, good, bad, proposals, branches }) => [
        text.slice(0, 6),
        [
          visits,
          claimed,
          failures,
          good,
          bad,
          proposals.accepted,
          proposals.rejected,
          ...branches.map((one) => `${one.answer}×${one.visits}`),
        ],
      ]),
  );

describe("L-5 heat of real runs", () => {
  test.each(["flow", "prompt"] as const)(
    "shows %s runs of the follower as facts, with the decisions",
    async (execution) => {
      const garden = shared();
      const slug = `heat-${execution}`;
      await drawnAgent(garden, slug, PROCEDURE, { ...TOOLS, execution });
      const [yes] = await ran(garden, slug, { mark: `${slug}-1`, wanted: true, missing: false });
      const [no] = await ran(garden, slug, { mark: `${slug}-2`, wanted: true, missing: false });
      await ran(garden, slug, { mark: "x", wanted: false, missing: true });
      await approve(garden, yes!);
      await reject(garden, no!, "not this");
      const { heat, diagrams, mainFile } = await logicHeat(garden, { slug });
      expect(heat.runs).toEqual({ fact: 3, claim: 0, unknown: 0, unreadable: [] });
      expect(shown(heat)).toEqual({
        "notes ": [3, 0, 0, 1, 2, 0, 0],
        wanted: [3, 0, 0, 1, 2, 0, 0, "true×2", "false×1"],
        create: [2, 0, 0, 1, 1, 1, 1],
        missin: [3, 0, 0, 1, 2, 0, 0, "true×1", "false×2"],
        "text ←": [1, 0, 1, 0, 1, 0, 0],
      });
      const svg = heatPicture(heat, mainFile, diagrams.get(mainFile)!, { by: "rejected", language: "en" });
      expect({
        heated: svg.match(/class="h"/g)?.length,
        showsReverted: svg.includes("↩ 1"),
        showsFailed: svg.includes("✗ 1"),
      }).toEqual({ heated: 1, showsReverted: true, showsFailed: true });
      expect(await logicHeat(garden, { slug, factsOnly: true })).toMatchObject({ heat: { icons: heat.icons } });
    },
  );

  test("marks a model's claims, and leaves them out when only facts are requested", async () => {
    const garden = shared();
    const slug = "heat-claims";
    await drawnAgent(garden, slug, PROCEDURE, { ...TOOLS, execution: "prompt", model: "claude-sonnet-4-5-20250929" });
    const script: Script = (_, turn) =>
      turn === 0
        ? { calls: [{ tool: "read-notes", input: { [PASSED]: [3] } }] }
        : turn === 1
          ? { calls: [{ tool: "read-context", input: { name: "nowhere", [PASSED]: ["5 no", 8, "10 yes", 11] } }] }
          : { text: "NOOP: nothing more" };
    await ran(garden, slug, { mark: "x", wanted: false, missing: false }, script);
    await ran(garden, slug, { mark: "x", wanted: false, missing: false }, [{ text: "NOOP: said nothing" }]);
    const { heat } = await logicHeat(garden, { slug });
    expect(heat.runs).toMatchObject({ fact: 0, claim: 1, unknown: 1 });
    expect(shown(heat)["wanted"]).toEqual([1, 1, 0, 1, 0, 0, 0, "false×1"]);
    expect((await logicHeat(garden, { slug, factsOnly: true })).heat.icons).toEqual([]);
  });

  test.each([
    ["nobody", undefined, /no version/],
    ["heat-flow", "v009", /no version v009/],
  ])("%s %s is refused with a message", async (slug, version, words) => {
    await expect(logicHeat(shared(), { slug, version })).rejects.toThrow(words);
  });
});
