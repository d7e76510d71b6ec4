import type { z } from "zod";
import type { Json } from "../base/canonical.ts";
import { type Failure, isFailure } from "../base/failure.ts";
import type { AnswerForm } from "../domain/run/answer-form.ts";

export type { AnswerForm } from "../domain/run/answer-form.ts";

/**
 * The runtime: the loop of a language model with its tools. It reads and writes nothing but what it is handed, remembers
 * nothing between two calls, and asks for every model call and tool call through the journal, so that a call which is on
 * record is never made again (R-5, O-3).
 *
 * What every member of the family promises, and its conformance suite proves:
 * - Only the tools that it was handed can be called. Anything else the model asks for is denied, told to the model, counted.
 * - Same briefing, same journal: same calls, in the same order, on every machine. Tool calls of one turn run one by one.
 * - No turn and no call begins that the briefing's limits do not allow. An abort ends it soon, and no call begins after it.
 * - What a tool returned reaches the model as data of that tool's result, whatever it says.
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
  /** Model calls of this act. */
  readonly maxTurns: number;
  /** `calls` are model calls and tool calls together; `tokens` are those that were sent and received. */
  readonly budget: { readonly tokens?: number | undefined; readonly calls?: number | undefined };
  /** Input of the run, for models that compute with it (the follower). */
  readonly input: { readonly [name: string]: Json };
  /** Where the answer must be of a certain form: one icon put to a model. */
  readonly answer?: AnswerForm;
}

/** One tool as a model sees it. `input` is strict: unknown members are refused, not dropped. */
export interface RunTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  /** What a message of that schema means, where it is only a name for it: for the model that got its arguments wrong. */
  readonly words?: (message: string) => string | undefined;
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

/**
 * Where calls are recorded and replayed. What comes back the first time is what comes back on replay, to the byte. Failures of a
 * call are recorded too, and thrown again on replay; only a call that ends because the run's signal was given leaves no record.
 */
export interface CallJournal {
  /** `request` is what the model is told anew, with the id of all that it was told before. The signal: time is up. */
  model<T extends Json>(request: Json, work: ModelWork<T>, place?: Place): Promise<T>;
  /** `input` has passed the tool's schema. Keeps the tool's limit of time. */
  tool(tool: RunTool, input: Json, place?: Place): Promise<Json>;
}

export type ModelWork<T> = (signal: AbortSignal) => Promise<{ output: T; tokens: Tokens }>;

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
  /** Those that were begun, whether they gave a result or a failure. */
  readonly toolCalls: number;
  readonly denied: readonly Denial[];
} & (
  | { readonly kind: "answered"; readonly text: string; readonly value?: Json }
  /** `failure` says what, and reaches the engine as it is. */
  | { readonly kind: "stopped"; readonly why: StopReason; readonly failure: Failure }
);

/** A call that the model asked for and that was not made. It was told so. */
export interface Denial {
  readonly tool: string;
  readonly why: "unknown-tool" | "bad-arguments";
}

export type StopReason = "turns" | "budget" | "aborted" | "model" | "no-answer" | CallEnd;

/**
 * `needs-decision`: the journal does not fit the program, or an act that must not happen twice was under way. `held`: a person
 * was asked. `tool`: without this tool the run cannot go on (R-4: the reader is away).
 */
export type CallEnd = "needs-decision" | "held" | "tool";

/** What a tool call's failure ends, if it is one of those that are not the model's to know. All others are told to the model. */
export function callEnd(thrown: unknown): CallEnd | undefined {
  if (!isFailure(thrown)) return undefined;
  if (typeof thrown.details["decision"] === "string") return "needs-decision";
  if (typeof thrown.details["held"] === "string") return "held";
  return thrown.code === "NLM_UNAVAILABLE" ? "tool" : undefined;
}
