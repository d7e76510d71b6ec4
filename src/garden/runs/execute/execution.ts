import type { Json } from "../../../base/canonical.ts";
import type { Failure } from "../../../base/failure.ts";
import type { Contract } from "../../../domain/contract/contract.ts";
import type { PassedLine } from "../../../domain/run/passed-lines.ts";
import type {
  ActStopReason,
  Briefing,
  CallJournal,
  Denial,
  RunTool,
  Runtime,
  TokenCount,
} from "../../../ports/runtime.ts";
import type { DurableFlow } from "../../core/flow/step.ts";
import type { Garden } from "../../core/garden.ts";

/** Everything that the execution of one agent depends on. All of it is pinned: the same in every replay. */
export interface Execution {
  readonly garden: Pick<Garden, "world">;
  readonly contract: Contract;
  /** The contract's body: the instructions. */
  readonly body: string;
  readonly diagrams: readonly { readonly file: string; readonly text: string }[];
  readonly briefing: Briefing;
  readonly tools: readonly RunTool[];
  readonly runtime: Runtime;
  readonly journal: CallJournal;
  readonly flow: DurableFlow;
  readonly signal: AbortSignal;
}

/** The result of an execution. The last words of a text say whether it was a noop or blocked (`stated-outcome.ts`). */
export type Executed = ExecutedFacts & ExecutedEnd;

export type ExecutedEnd =
  | { readonly kind: "answered"; readonly text: string; readonly value?: Json }
  /** `procedure`: the diagram or a tool that it calls ended it. A failure that stops the flow reaches the engine as it is. */
  | { readonly kind: "stopped"; readonly why: ActStopReason | "procedure"; readonly failure: Failure }
  /** It sleeps: not before this time (ms since 1970). */
  | { readonly kind: "later"; readonly at: number };

export interface ExecutedFacts {
  /** Replies of the model; in `flow`, icons that were put to it. */
  readonly turns: number;
  readonly tokens: TokenCount;
  readonly toolCalls: number;
  readonly denied: readonly Denial[];
  /** Only in `prompt`, where the model reports its lines; in `flow` the interpreter knows them. */
  readonly conformance?: Conformance;
}

export const NOTHING_EXECUTED: ExecutedFacts = { turns: 0, tokens: { input: 0, output: 0 }, toolCalls: 0, denied: [] };

/** Compares the lines that the model reported with the paths of the diagram (R-1a). */
export interface Conformance {
  readonly calls: number;
  /** Calls that came with a claim. */
  readonly claimed: number;
  /** The first line that fits no path, and which call claimed it, counted from 1. */
  readonly misfit?: PassedLine & { readonly call: number };
}
