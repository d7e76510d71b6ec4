import type { Json } from "../../base/canonical.ts";
import type { Text } from "../../base/text.ts";
import type { CallFailure, RecordedAnswer, Told, Touch, Unknown } from "./call-result.ts";
import type { Program } from "./frame.ts";
import { type Input, Machine, type WalkOptions } from "./machine.ts";
import { RecordedAnswers } from "./recorded-answers.ts";
import { answerFault, answerTo, type Request } from "./request.ts";
import type { End } from "./walk-end.ts";

/** How a run of this kind is carried out, as far as it matters for what is asked next. */
export interface Carrying {
  readonly options: WalkOptions;
  touchOf(request: Request): Touch;
  /** Which of the open requests are put to somebody next, all of them before the first answer is taken. */
  wave(open: readonly Request[]): readonly Request[];
  /** What needs nobody to answer it. The first so many of `told` are what it may follow from. */
  follows(request: Request, told: readonly RecordedAnswer[], count: number): Json | undefined;
  /** What a procedure makes of a failed call; undefined if the failure ends it. */
  errorAnswer(program: Program, request: Request, failure: CallFailure): Json | undefined;
  /** A limit that is reached before this is asked: it stops the run, or nobody can say whether it does. */
  limit?(request: Request, told: readonly RecordedAnswer[]): Limit | undefined;
  /** Whether an answer that is on record might not have come because a limit came first. */
  isUnclear?(request: Request, told: readonly RecordedAnswer[], found: Told): boolean;
}

export type Limit = { readonly kind: "stops" | "unclear"; readonly why: Text };

export type CarriedEnd =
  | { readonly kind: "ended"; readonly end: End }
  | { readonly kind: "failed"; readonly request: Request; readonly failure: CallFailure }
  | { readonly kind: "stopped"; readonly request: Request; readonly why: Text }
  | { readonly kind: "unknown"; readonly request: Request; readonly why: Unknown };

/** A walk as far as it went. */
export interface Carried {
  readonly machine: Machine;
  /** Everything that was put to somebody, in order; the last one may be without an answer. */
  readonly asked: readonly Request[];
  readonly told: readonly RecordedAnswer[];
  readonly end: CarriedEnd;
}

type Found = Told | { readonly kind: "unknown"; readonly why: Unknown };

/** What became of one request of a wave: an answer, or how it ends the walk. */
type Settled = { readonly kind: "answer"; readonly value: Json } | { readonly kind: "over"; readonly end: CarriedEnd };

/**
 * Walks a program, with somebody who says what comes of each request, or that it cannot be known. All requests of a wave are made
 * before the first answer is taken; answers are taken in the order of asking, and the first that ends the walk ends it.
 */
export function carry(
  program: Program,
  input: Input,
  carrying: Carrying,
  answer: (request: Request, beside: readonly Request[]) => Found,
): Carried {
  const machine = new Machine(program, input, carrying.options);
  const asked: Request[] = [];
  const told: RecordedAnswer[] = [];
  const over = (end: CarriedEnd): Carried => ({ machine, asked, told, end });
  for (let position = 0; ; ) {
    const wave = carrying.wave(machine.requests);
    if (wave.length === 0) return over({ kind: "ended", end: machine.end! });
    const results: Settled[] = [];
    const beside: Request[] = [];
    const count = told.length;
    for (const request of wave) {
      const value = carrying.follows(request, told, count);
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
      if (found.kind !== "unknown") told.push({ request, told: found });
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

function unasked(carrying: Carrying, request: Request, told: readonly RecordedAnswer[]): CarriedEnd | undefined {
  if (carrying.touchOf(request).how === "absent") return { kind: "stopped", request, why: NOBODY };
  const limit = carrying.limit?.(request, told);
  if (!limit) return undefined;
  return limit.kind === "stops"
    ? { kind: "stopped", request, why: limit.why }
    : { kind: "unknown", request, why: "limit" };
}

const orUnclear = (carrying: Carrying, request: Request, told: readonly RecordedAnswer[], found: Found): Found =>
  found.kind !== "unknown" && carrying.isUnclear?.(request, told, found) ? { kind: "unknown", why: "limit" } : found;

function settled(program: Program, carrying: Carrying, request: Request, found: Found): Settled {
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
  input: Input,
  recorded: readonly RecordedAnswer[],
  carrying: Carrying,
): Carried {
  const answers = new RecordedAnswers(recorded, (request) => carrying.touchOf(request));
  return carry(program, input, carrying, (request, beside) => answers.take(request, beside));
}

const NOBODY: Text = { en: "nobody answers such a request", uk: "на такий запит ніхто не відповідає" };
const UNFIT: Text = { en: "the answer does not have the form", uk: "відповідь не має потрібної форми" };
