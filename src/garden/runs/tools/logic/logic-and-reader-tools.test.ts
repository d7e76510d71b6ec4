import { appendFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { localReader } from "../../../../adapters/reader/local/local-reader.ts";
import { Failure } from "../../../../base/failure.ts";
import { tools as everyTool } from "../../../../domain/contract/tool.ts";
import { commandLineOwner } from "../../../../domain/identity.ts";
import { ask } from "../../../../domain/run/request.ts";
import { argumentNamesFor } from "../../../../drakon/expression/argument-names.ts";
import type { Reader, ReaderQuestion } from "../../../../ports/reader.ts";
import { createAgent } from "../../../agents/lifecycle/create-agent.ts";
import { sampleRun } from "../../../core/flow/testing/sample-run.ts";
import { gardenWith } from "../../../testing/scratch.ts";
import { answersTo, expectedOf, type ToolRow, toolGround } from "../testing/tool-ground.ts";

const note = "# Бах\n\nБах народився 1685 року в Айзенасі. Він писав сонати для скрипки.\n";
const notes = { "notes/violin/bach.md": note, "notes/rose.md": "# Троянда\n\nТроянди обрізають у березні.\n" };

describe("R-3 the tools of a run", () => {
  test("a run has the tools of its contract and noop, and no others", async () => {
    const { tools } = await toolGround({ tools: ["read-notes", "create-proposal"] });
    expect(tools.map(({ name }) => name)).toEqual(["read-notes", "create-proposal", "noop"]);
  });

  test("every tool has a description in both languages, a time limit, and a schema for models", async () => {
    const contract = "workspace: session";
    const [en, uk] = [await toolGround({ contract }), await toolGround({ contract, language: "uk", slug: "other" })];
    expect(en.tools.map(({ name }) => name)).toEqual([...everyTool, "noop"]);
    for (const [index, tool] of en.tools.entries()) {
      expect(tool.description).toMatch(/^[A-Z]/);
      expect(uk.tools[index]!.description).toMatch(/^[А-ЯІЇЄҐ]/);
      expect(tool.limitMs).toBeGreaterThan(0);
      expect(tool.limitMs).toBeLessThan(120_000);
      const told = z.toJSONSchema(tool.input, { io: "input" });
      expect(told).toMatchObject({ type: "object" });
      expect(told["additionalProperties"]).toEqual(tool.name === "write-memory" ? expect.anything() : false);
    }
  });

  test("unnamed arguments match the fields of the schemas", async () => {
    const { tools } = await toolGround();
    const table = argumentNamesFor(
      tools.map(({ name, input }) => ({
        name,
        fields: Object.keys(z.toJSONSchema(input, { io: "input" }).properties ?? {}),
      })),
    );
    expect(
      Object.fromEntries(everyTool.map((name) => [name, table.get(name)?.positional.slice(0, 3).join(" ")])),
    ).toMatchObject({
      "read-context": "name",
      "read-notes": "folder",
      "search-notes": "query",
      "write-memory": "text",
      "notebooklm-query": "question source",
      "create-proposal": "type note content",
      "ask-human": "question form options",
    });
  });

  test("R-5a noop needs a reason; the input of ask-human is what the journal reads", async () => {
    const { use, tool } = await toolGround();
    expect(await use("noop", { причина: "усе гаразд" })).toEqual({ noop: true, reason: "усе гаразд" });
    await expect(use("noop", {})).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    const { input } = tool("ask-human")!;
    const asked = input.parse({ питання: "Котрий?", форма: "choice", варіанти: ["а", "б"] });
    expect(ask.parse(asked)).toEqual({ question: "Котрий?", form: "choice", options: ["а", "б"] });
    expect(
      [
        { question: "?", form: "choice" },
        { question: "?", options: ["а"] },
        { question: "?", form: "vote" },
        { question: "" },
      ].map((one) => input.safeParse(one).success),
    ).toEqual([false, false, false, false]);
  });

  test("an input that is too large is refused before it is parsed", async () => {
    const { use } = await toolGround();
    await expect(use("write-memory", { text: "x", big: "y".repeat(1_100_000) })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining("at most 1048576 are taken") as string,
    });
  });
});

describe("R-4 notebooklm-query", () => {
  const rows: readonly ToolRow[] = [
    ["from notes", { question: "Коли народився Бах?" }, "«Бах народився 1685 року в Айзенасі.» [1]"],
    ["from a source of the agent's", { питання: "Що таке вібрато?" }, "«Вібрато — коливання висоти.» [1]"],
    ["about a text", { question: "Створи резюме", source: note }, "«Бах народився 1685 року в Айзенасі.» [1]"],
    ["about a note by its name", { question: "Створи резюме", джерело: "rose" }, "«Троянди обрізають у березні.» [1]"],
    [
      "about a source by its name",
      { question: "Створи резюме", source: "dictionary.txt" },
      "«Вібрато — коливання висоти.» [1]",
    ],
    [
      "about what another tool gave",
      { question: "Створи резюме", source: { text: "Один. Єдиний рядок тексту тут стоїть." } },
      /^«/,
    ],
    ["nothing", { question: "Яка столиця Бразилії?" }, "Джерела нічого про це не кажуть."],
    ["no question", { question: "" }, /^VALIDATION_FAILED/],
    [
      "another's text is not looked at",
      { question: "Коли народився Бах?", source: "rose" },
      "Джерела нічого про це не кажуть.",
    ],
  ];
  test("notebooklm-query answers with quotes from the agent's sources and notes", async () => {
    const ground = await toolGround({ notes, sources: { "dictionary.txt": "Вібрато — коливання висоти.\n" } });
    expect(await answersTo(ground, "notebooklm-query", rows, (given) => (given as { answer: string }).answer)).toEqual(
      expectedOf(rows),
    );
  });

  test("a text that is a note is cited by its path", async () => {
    const { use } = await toolGround({ notes });
    expect(await use("notebooklm-query", { question: "Створи резюме", source: note })).toMatchObject({
      references: [
        { citation_number: 1, source_title: "notes/violin/bach.md", cited_text: "Бах народився 1685 року в Айзенасі." },
      ],
    });
  });

  test("C-11 the notebook is the contract's; one query at a time per agent", async () => {
    const seen: string[] = [];
    let open = 0;
    const reader: Reader = {
      ...localReader(),
      async ask(question: ReaderQuestion) {
        seen.push(`${question.notebook_id} ${++open}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        open--;
        return { answer: "x".repeat(70_000), references: [] };
      },
    };
    const { use } = await toolGround({ notes, reader, contract: "context: { notebook_id: nb_1 }" });
    const answers = await Promise.all(["a", "b", "c"].map((question) => use("notebooklm-query", { question })));
    expect(seen).toEqual(["nb_1 1", "nb_1 1", "nb_1 1"]);
    expect(answers[0]).toMatchObject({
      answer: expect.stringMatching(/\[… 60000 of 70000 characters shown\]$/) as string,
    });
  });

  test.each<[string, Reader["ask"], string]>([
    [
      "an unavailable reader",
      () => Promise.reject(new Failure("NLM_UNAVAILABLE", { en: "away", uk: "немає" })),
      "away",
    ],
    ["a reader that breaks", () => Promise.reject(new Error("boom")), "the reader (local) failed"],
  ])("R-4 %s stops the run with NLM_UNAVAILABLE", async (_, asking, message) => {
    const { use } = await toolGround({ notes, reader: { ...localReader(), ask: asking } });
    await expect(use("notebooklm-query", { question: "?" })).rejects.toMatchObject({
      code: "NLM_UNAVAILABLE",
      message,
    });
  });

  test("an abort of the run ends a query that hangs, and the next one can be asked", async () => {
    const reader: Reader = { ...localReader(), ask: () => new Promise(() => undefined) };
    const { use } = await toolGround({ notes, reader });
    const stop = new AbortController();
    const reason = new Error("cancelled");
    const hanging = use("notebooklm-query", { question: "?" }, { signal: stop.signal });
    setTimeout(() => stop.abort(reason), 5);
    await expect(hanging).rejects.toBe(reason);
    await expect(use("notebooklm-query", { question: "?" }, { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });
});

describe("L-5 tools about logic", () => {
  const withLogic = async () => {
    const { garden } = await gardenWith(notes);
    await createAgent(garden, { slug: "gardener", by: commandLineOwner, language: "en", from: { kind: "template" } });
    return toolGround({ garden, slug: "optimizer" });
  };

  test("an agent reads its own logic, and that of agents for which it has a grant", async () => {
    const ground = await withLogic();
    for (const [tool, input] of [
      ["read-logic", { agent: "gardener" }],
      ["logic-diff", { agent: "gardener", from: "v001" }],
      ["logic-performance", { agent: "gardener" }],
      ["read-runs", { agent: "gardener" }],
    ] as const)
      await expect(ground.use(tool, input)).rejects.toMatchObject({ code: "FORBIDDEN" });
    const { garden } = ground;
    const yaml = Buffer.from((await garden.folder.read("garden.yaml", 1 << 20))!).toString();
    const { writeFileSync } = await import("node:fs");
    writeFileSync(
      `${garden.dir}/garden.yaml`,
      `${yaml}\ngrants:\n  - { agent: optimizer, actions: [logic-update], on: [gardener] }\n`,
    );
    const rows: readonly ToolRow[] = [
      ["current", { agent: "gardener" }, "v001 pseudo true"],
      ["a version", { agent: "gardener", version: "v001", format: "drakon" }, "v001 drakon true"],
      ["none such", { agent: "gardener", version: "v007" }, /^NOT_FOUND/],
      ["no version", { agent: "gardener", version: "7" }, /^VALIDATION_FAILED: version/],
      ["an invalid agent name", { agent: "Gardener!" }, /^VALIDATION_FAILED: agent/],
      ["source 000 §5.1", { agentId: "gardener", format: "pseudo", maxTokens: 4000 }, "v001 pseudo true"],
      ["more tokens than asked for", { agentId: "gardener", maxTokens: 3 }, /^VALIDATION_FAILED: .* maxTokens=3/],
    ];
    const told = (answer: unknown) => {
      const { logicVersion, format, content } = answer as { logicVersion: string; format: string; content: string };
      return `${logicVersion} ${format} ${content.length > 20}`;
    };
    expect(await answersTo(ground, "read-logic", rows, told)).toEqual(expectedOf(rows));
    expect(await ground.use("logic-diff", { agent: "gardener", from: "v001" })).toMatchObject({
      diff: "",
      riskLevel: "low",
      summary: expect.any(String) as string,
    });
    const asInTheSource = { agentId: "gardener", fromVersion: "v001", toVersion: "proposed", format: "pseudo" };
    await expect(ground.use("logic-diff", asInTheSource)).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "no change of the logic of gardener is pending",
    });
    await expect(ground.use("logic-diff", { agentId: "gardener" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    expect(await ground.use("logic-performance", { agent: "gardener" })).toMatchObject({
      trend: "unknown",
      versions: { v001: { totalRuns: 0 } },
    });
  });

  test("L-6 propose-logic-update needs evidence and a person's decision; Z-4 for its own logic the agent needs a grant", async () => {
    const { garden, dir } = await gardenWith(notes);
    await createAgent(garden, { slug: "gardener", by: commandLineOwner, language: "en", from: { kind: "template" } });
    const stored = (await garden.store.get("agents/gardener/_agent.md"))!;
    const text = Buffer.from(stored.bytes).toString();
    const able = text
      .replace(/^tools:[\s\S]*?(?=^safe_outputs)/m, "tools: [propose-logic-update, read-drakon]\n")
      .replace(/^safe_outputs:[\s\S]*?(?=^\S+:|^---)/m, "safe_outputs: [logic-update, logic-rollback]\n")
      .replace(/^status: .*$/m, "status: active");
    await garden.store.swap("agents/gardener/_agent.md", stored.hash, Buffer.from(able));
    const { run } = await sampleRun(garden, { slug: "gardener", logic: "v001" });
    const ground = await toolGround({ garden, slug: "gardener" });
    const content = 'BEGIN "Work"\n  drawn ← read-drakon()\nEND\n';
    expect(await ground.use("read-drakon")).toMatchObject({
      file: "main-flow.drakon.json",
      findings: [],
      diagram: { type: "drakon" },
    });
    await expect(ground.use("read-drakon", { name: "man-flow" })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining('did you mean "main-flow') as string,
    });
    const wish = { content, rationale: "It loops.", evidenceRuns: [run] };
    expect(await ground.use("propose-logic-update", wish, { key: "alone" })).toMatchObject({
      status: "refused",
      code: "FORBIDDEN",
      reason: expect.stringContaining("gardener may not change its own logic") as string,
    });
    const itself = "{ agent: gardener, actions: [logic-update, logic-rollback], on: [gardener] }";
    appendFileSync(`${dir}/garden.yaml`, `grants:\n  - ${itself}\n`);
    const asInTheSource = { ...wish, targetAgentId: "gardener", requiresHumanReview: true };
    await expect(
      ground.use("propose-logic-update", { ...asInTheSource, optimizerRunId: "run_opt_789" }),
    ).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    await expect(
      ground.use("propose-logic-update", { ...asInTheSource, requiresHumanReview: false }),
    ).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    const made = await ground.use("propose-logic-update", asInTheSource);
    expect(made).toMatchObject({ status: "pending", type: "logic-update", target: "logic/gardener" });
    expect(await ground.use("propose-logic-update", { content, rationale: "It loops." })).toMatchObject({
      status: "refused",
      proposal: "",
    });
    expect(await ground.use("propose-logic-update", { toVersion: "v009", rationale: "Back." })).toMatchObject({
      status: "refused",
      type: "logic-rollback",
    });
    expect(await ground.use("propose-logic-update", { content, agent: "other", rationale: "x" })).toMatchObject({
      status: "refused",
      code: "FORBIDDEN",
    });
  });
});
