import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { aiSdkRuntime } from "../ai-sdk/ai-sdk-runtime.ts";
import { runtimeConformance } from "../conformance.ts";
import { briefing, end, play, testTools } from "../conformance-setup.ts";
import { memoryJournal } from "../testing/memory-journal.ts";
import { type Script, scriptedModel } from "../testing/scripted-model.ts";
import { mastraRuntime } from "./mastra-runtime.ts";

runtimeConformance("mastra", mastraRuntime);

const script: Script = [
  { text: "First a look.", calls: [{ tool: "look" }] },
  { calls: [{ tool: "note", input: { text: "dry" } }, { tool: "fly" }] },
  { text: "Done." },
];

describe("Mastra and the light loop are one family", () => {
  test.each([
    ["Mastra", mastraRuntime, aiSdkRuntime],
    ["the light loop", aiSdkRuntime, mastraRuntime],
  ])(
    "O-3: an act that %s began is finished by the other one, from any prefix of its journal",
    async (_, first, second) => {
      const begun = await play(first, { script });
      const { records } = begun.journal;
      for (let kept = 0; kept <= records.length; kept++) {
        const { acted, journal } = await play(second, {
          script,
          journal: memoryJournal({ records: records.slice(0, kept) }),
        });
        expect({ acted, live: journal.live.length }).toEqual({ acted: begun.acted, live: records.length - kept });
      }
    },
  );
});

describe("Mastra in detail", () => {
  /** The prompt without the time that Mastra adds to every message, and without the input that it repeats in results. */
  const bare = (prompt: readonly LanguageModelV4Message[]): unknown =>
    JSON.parse(
      JSON.stringify(prompt.slice(1), (key, value: unknown) => {
        if (key === "providerOptions") return undefined;
        const { input: _, ...rest } = (typeof value === "object" && value !== null ? value : {}) as { input?: unknown };
        return (rest as { type?: string }).type === "tool-result" ? rest : value;
      }),
    );

  test("R-1: in an ordinary act the model gets the same messages as from Mastra itself", async () => {
    const note = (text: string) => ({ tool: "note", input: { text } });
    const ordinary: Script = [
      { text: "First one.", calls: [note("a")] },
      { calls: [note("b"), note("c")] },
      { text: "Done." },
    ];
    const { tools } = testTools();
    const theirs = scriptedModel(ordinary);
    const agent = new Agent({
      id: "echo",
      name: "echo",
      instructions: briefing().instructions,
      model: theirs,
      tools: Object.fromEntries(
        tools.map((tool) => [
          tool.name,
          createTool({
            id: tool.name,
            description: tool.description,
            inputSchema: z.looseObject({}),
            execute: async (input) => tool.call(tool.input.parse(input) as never, {} as never),
          }),
        ]),
      ),
    });
    await agent.generate(briefing().prompt, { maxSteps: 5, toolCallConcurrency: 1 });
    const ours = await play(mastraRuntime, { script: ordinary });
    expect(ours.model.seen.map(({ prompt }) => bare(prompt))).toEqual(theirs.seen.map(({ prompt }) => bare(prompt)));
  });

  test("R-1: Mastra's own limit does not cut off the turns that the briefing allows", async () => {
    const { acted } = await play(mastraRuntime, {
      briefing: { maxTurns: 20 },
      script: (_, turn) => (turn < 19 ? { calls: [{ tool: "look" }] } : { text: "at last" }),
    });
    expect({ end: end(acted), turns: acted.turns }).toEqual({ end: 'answered "at last"', turns: 20 });
  });

  test.each([
    ["mastra/mastra-runtime.ts", "mastraRuntime", true],
    ["ai-sdk/ai-sdk-runtime.ts", "aiSdkRuntime", false],
  ])("R-1: %s loads no package before its first act", (module, factory, mastra) => {
    const told = execFileSync(process.execPath, [
      join(import.meta.dirname, "../testing/loaded-packages.ts"),
      `../${module}`,
      factory,
    ]);
    expect(JSON.parse(told.toString())).toEqual({ atStart: [], mastra });
  });
});
