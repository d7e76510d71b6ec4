import type { Json } from "../../base/canonical.ts";
import type { Text } from "../../base/text.ts";
import type { CallFailure, CallResult, Dependency, RecordedAnswer, UnknownReason } from "./call-result.ts";
import type { Program } from "./frame.ts";
import { type WalkInput, WalkMachine, type WalkOptions } from "./machine.ts";
import { RecordedAnswers } from "./recorded-answers.ts";
import { answerFault, answerTo, type Request } from "./request.ts";
import type { WalkEnd } from "./walk-end.ts";

/** How a run of this kind is carried out, as far as it matters for what is asked next. */
export interface ReplayRules {
  readonly options: WalkOptions;
  dependencyOf(request: Request): Dependency;
  /** Which of the open requests are put to somebody next, all of them before the first answer is taken. */
  nextBatch(open: readonly Request[]): readonly Request[];
  /** What needs nobody to answer it. The first so many of `told` are what it may follow from. */
  derivedAnswer(request: Request, told: readonly RecordedAnswer[], count: number): Json | undefined;
  /** What a procedure makes of a failed call; undefined if the failure ends it. */
  errorAnswer(program: Program, request: Request, failure: CallFailure): Json | undefined;
  /** A limit that is reached before this is asked: it stops the run, or nobody can say whether it does. */
  limit?(request: Request, told: readonly RecordedAnswer[]): Limit | undefined;
  /** Whether an answer that is on record might not have come because a limit came first. */
  isUnclear?(request: Request, told: readonly RecordedAnswer[], found: CallResult): boolean;
}

export type Limit = { readonly kind: "stops" | "unclear"; readonly why: Text };

export type ReplayedEnd =
  | { readonly kind: "ended"; readonly end: WalkEnd }
  | { readonly kind: "failed"; readonly request: Request; readonly failure: CallFailure }
  | { readonly kind: "stopped"; readonly request: Request; readonly why: Text }
  | { readonly kind: "unknown"; readonly request: Request; readonly why: UnknownReason };

/** A walk as far as it went. */
export interface ReplayedWalk {
  readonly machine: WalkMachine;
  /** Everything that was put to somebody, in order; the last one may be without an answer. */
  readonly asked: readonly Request[];
  readonly answers: readonly RecordedAnswer[];
  readonly end: ReplayedEnd;
}

type Found = CallResult | { readonly kind: "unknown"; readonly why: UnknownReason };

/** What became of one request of a wave: an answer, or how it ends the walk. */
type Settled = { readonly kind: "answer"; readonly value: Json } | { readonly kind: "over"; readonly end: ReplayedEnd };

/**
 * Walks a program, with somebody who says what comes of each request, or that it cannot be known. All requests of a wave are made
 * before the first answer is taken; answers are taken in the order of asking, and the first that ends the walk ends it.
 */
export function walkProgram(
  program: Program,
  input: WalkInput,
  carrying: ReplayRules,
  answer: (request: Request, beside: readonly Request[]) => Found,
): ReplayedWalk {
  const machine = new WalkMachine(program, input, carrying.options);
  const asked: Request[] = [];
  const told: RecordedAnswer[] = [];
  const over = (end: ReplayedEnd): ReplayedWalk => ({ machine, asked, answers: told, end });
  for (let position = 0; ; ) {
    const wave = carrying.nextBatch(machine.requests);
    if (wave.length === 0) return over({ kind: "ended", end: machine.end! });
    const results: Settled[] = [];
    const beside: Request[] = [];
    const count = told.length;
    for (const request of wave) {
      const value = carrying.derivedAnswer(request, told, count);
      if (value !== undefined) {
        results.push({ kind: "answer", value });
        continue;
      }
      asked.push(request);
      const turnedAway = unasked(carrying, request, told);
      if (turnedAway) {
        // It ends without a call: nothing after it is begun.
        results.push({ kind: "over", end: turnedAway });
        break;
      }
      const found = orUnclear(carrying, request, told, answer(request, beside));
      beside.push(request);
      if (found.kind !== "unknown") told.push({ request, result: found });
      results.push(settled(program, carrying, request, found));
    }
    for (const [index, result] of results.entries()) {
      if (result.kind === "over") return over(result.end);
      const request = wave[index]!;
      // Another process may have ended the walk.
      if (machine.end || !machine.pending.has(request.id)) continue;
      if (answerFault(request, result.value)) return over({ kind: "stopped", request, why: UNFIT });
      machine.answer(answerTo(request, result.value), position++);
    }
  }
}

function unasked(carrying: ReplayRules, request: Request, told: readonly RecordedAnswer[]): ReplayedEnd | undefined {
  if (carrying.dependencyOf(request).how === "absent") return { kind: "stopped", request, why: NOBODY };
  const limit = carrying.limit?.(request, told);
  if (!limit) return undefined;
  return limit.kind === "stops"
    ? { kind: "stopped", request, why: limit.why }
    : { kind: "unknown", request, why: "limit" };
}

const orUnclear = (carrying: ReplayRules, request: Request, told: readonly RecordedAnswer[], found: Found): Found =>
  found.kind !== "unknown" && carrying.isUnclear?.(request, told, found) ? { kind: "unknown", why: "limit" } : found;

function settled(program: Program, carrying: ReplayRules, request: Request, found: Found): Settled {
  switch (found.kind) {
    case "unknown":
      return { kind: "over", end: { kind: "unknown", request, why: found.why } };
    case "stopped":
      return { kind: "over", end: { kind: "stopped", request, why: found.why } };
    case "failure": {
      const value = carrying.errorAnswer(program, request, found.failure);
      if (value !== undefined) return { kind: "answer", value };
      return { kind: "over", end: { kind: "failed", request, failure: found.failure } };
    }
    case "value":
      return { kind: "answer", value: found.value };
  }
}

/**
 * A recorded run against another program: as far as what was recorded carries, and not a step further. An answer is used again where
 * the same is asked and everything that it hangs on is as it was then; the first request without such an answer is where the
 * recording cannot tell any more, because whatever is asked later may hang on it.
 */
export function retrace(
  program: Program,
  input: WalkInput,
  recorded: readonly RecordedAnswer[],
  carrying: ReplayRules,
): ReplayedWalk {
  const answers = new RecordedAnswers(recorded, (request) => carrying.dependencyOf(request));
  return walkProgram(program, input, carrying, (request, beside) => answers.take(request, beside));
}

const NOBODY: Text = { en: "nobody answers such a request", uk: "на такий запит ніхто не відповідає" };
const UNFIT: Text = { en: "the answer does not have the form", uk: "відповідь не має потрібної форми" };
