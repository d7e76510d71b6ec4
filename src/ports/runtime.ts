import type { z } from "zod";
import type { Json } from "../base/canonical.ts";
import { type Failure, isFailure } from "../base/failure.ts";
import type { AnswerForm } from "../domain/run/answer-form.ts";

export type { AnswerForm } from "../domain/run/answer-form.ts";

/**
 * The runtime is the loop of a language model with its tools. It touches only its arguments, is stateless between calls, and
 * makes every model call and tool call through the journal, so that a recorded call is never made again (R-5, O-3).
 *
 * Every adapter guarantees the following, and the conformance suite proves it:
 * - Only the given tools can be called. Any other call of the model is denied, reported to the model, and counted.
 * - Same briefing, same journal: same calls, in the same order, on every machine. Tool calls of one turn run one by one.
 * - No turn and no call begins beyond the briefing's limits. After an abort no call begins, and `act` returns soon.
 * - Tool results reach the model as data of that tool's result, never as instructions.
 * - It never throws: every end is a value.
 */
export interface Runtime {
  readonly name: string;
  act(briefing: Briefing, tools: readonly RunTool[], journal: CallJournal, signal: AbortSignal): Promise<Acted>;
}

/** The input of one act; immutable, JSON. */
export interface Briefing {
  /** As the model is told. A fork has the id of its origin: their shared steps must have the same input. */
  readonly run: string;
  readonly agent: string;
  /** System prompt: the contract's body. */
  readonly instructions: string;
  readonly prompt: string;
  /** As in the contract: `claude-sonnet-4-5-20250929`, `local/qwen3`, `bloom/follower`. */
  readonly model: string;
  readonly temperature: number;
  /** Maximum number of model calls in this act. */
  readonly maxTurns: number;
  /** `calls` counts model calls and tool calls together; `tokens` counts tokens sent and received. */
  readonly budget: { readonly tokens?: number | undefined; readonly calls?: number | undefined };
  /** Input of the run, for models that compute with it (the follower). */
  readonly input: { readonly [name: string]: Json };
  /** Required form of the answer, for a single icon that a model carries out. */
  readonly answer?: AnswerForm;
}

/** One tool as a model sees it. `input` is strict: unknown members are an error. */
export interface RunTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  /** Explains an error name of the schema to a model that passed wrong arguments. */
  readonly words?: (message: string) => string | undefined;
  /** May be called again after a crash in the middle of a call. Otherwise the run asks a person (`once`). */
  readonly idempotent: boolean;
  readonly limitMs?: number;
  /**
   * For a tool whose result comes later: called before the step, unless the call is recorded. Asks for the result, idempotently; returns
   * the failure that holds the run until it is there, or undefined if `call` can return it. `number` counts the calls of this tool.
   */
  awaits?(input: Json, number: number): Promise<Failure | undefined>;
  /** The part of the run's budget that a result has used beside the call itself. */
  spent?(output: Json): { readonly tokens: number; readonly calls: number } | undefined;
  call(input: Json, call: ToolCallScope): Promise<Json>;
}

export interface ToolCallScope {
  /** The same in every replay of this call: ids of created objects are derived from it. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** The place in the logic that the call belongs to, as far as it is known. */
  readonly place?: LogicPlace;
  /** The call waits for this many seconds before it goes on: shown while it waits, and recorded. */
  waits?(seconds: number): void;
  /** Records a proposal that this call created. */
  proposed(id: string): void;
}

/**
 * Records and replays calls. A replay returns exactly the recorded bytes. Failures of a call are recorded too and thrown again on
 * replay; only a call that ends by the run's abort signal leaves no record.
 */
export interface CallJournal {
  /** `request` holds the new messages and the id of the conversation so far. `work` gets a signal for the time limit. */
  model<T extends Json>(request: Json, work: ModelWork<T>, place?: LogicPlace): Promise<T>;
  /** `input` has passed the tool's schema. Enforces the tool's time limit. */
  tool(tool: RunTool, input: Json, place?: LogicPlace): Promise<Json>;
}

export type ModelWork<T> = (signal: AbortSignal) => Promise<{ output: T; tokens: TokenCount }>;

/** The place in the logic that a call belongs to. `claimed`: lines named by the model; otherwise the interpreter knows. */
export interface LogicPlace {
  readonly diagram?: string;
  readonly icon?: string;
  readonly line?: number;
  readonly claimed?: readonly number[];
}

export interface TokenCount {
  readonly input: number;
  readonly output: number;
}

export type Acted = {
  readonly turns: number;
  readonly tokens: TokenCount;
  /** Tool calls begun, successful or not. */
  readonly toolCalls: number;
  readonly denied: readonly Denial[];
} & (
  | { readonly kind: "answered"; readonly text: string; readonly value?: Json }
  /** `failure` reaches the engine unchanged. */
  | { readonly kind: "stopped"; readonly why: ActStopReason; readonly failure: Failure }
);

/** A call of the model that was not made; the model was informed. */
export interface Denial {
  readonly tool: string;
  readonly why: "unknown-tool" | "bad-arguments";
}

export type ActStopReason = "turns" | "budget" | "aborted" | "model" | "no-answer" | CallEnd;

/**
 * `needs-decision`: the journal does not match the program, or a crash interrupted a call that must not be repeated. `held`: a
 * person or a sub-agent was asked. `tool`: the run cannot continue without this tool (R-4: the reader is unavailable).
 */
export type CallEnd = "needs-decision" | "held" | "tool";

/** The reason to stop the act after a failed tool call; undefined for failures that are returned to the model. */
export function callEnd(thrown: unknown): CallEnd | undefined {
  if (!isFailure(thrown)) return undefined;
  if (typeof thrown.details["decision"] === "string") return "needs-decision";
  if (typeof thrown.details["held"] === "string") return "held";
  return thrown.code === "NLM_UNAVAILABLE" ? "tool" : undefined;
}
