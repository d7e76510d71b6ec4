import type { LanguageModelV4 } from "@ai-sdk/provider";
import { z } from "zod";
import type { Json } from "../../base/canonical.ts";
import type { Acted, Briefing, RunTool, Runtime } from "../../ports/runtime.ts";
import { type MemoryJournal, memoryJournal } from "./testing/memory-journal.ts";
import { type Script, type ScriptedModel, scriptedModel } from "./testing/scripted-model.ts";

/** Makes a runtime over the models of a test. */
export type MakeRuntime = (options: { readonly models: (id: string) => LanguageModelV4 }) => Runtime;

export const briefing = (changes: Partial<Briefing> = {}): Briefing => ({
  run: "run_2026-02-14_080000_abc123",
  agent: "echo",
  instructions: "You are a gardener.",
  prompt: "Water the plants.",
  model: "offline/scripted",
  temperature: 0.2,
  maxTurns: 10,
  budget: {},
  input: {},
  ...changes,
});

/** Tools that record their calls. */
export interface TestTools {
  readonly did: string[];
  readonly tools: readonly RunTool[];
}

export function testTools(more: Readonly<Record<string, RunTool["call"]>> = {}): TestTools {
  const did: string[] = [];
  const tool = (name: string, input: z.ZodType, call: RunTool["call"], rest: Partial<RunTool> = {}): RunTool => ({
    name,
    description: `${name} for tests`,
    input,
    idempotent: true,
    call: (given, scope) => {
      did.push(`${name} ${JSON.stringify(given)}`);
      return call(given, scope);
    },
    ...rest,
  });
  return {
    did,
    tools: [
      tool("note", z.strictObject({ text: z.string(), times: z.int().default(1) }), async (given) => ({
        noted: given,
      })),
      tool("look", z.strictObject({ where: z.string().optional() }), async () => "seen"),
      ...Object.entries(more).map(([name, call]) => tool(name, z.looseObject({}), call, { limitMs: 50 })),
    ],
  };
}

export interface Scene {
  readonly script: Script;
  readonly briefing?: Partial<Briefing>;
  readonly tools?: TestTools;
  readonly journal?: MemoryJournal;
  readonly signal?: AbortSignal;
}

export interface Played {
  readonly acted: Acted;
  readonly model: ScriptedModel;
  readonly journal: MemoryJournal;
  readonly did: readonly string[];
}

export async function play(make: MakeRuntime, scene: Scene): Promise<Played> {
  const model = scriptedModel(scene.script);
  const tools = scene.tools ?? testTools();
  const signal = scene.signal ?? new AbortController().signal;
  const journal = scene.journal ?? memoryJournal({ signal });
  const acted = await make({ models: () => model }).act(briefing(scene.briefing), tools.tools, journal, signal);
  return { acted, model, journal, did: tools.did };
}

/** The end of an act on one line. */
export function end(acted: Acted): string {
  if (acted.kind === "answered")
    return `answered ${JSON.stringify(acted.text)}${acted.value === undefined ? "" : ` = ${JSON.stringify(acted.value)}`}`;
  return `stopped ${acted.why} ${acted.failure.code}`;
}

/** Tool results in the last prompt, in order. */
export function toolResultsOf(model: ScriptedModel): string[] {
  return (model.seen.at(-1)?.prompt ?? []).flatMap((message) =>
    message.role === "tool"
      ? message.content.flatMap((part) =>
          part.type === "tool-result"
            ? [`${part.output.type} ${JSON.stringify("value" in part.output ? (part.output.value as Json) : null)}`]
            : [],
        )
      : [],
  );
}
