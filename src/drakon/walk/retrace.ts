import type { Json } from "../../base/canonical.ts";
import type { Text } from "../../base/text.ts";
import type { CallFailure, CallResult, Dependency, RecordedAnswer, UnknownReason } from "./call-result.ts";
import type { Program } from "./frame.ts";
import { type WalkInput, WalkMachine, type WalkOptions } from "./machine.ts";
import { RecordedAnswers } from "./recorded-answers.ts";
import { answerFault, answerTo, type Request } from "./request.ts";
import type { WalkEnd } from "./walk-end.ts";

/** The rules of executing a run that determine its next requests. */
export interface ReplayRules {
  readonly options: WalkOptions;
  dependencyOf(request: Request): Dependency;
  /** The open requests to make next. All of them are made before the first answer is applied. */
  nextBatch(open: readonly Request[]): readonly Request[];
  /** An answer that needs no request; it may depend on the first `count` answers only. */
  derivedAnswer(request: Request, answers: readonly RecordedAnswer[], count: number): Json | undefined;
  /** The answer for a failed call that the procedure handles; undefined if the failure ends the run. */
  errorAnswer(program: Program, request: Request, failure: CallFailure): Json | undefined;
  /** A limit reached before this request: it stops the run, or it is unclear if it does. */
  limit?(request: Request, answers: readonly RecordedAnswer[]): Limit | undefined;
  /** A limit might have stopped the run before this recorded answer. */
  isUnclear?(request: Request, answers: readonly RecordedAnswer[], result: CallResult): boolean;
}

export type Limit = { readonly kind: "stops" | "unclear"; readonly why: Text };

export type ReplayedEnd =
  | { readonly kind: "ended"; readonly end: WalkEnd }
  | { readonly kind: "failed"; readonly request: Request; readonly failure: CallFailure }
  | { readonly kind: "stopped"; readonly request: Request; readonly why: Text }
  | { readonly kind: "unknown"; readonly request: Request; readonly why: UnknownReason };

/** A walk up to its end or to the first request without an answer. */
export interface ReplayedWalk {
  readonly machine: WalkMachine;
  /** All requests made, in order; the last one may have no answer. */
  readonly asked: readonly Request[];
  readonly answers: readonly RecordedAnswer[];
  readonly end: ReplayedEnd;
}

type Found = CallResult | { readonly kind: "unknown"; readonly why: UnknownReason };

/** The effect of one request of a batch: an answer, or the end of the walk. */
type BatchStep =
  | { readonly kind: "answer"; readonly value: Json }
  | { readonly kind: "over"; readonly end: ReplayedEnd };

/**
 * Walks a program; `answer` returns the result of each request, or that it is unknown. All requests of a batch are made before the
 * first answer is applied. Answers are applied in the order of the requests, and the first that ends the walk ends it.
 */
export function walkProgram(
  program: Program,
  input: WalkInput,
  rules: ReplayRules,
  answer: (request: Request, beside: readonly Request[]) => Found,
): ReplayedWalk {
  const machine = new WalkMachine(program, input, rules.options);
  const asked: Request[] = [];
  const answers: RecordedAnswer[] = [];
  const over = (end: ReplayedEnd): ReplayedWalk => ({ machine, asked, answers, end });
  for (let position = 0; ; ) {
    const batch = rules.nextBatch(machine.requests);
    if (batch.length === 0) return over({ kind: "ended", end: machine.end! });
    const results: BatchStep[] = [];
    const beside: Request[] = [];
    const count = answers.length;
    for (const request of batch) {
      const value = rules.derivedAnswer(request, answers, count);
      if (value !== undefined) {
        results.push({ kind: "answer", value });
        continue;
      }
      asked.push(request);
      const endBefore = endBeforeRequest(rules, request, answers);
      if (endBefore) {
        // The walk ends without this call: the rest of the batch is not started.
        results.push({ kind: "over", end: endBefore });
        break;
      }
      const result = orUnclear(rules, request, answers, answer(request, beside));
      beside.push(request);
      if (result.kind !== "unknown") answers.push({ request, result });
      results.push(stepOf(program, rules, request, result));
    }
    for (const [index, result] of results.entries()) {
      if (result.kind === "over") return over(result.end);
      const request = batch[index]!;
      // Another process may have ended the walk.
      if (machine.end || !machine.pending.has(request.id)) continue;
      if (answerFault(request, result.value)) return over({ kind: "stopped", request, why: INVALID_ANSWER });
      machine.answer(answerTo(request, result.value), position++);
    }
  }
}

function endBeforeRequest(
  rules: ReplayRules,
  request: Request,
  answers: readonly RecordedAnswer[],
): ReplayedEnd | undefined {
  if (rules.dependencyOf(request).how === "absent") return { kind: "stopped", request, why: UNANSWERED };
  const limit = rules.limit?.(request, answers);
  if (!limit) return undefined;
  return limit.kind === "stops"
    ? { kind: "stopped", request, why: limit.why }
    : { kind: "unknown", request, why: "limit" };
}

const orUnclear = (rules: ReplayRules, request: Request, answers: readonly RecordedAnswer[], result: Found): Found =>
  result.kind !== "unknown" && rules.isUnclear?.(request, answers, result) ? { kind: "unknown", why: "limit" } : result;

function stepOf(program: Program, rules: ReplayRules, request: Request, result: Found): BatchStep {
  switch (result.kind) {
    case "unknown":
      return { kind: "over", end: { kind: "unknown", request, why: result.why } };
    case "stopped":
      return { kind: "over", end: { kind: "stopped", request, why: result.why } };
    case "failure": {
      const value = rules.errorAnswer(program, request, result.failure);
      if (value !== undefined) return { kind: "answer", value };
      return { kind: "over", end: { kind: "failed", request, failure: result.failure } };
    }
    case "value":
      return { kind: "answer", value: result.value };
  }
}

/**
 * Walks another program with the answers of a recorded run. A recorded answer is reused for an equal request if everything that it
 * depends on is in the recorded state. The walk stops at the first request without such an answer, because later requests may
 * depend on it.
 */
export function retrace(
  program: Program,
  input: WalkInput,
  recorded: readonly RecordedAnswer[],
  rules: ReplayRules,
): ReplayedWalk {
  const recording = new RecordedAnswers(recorded, (request) => rules.dependencyOf(request));
  return walkProgram(program, input, rules, (request, beside) => recording.take(request, beside));
}

const UNANSWERED: Text = { en: "requests of this kind are not answered", uk: "на такий запит ніхто не відповідає" };
const INVALID_ANSWER: Text = {
  en: "the answer does not have the expected form",
  uk: "відповідь не має потрібної форми",
};
