import type { z } from "zod";
import type { Json } from "../base/canonical.ts";
import type { Failure } from "../base/failure.ts";

/**
 * The runtime: the loop of a language model with its tools. It reads and writes nothing but what it is handed, remembers
 * nothing between two calls, and asks for every model call and tool call through the journal, so that a call which is on
 * record is never made again (R-5, O-3).
 *
 * What every member of the family promises, and its conformance suite proves:
 * - Only the tools that it was handed can be called. Anything else the model asks for is denied, told to the model, counted.
 * - Same briefing, same journal: same calls, in the same order, on every machine. Tool calls of one turn run one by one.
 * - Turns, calls and tokens never exceed the briefing's limits. An abort ends it soon, and no call begins after it.
 * - It never throws: how it ended is a value.
 */
export interface Runtime {
  readonly name: string;
  act(briefing: Briefing, tools: readonly RunTool[], journal: CallJournal, signal: AbortSignal): Promise<Acted>;
}

/** Everything that one act is handed; immutable, JSON. */
export interface Briefing {
  readonly run: string;
  readonly agent: string;
  /** What the model is told: the contract's body. */
  readonly instructions: string;
  /** What it is asked. */
  readonly prompt: string;
  /** As in the contract: `claude-sonnet-4-5-20250929`, `local/qwen3`, `bloom/follower`. */
  readonly model: string;
  readonly temperature: number;
  readonly maxTurns: number;
  readonly budget: { readonly tokens?: number | undefined; readonly calls?: number | undefined };
  /** Input of the run, for models that compute with it (the follower). */
  readonly input: { readonly [name: string]: Json };
  /** Where the answer must be of a certain form: one icon put to a model. */
  readonly answer?: AnswerForm;
}

export type AnswerForm =
  | { readonly kind: "text" }
  | { readonly kind: "yes-no" }
  | { readonly kind: "choice"; readonly options: readonly string[]; readonly otherwise: boolean }
  | { readonly kind: "list" }
  | { readonly kind: "value" };

/** One tool as a model sees it. `input` is strict: unknown members are refused, not dropped. */
export interface RunTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  /** May be called again if a process died in the middle. Otherwise the run asks for a decision (`once`). */
  readonly idempotent: boolean;
  readonly limitMs?: number;
  call(input: Json, call: ToolCall): Promise<Json>;
}

export interface ToolCall {
  /** The same for this call in every replay: whatever is made derives its ids from it. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** Proposals that came of the call, for the record. */
  proposed(id: string): void;
}

/** Where calls are recorded and replayed. Failures of a call are recorded too, and thrown again on replay. */
export interface CallJournal {
  model<T extends Json>(request: Json, work: () => Promise<{ output: T; tokens: Tokens }>, place?: Place): Promise<T>;
  tool(tool: RunTool, input: Json, place?: Place): Promise<Json>;
}

/** Where in the logic a call belongs. `claimed`: the model says so; else the interpreter knows. */
export interface Place {
  readonly diagram?: string;
  readonly icon?: string;
  readonly line?: number;
  readonly claimed?: readonly number[];
}

export interface Tokens {
  readonly input: number;
  readonly output: number;
}

export type Acted = {
  readonly turns: number;
  readonly tokens: Tokens;
  readonly toolCalls: number;
  readonly denied: readonly { readonly tool: string; readonly why: string }[];
} & (
  | { readonly kind: "answered"; readonly text: string; readonly value?: Json }
  /** `failure` says what; `needs-decision` is a failure of the flow that must reach the engine as it is. */
  | {
      readonly kind: "stopped";
      readonly why: "turns" | "budget" | "aborted" | "model" | "no-answer" | "needs-decision";
      readonly failure: Failure;
    }
);
