import { z } from "zod";
import type { Json } from "../../../base/canonical.ts";
import { Failure } from "../../../base/failure.ts";
import type { Language, Text } from "../../../base/text.ts";
import type { Contract } from "../../../domain/contract/contract.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Identity } from "../../../domain/identity.ts";
import { type CheckedFields, checkFields, fieldsRefused } from "../../../domain/text/checked-fields.ts";
import { argumentName, defaultArgumentNames } from "../../../drakon/expression/argument-names.ts";
import type { Egress } from "../../../ports/egress.ts";
import type { Reader } from "../../../ports/reader.ts";
import type { RunTool, ToolCallScope } from "../../../ports/runtime.ts";
import type { WishPreview } from "../../changes/inbox/preview-wish.ts";
import type { Pause } from "../../core/flow/pause.ts";
import type { Garden } from "../../core/garden.ts";
import type { Agent } from "../../records/agents/read-agent.ts";
import type { LogicInsight } from "./logic/logic-insight.ts";
import { toolWords } from "./tool-words.ts";
import type { Workspace } from "./workspace.ts";

/** The run that a tool works for, and everything that the tool may use. */
export interface ToolContext {
  readonly garden: Garden;
  readonly slug: string;
  readonly run: string;
  readonly contract: Contract;
  /** Tools read the garden at this commit, from the run's first step to its last (O-3a); in a session, at the head of its branch. */
  readonly commit: Oid;
  /** The branch of the run, if its contract says `workspace: session` (S-11). */
  readonly workspace?: Workspace | undefined;
  readonly logicVersion: string | null;
  readonly reader: Reader;
  /** The network of this contract; undefined if it has none. */
  readonly egress?: Egress | undefined;
  readonly insight: LogicInsight;
  readonly identity: Extract<Identity, { type: "agent" }>;
  /** Language of descriptions and refusals. */
  readonly language: Language;
  /** An experiment: proposals go to the sandbox (S-7). */
  readonly isExperiment?: boolean | undefined;
  /** A trial: effects are shown to the owner, and nothing is written. */
  readonly trial?: TrialEffects | undefined;
  /** Waits when the agent proposes faster than its rate limit. Default: real time. */
  readonly pause?: Pause;
}

/** Collects what a trial would propose. */
export interface TrialEffects {
  /** The agent with the contract that is tried. */
  readonly agent: Agent;
  readonly effects: WishPreview[];
}

/** A tool before it belongs to a run: one per file. */
export type GardenTool = (context: ToolContext) => RunTool;

interface Definition<Input extends z.ZodType> {
  readonly name: string;
  readonly description: Text;
  /** Strict: made with `group`, so that an unknown field is refused with a suggestion. */
  readonly input: Input | ((context: ToolContext) => Input);
  readonly idempotent: boolean;
  readonly limitMs?: number;
  /** See `RunTool`; an input that does not fit is refused by `call`, in the step. */
  readonly awaits?: (input: z.output<Input>, number: number) => Promise<Failure | undefined>;
  readonly call: (input: z.output<Input>, context: ToolContext, call: ToolCallScope) => Promise<Json>;
}

const WORDS: ReadonlyMap<string, Text> = new Map(Object.entries(toolWords));

/** O-3 allows 120 s for a call; tools that only read files need less. */
const READ_LIMIT_MS = 30_000;
const MAX_INPUT_BYTES = 1024 * 1024;

/**
 * Makes a tool from its definition. Fields may have their Ukrainian names too (`тип` is `type`), as in the pseudocode. The input is
 * always validated here, also if the caller has validated it.
 */
export function gardenTool<Input extends z.ZodType>(definition: Definition<Input>): GardenTool {
  const { name, description, idempotent, limitMs = READ_LIMIT_MS } = definition;
  return (context) => {
    const schema = typeof definition.input === "function" ? definition.input(context) : definition.input;
    const input = z.preprocess((value) => renamed(name, value), schema);
    const checkedInput = (written: unknown): CheckedFields<z.output<Input>> =>
      checkFields(renamed(name, written), schema as z.ZodType<z.output<Input>>, toolWords);
    const { awaits } = definition;
    return {
      name,
      description: description[context.language],
      input,
      words: (message) => WORDS.get(message)?.[context.language],
      idempotent,
      limitMs,
      ...(awaits && {
        async awaits(written: Json, number: number) {
          const checked = checkedInput(written);
          return checked.kind === "value" ? await awaits(checked.value, number) : undefined;
        },
      }),
      async call(written, call) {
        const bytes = Buffer.byteLength(JSON.stringify(written) ?? "");
        if (bytes > MAX_INPUT_BYTES) throw tooLarge(name, bytes);
        const checked = checkedInput(written);
        if (checked.kind === "problems") throw fieldsRefused(checked.problems);
        await context.workspace?.refresh();
        return definition.call(checked.value, context, call);
      },
    };
  };
}

/** Renames fields to the names of the schema. Of two names for one field the second stays, and the schema refuses it. */
function renamed(tool: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = new Map<string, unknown>();
  for (const [written, member] of Object.entries(value)) {
    const name = argumentName(defaultArgumentNames, tool, written);
    members.set(members.has(name) || (name !== written && Object.hasOwn(value, name)) ? written : name, member);
  }
  return Object.fromEntries(members);
}

const tooLarge = (tool: string, bytes: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the input of ${tool} has ${bytes} bytes; at most ${MAX_INPUT_BYTES} are taken`,
    uk: `вхідні дані ${tool} мають ${bytes} байтів; приймається не більше ${MAX_INPUT_BYTES}`,
    details: { tool, bytes, limit: MAX_INPUT_BYTES },
  });
