import { canonicalId, type Json } from "../../base/canonical.ts";
import type { Text } from "../../base/text.ts";
import type { Request } from "./request.ts";

/**
 * The dependency of an answer on earlier events.
 * - `constant`: equal requests get equal answers: a note at the commit that the run is pinned to.
 * - `drawn`: independent of earlier events, but may differ each time: a model, a person. The n-th equal request gets the n-th answer.
 * - `reads`, `changes`: depends on earlier changes; with a scope, only on changes of that scope and on those without one.
 * - `moment`: time or chance. Known only while the walk has not deviated at all.
 * - `absent`: such requests are never answered; the run stops there.
 */
export type Dependency =
  | { readonly how: "constant" | "drawn" | "moment" | "absent" }
  | { readonly how: "reads" | "changes"; readonly scope?: string | undefined };

export interface CallFailure {
  readonly code: string;
  readonly message: string;
  /** The message in both languages, if known. */
  readonly text?: Text;
}

/** The result of one request and its cost. */
export type CallResult = { readonly cost?: CallCost } & (
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "failure"; readonly failure: CallFailure }
  /** The run ended with this request. */
  | { readonly kind: "stopped"; readonly why: Text }
);

export interface CallCost {
  /** Number of calls: a model may need a retry. */
  readonly calls: number;
  readonly tokens: number;
  /** Tokens that the run had used before. */
  readonly before: number;
}

export interface RecordedAnswer {
  readonly request: Request;
  readonly result: CallResult;
}

/**
 * The reason why a recording has no answer: `not-asked`, the request never occurred; `again`, it occurred fewer times;
 * `other-state`, other changes preceded it; `moment`, it depended on a moment that would not have come; `limit`, a limit of the run
 * may come first; `cut-off`, the recorded run was stopped there.
 */
export type UnknownReason = "not-asked" | "again" | "other-state" | "moment" | "limit" | "cut-off";

/** Equal except for the cost. */
export const sameResult = (one: CallResult, other: CallResult): boolean =>
  canonicalId({ ...one, cost: null }) === canonicalId({ ...other, cost: null });
