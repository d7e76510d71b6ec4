import { z } from "zod";
import { aiSdkRuntime } from "../../../../adapters/runtime/ai-sdk/ai-sdk-runtime.ts";
import { followerModel } from "../../../../adapters/runtime/follower/follower-model.ts";
import { memoryJournal } from "../../../../adapters/runtime/testing/memory-journal.ts";
import { type Script, scriptedModel } from "../../../../adapters/runtime/testing/scripted-model.ts";
import type { Json } from "../../../../base/canonical.ts";
import { fixedWorld } from "../../../../base/testing/fixed-world.ts";
import { type World } from "../../../../base/world.ts";
import { FOLLOWER } from "../../../../domain/config/model-registry.ts";
import { type Contract, contractSchema } from "../../../../domain/contract/contract.ts";
import { writeRunBlock } from "../../../../domain/run/run-block.ts";
import type { LogicPlace, RunTool, Runtime } from "../../../../ports/runtime.ts";
import type { DurableFlow } from "../../../core/flow/step.ts";
import { executeAgent } from "../execute-agent.ts";
import type { Executed } from "../execution.ts";

/** Tools that answer at once and record their calls. Schemas are strict, like the real ones. */
export interface ToolShed {
  readonly tools: readonly RunTool[];
  readonly log: string[];
}

export type ToolAnswers = Readonly<Record<string, (input: Record<string, Json>) => Json>>;

const text = z.string().optional();
const anything = z.json().optional();
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  "read-notes": z.strictObject({ folder: anything }),
  "read-context": z.strictObject({ name: anything }),
  "read-memory": z.strictObject({}),
  "write-memory": z.looseObject({ text: anything }),
  "notebooklm-query": z.strictObject({ question: z.string(), source: anything }),
  "create-proposal": z.strictObject({ type: text, note: anything, content: anything, tags: anything }),
  "ask-human": z.strictObject({ question: z.string(), form: text, options: anything, values: anything }),
};

export function toolShed(answers: ToolAnswers = {}, names: readonly string[] = Object.keys(SCHEMAS)): ToolShed {
  const log: string[] = [];
  const given: ToolAnswers = { ...GARDEN, ...answers };
  return {
    log,
    tools: names.map((name) => ({
      name,
      description: name,
      input: SCHEMAS[name] ?? z.looseObject({}),
      idempotent: true,
      call: async (input) => {
        log.push(`${name} ${JSON.stringify(input)}`);
        return (given[name] ?? (() => null))(input as Record<string, Json>);
      },
    })),
  };
}

export const long = "слово ".repeat(300);
const notes = [
  { slug: "bach", tags: ["summarized"], updated_at: "2026-02-10T00:00:00Z" },
  { slug: "paganini", tags: [], updated_at: "2026-02-14T00:00:00Z" },
  { slug: "tiny", tags: [], updated_at: "2026-02-14T00:00:00Z" },
];

/** A small garden for the procedures of the sources. */
const GARDEN: ToolAnswers = {
  "read-notes": () => notes,
  "read-context": ({ name }) => (name === "tiny" ? "слово ".repeat(10) : long),
  "read-memory": () => ({ оброблені_slugs: ["bach"], останній_run: "2026-02-12T00:00:00Z" }),
  "notebooklm-query": ({ question }) => `відповідь на: ${(question as string).slice(0, 14)}`,
  "write-memory": () => ({ proposal: "prop_memory", status: "pending" }),
  "create-proposal": ({ note }) => ({ proposal: `prop_${JSON.stringify(note ?? null)}`, status: "pending" }),
};

export interface Wanted {
  readonly body: string;
  readonly execution?: "prompt" | "flow";
  readonly shed?: ToolShed;
  readonly input?: { readonly [name: string]: Json };
  readonly contract?: Partial<Contract>;
  readonly diagrams?: readonly { readonly file: string; readonly text: string }[];
  /** Default: the follower. */
  readonly script?: Script;
  readonly journal?: ReturnType<typeof memoryJournal>;
  readonly world?: World;
  readonly signal?: AbortSignal;
  /** Default: the light one. */
  readonly runtime?: Runtime;
}

export interface CarriedOut {
  readonly executed: Executed;
  readonly log: readonly string[];
  readonly places: readonly LogicPlace[];
  readonly journal: ReturnType<typeof memoryJournal>;
  /** The requests that the scripted model got. */
  readonly seen: ReturnType<typeof scriptedModel>["seen"];
}

export const RUN = "run_2026-02-14_080000_abc123";
const TIME = "2026-02-14T08:00:00.000Z";

export const contractFor = (fields: Partial<Contract> = {}): Contract => ({
  ...contractSchema.parse({
    name: "Sample",
    slug: "sample",
    version: "1.0.0",
    description: "A sample",
    model: FOLLOWER,
    max_steps: 20,
    tools: ["create-proposal"],
    safe_outputs: ["propose-summary"],
    created_at: "2026-02-14",
    updated_at: "2026-02-14",
    created_by: "owner",
    status: "active",
  }),
  ...fields,
});

/** Executes an agent like the product, with tools that answer at once and a journal in memory. */
export async function carryOut(wanted: Wanted): Promise<CarriedOut> {
  const { body, shed = toolShed(), input = {}, script, journal = memoryJournal(), world = fixedWorld(TIME) } = wanted;
  const contract = contractFor({
    ...(script && { model: "scripted/model" }),
    execution: wanted.execution ?? "prompt",
    ...wanted.contract,
  });
  const model = scriptedModel(script ?? []);
  const places: LogicPlace[] = [];
  const noted: typeof journal = {
    ...journal,
    tool: (tool, given, place) => {
      places.push(place ?? {});
      return journal.tool(tool, given, place);
    },
  };
  const flow: DurableFlow = {
    step: (name, asked, work) =>
      journal.model({ step: name, asked }, async (signal) => ({
        output: await work({ key: name, attempt: 1, signal, note: () => undefined, waits: () => undefined }),
        tokens: { input: 0, output: 0 },
      })),
  };
  const executed = await executeAgent({
    garden: { world },
    contract,
    body,
    diagrams: wanted.diagrams ?? [],
    briefing: {
      run: RUN,
      agent: contract.slug,
      instructions: body,
      prompt: `${writeRunBlock({ run: RUN, time: TIME, input })}\n\nCarry it out.`,
      model: contract.model,
      temperature: 0,
      maxTurns: contract.max_steps,
      budget: contract.budget,
      input,
    },
    tools: shed.tools,
    runtime: wanted.runtime ?? aiSdkRuntime({ models: (id) => (id === FOLLOWER ? followerModel() : model) }),
    journal: noted,
    flow,
    signal: wanted.signal ?? new AbortController().signal,
  });
  return { executed, log: shed.log, places, journal, seen: model.seen };
}

/** The end of the run in one line. */
export const endOf = ({ executed }: Pick<CarriedOut, "executed">): string =>
  executed.kind === "answered"
    ? executed.text
    : executed.kind === "later"
      ? `later ${executed.at}`
      : `stopped ${executed.why}: ${executed.failure.code} ${executed.failure.text.en}`;
