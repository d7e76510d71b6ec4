import { canonicalId, type Json } from "../../base/canonical.ts";
import type { Text } from "../../base/text.ts";
import type { Request } from "./request.ts";

/**
 * How an answer hangs together with what happened before it.
 * - `constant`: the same whenever the same is asked: a note at the commit that the run was pinned to.
 * - `drawn`: nothing outside decides it, and it may differ each time: a model, a person. The first answer is for the first time.
 * - `reads`, `changes`: depends on what was changed before. With a scope, only on changes of that scope and on those without one.
 * - `moment`: of this very moment: time, chance. Known only as long as nothing at all went another way.
 * - `absent`: nobody answers such a thing; who asks is stopped there.
 */
export type Dependency =
  | { readonly how: "constant" | "drawn" | "moment" | "absent" }
  | { readonly how: "reads" | "changes"; readonly scope?: string | undefined };

export interface CallFailure {
  readonly code: string;
  readonly message: string;
  /** In both languages, where it is known so. */
  readonly text?: Text;
}

/** What came of something that was asked, and what it cost. */
export type CallResult = { readonly cost?: CallCost } & (
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "failure"; readonly failure: CallFailure }
  /** Whoever was asked ended the run. */
  | { readonly kind: "stopped"; readonly why: Text }
);

export interface CallCost {
  /** Calls that it took: a model may need a second try. */
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
 * Why a recording cannot tell: `not-asked`, nobody was asked that; `again`, not as often; `other-state`, it was asked when other things
 * had been changed before; `moment`, it was the answer of a moment that would not have come; `limit`, a limit of the run may come first; `cut-off`, the run itself was stopped there.
 */
export type UnknownReason = "not-asked" | "again" | "other-state" | "moment" | "limit" | "cut-off";

/** Whether two answers are the same to whoever is told them. */
export const sameResult = (one: CallResult, other: CallResult): boolean =>
  canonicalId({ ...one, cost: null }) === canonicalId({ ...other, cost: null });
