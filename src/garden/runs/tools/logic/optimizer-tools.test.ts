import { appendFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../../../base/canonical.ts";
import { commandLineOwner } from "../../../../domain/identity.ts";
import { memoryPath } from "../../../../domain/layout.ts";
import type { Repair } from "../../../../drakon/learn/repair.ts";
import { changeAgentStatus } from "../../../agents/lifecycle/change-status.ts";
import { createAgent } from "../../../agents/lifecycle/create-agent.ts";
import { sampleRun } from "../../../core/flow/testing/sample-run.ts";
import type { Garden } from "../../../core/garden.ts";
import { inspectLogic } from "../../../insight/learning/analyse-logic.ts";
import { files, git } from "../../../testing/scratch.ts";
import { approved, wished } from "../../../testing/tended-garden.ts";
import { oneGarden } from "../../testing/one-garden.ts";
import { answersTo, expectedOf, type ToolGround, type ToolRow, toolGround } from "../testing/tool-ground.ts";

const GRANTS = `learning: { success_below: 0.8, enough_runs: 5 }
grants:
  - { agent: optimizer, actions: [logic-update], on: [gardener, put-away, nobody] }
  - { agent: optimizer, actions: [logic-rollback], on: [librarian] }
  - { agent: observer, actions: [logic-update], on: [gardener] }
`;

describe("tools for optimising the logic of other agents", () => {
  const one = oneGarden();
  let garden: Garden;
  let optimizer: ToolGround;
  let observer: ToolGround;
  let runs: string[];

  beforeAll(async () => {
    garden = one();
    for (const slug of ["gardener", "librarian", "put-away", "stranger"])
      await createAgent(garden, { slug, by: commandLineOwner, language: "en", from: { kind: "template" } });
    await changeAgentStatus(garden, { slug: "put-away", to: "archived", by: commandLineOwner });
    const content = (step: string) => `BEGIN "Work"\n  notes ← read-notes()\n${step}END\n`;
    for (const [index, step] of ['  write-memory("one")\n', '  write-memory("two")\n'].entries()) {
      const change = { agent: "gardener", pseudocode: content(step), rationale: `Reason ${index + 1}` };
      await approved(garden, await wished(garden, "logic-update", change));
    }
    runs = [];
    for (let count = 0; count < 3; count++)
      runs.push((await sampleRun(garden, { slug: "gardener", logic: "v003" })).run);
    files(garden.dir, { [memoryPath.run("gardener", runs[0]!)]: "# Run\n\nlogic_issue: true\n" });
    appendFileSync(`${garden.dir}/garden.yaml`, GRANTS);
    git(garden.dir, "add", "-A");
    git(garden.dir, "commit", "-qm", "By hand");
    optimizer = await toolGround({ garden, slug: "optimizer" });
    observer = await toolGround({ garden, slug: "observer", outputs: ["memory-update"] });
  });

  test("Z-6 list-agents lists granted agents with logic, the owner's thresholds, and what may be proposed", async () => {
    const thresholds = { success_below: 0.8, tokens_above: 5000, enough_runs: 5 };
    expect({
      optimizer: await optimizer.use("list-agents"),
      observer: await observer.use("list-agents"),
    }).toMatchObject({
      optimizer: [
        { agent: "gardener", status: "draft", logic_version: "v003", may_propose: true, ...thresholds },
        { agent: "librarian", logic_version: "v001", may_propose: false, ...thresholds },
      ],
      observer: [{ agent: "gardener", may_propose: false }],
    });
    const rows: readonly ToolRow[] = [
      ["one of them", { agent: "gardener" }, 1],
      ["an agent that does not exist", { agent: "nobody" }, 0],
      [
        "one that was not granted",
        { agent: "stranger" },
        /^FORBIDDEN: optimizer may not read the logic and runs of stranger/,
      ],
      ["itself", { agent: "optimizer" }, /^FORBIDDEN: optimizer may not analyse its own logic; the owner can grant it/],
    ];
    expect(await answersTo(optimizer, "list-agents", rows, (given) => (given as Json[]).length)).toEqual(
      expectedOf(rows),
    );
  });

  test("Z-1 read-changelog returns the last changes, newest first, with their reasons", async () => {
    const told = (given: Json) =>
      (given as { entries: { version: string; reason: string }[] }).entries.map((entry) => entry.version).join(" ");
    const rows: readonly ToolRow[] = [
      ["all", { agent: "gardener" }, "v003 v002 v001"],
      ["two", { агент: "gardener", межа: 2 }, "v003 v002"],
      ["more than are ever loaded", { agent: "gardener", limit: 11 }, /^VALIDATION_FAILED: limit/],
      ["another's", { agent: "stranger" }, /^FORBIDDEN/],
    ];
    expect(await answersTo(optimizer, "read-changelog", rows, told)).toEqual(expectedOf(rows));
    expect(await optimizer.use("read-changelog", { agent: "gardener", limit: 2 })).toMatchObject({
      agentId: "gardener",
      logicVersion: "v003",
      summary: "v003: Reason 2. v002: Reason 1.",
      entries: [{ reason: "Reason 2", result: null }, { reason: "Reason 1" }],
    });
  });

  test("Z-6 read-runs puts runs marked as the logic's fault first on request", async () => {
    const told = (given: Json) => (given as { run: string }[]).map(({ run }) => runs.indexOf(run)).join(" ");
    const rows: readonly ToolRow[] = [
      ["newest", { agent: "gardener" }, "2 1 0"],
      ["marked", { agent: "gardener", first: "logic_issue" }, "0 2 1"],
      ["marked, one", { agent: "gardener", first: "logic_issue", limit: 1 }, "0"],
      ["another order", { agent: "gardener", first: "oldest" }, /^VALIDATION_FAILED: first/],
    ];
    expect(await answersTo(optimizer, "read-runs", rows, told)).toEqual(expectedOf(rows));
  });

  test("Z-4 tried-before finds earlier changes by diagram or text, and refuses an unreadable one", async () => {
    const told = (given: Json) => (given as { kind: string; words: string }[]).map(({ kind }) => kind).join(" ");
    const rows: readonly ToolRow[] = [
      [
        "a former version",
        { agent: "gardener", content: 'BEGIN "Work"\n  notes ← read-notes()\n  write-memory("one")\nEND\n' },
        "former",
      ],
      ["something new", { agent: "gardener", content: 'BEGIN "Work"\n  notes ← read-notes()\nEND\n' }, ""],
      ["no diagram", { agent: "gardener", діаграма: "{}" }, /^VALIDATION_FAILED: the diagram has errors/],
      ["nothing", { agent: "gardener" }, /^VALIDATION_FAILED: a change of logic needs a diagram or pseudocode/],
    ];
    expect(await answersTo(optimizer, "tried-before", rows, told)).toEqual(expectedOf(rows));
  });

  test("Z-3 analyse-logic reports too few runs, and reads runs only on request", async () => {
    const told = (given: Json) => {
      const {
        verdict,
        recommendation,
        runs: read,
      } = given as { verdict: string; recommendation: string; runs: { read: number } };
      return `${verdict}, ${recommendation}, ${read.read}`;
    };
    const rows: readonly ToolRow[] = [
      ["the figures", { agent: "gardener" }, "too-few, more runs, 0"],
      ["and the runs", { агент: "gardener", запусків: 10 }, /^too-few, more runs, \d$/],
      ["more than there is time for", { agent: "gardener", runs: 1001 }, /^VALIDATION_FAILED: runs/],
      ["logic without a run", { agent: "librarian", runs: 10 }, "too-few, more runs, 0"],
    ];
    expect(await answersTo(optimizer, "analyse-logic", rows, told)).toEqual(expectedOf(rows));
  });

  test("L-8 Z-3 a repair says for which share of runs the recording cannot tell; one that it never can tell is an observation", async () => {
    const repair = (unknown: number): Repair => ({
      kind: "guard",
      finding: { icon: "3", words: { en: "fails", uk: "збій" }, evidence: ["run_a"] } as unknown as Repair["finding"],
      operations: [],
      diagram: { source: { text: "{}" } } as unknown as Repair["diagram"],
      expected: { runs: 40, bad: 10, badAfter: 4, same: 0, avoided: 2, unknown, tokensSaved: 0 },
      risk: "low",
      words: { en: `Guard ${unknown}.`, uk: `Перевірка ${unknown}.` },
    });
    const { use } = await toolGround({
      garden,
      slug: "second-optimizer",
      inspect: async (...asked) => ({ ...(await inspectLogic(...asked)), repairs: [repair(10), repair(40)] }),
    });
    appendFileSync(
      `${garden.dir}/garden.yaml`,
      "  - { agent: second-optimizer, actions: [logic-update], on: [gardener] }\n",
    );
    const { repairs, observations, summary } = (await use("analyse-logic", { agent: "gardener" })) as {
      repairs: { words: string; cannot_tell: number; rationale: { expectedImprovement: string; cannotTell: number } }[];
      observations: { words: string }[];
      summary: string;
    };
    const observed = "A change is possible (Guard 40.), but none of 40 recorded runs can tell what it would do.";
    expect({
      repairs: repairs.map(({ words, cannot_tell, rationale }) => [words, cannot_tell, rationale.cannotTell]),
      text: repairs[0]?.rationale.expectedImprovement,
      observations: observations.map(({ words }) => words),
      inSummary: summary.endsWith(observed),
    }).toEqual({
      repairs: [["Guard 10.", 0.25, 0.25]],
      text: expect.stringContaining("for 10 of 40 (25 %) the recording cannot tell") as string,
      observations: [observed],
      inSummary: true,
    });
  });
});
