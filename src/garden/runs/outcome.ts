import { Failure } from "../../base/failure.ts";
import type { Language } from "../../base/text.ts";
import { lastWordsIn } from "../../domain/run/last-words.ts";
import type { Outcome } from "../../domain/run/run-manifest.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";
import type { StopReason } from "../../ports/runtime.ts";

/** How the execution ended, as far as the outcome depends on it. */
export type Ending =
  | { readonly kind: "answered"; readonly text: string }
  | {
      readonly kind: "stopped";
      readonly why: EndingStop;
      readonly failure: Failure;
    };

/** `procedure`: the diagram, or a tool that it calls, ended it. A run that is held or needs a decision has not ended. */
export type EndingStop = Exclude<StopReason, "held" | "needs-decision"> | "procedure";

export interface Judged {
  readonly outcome: Outcome;
  readonly status: "completed" | "failed";
  /** What went wrong, for `error` and `error_details`; undefined for a run that completed. */
  readonly failure: Failure | undefined;
  /** C-7: sets the agent's state to `error`. Nothing else does. */
  readonly critical: boolean;
}

export interface Told {
  readonly ending: Ending;
  /** The journal of this run; of a fork, what it did itself. */
  readonly records: readonly Pick<StepRecord, "kind" | "name" | "output" | "proposals">[];
  readonly language: Language;
}

/**
 * R-5a: a run ends in exactly one outcome, from what it did and said. What it did counts before what it says about it, except
 * that whoever says "blocked" or "failed" is believed. Silence is a failure: a green run that did nothing does not exist.
 */
export function outcomeOf({ ending, records, language }: Told): Judged {
  const proposals = records.flatMap((record) => record.proposals);
  const effects = proposals.length > 0 ? completed({ kind: "effects", proposals }) : undefined;
  const said = ending.kind === "answered" ? lastWordsIn(ending.text) : undefined;
  const noop = noopIn(records) ?? (said?.kind === "noop" ? said.reason : undefined);
  const nothing = noop === undefined ? undefined : completed({ kind: "noop", reason: noop });
  if (ending.kind === "answered") {
    if (said?.kind === "blocked") return blocked(inWords(said.reason), language);
    if (said?.kind === "failed") return failed(inWords(said.reason), language);
    return effects ?? nothing ?? failed(SILENT, language);
  }
  const { why, failure } = ending;
  switch (why) {
    case "turns":
      // With an outcome, reaching the limit is no failure (C-7).
      return effects ?? nothing ?? { ...failed(failure, language), critical: true };
    case "no-answer":
      return effects ?? nothing ?? failed(failure, language);
    case "budget":
      return blocked(failure, language);
    case "tool":
      // R-4, C-7: the reader is away, and the agent needs it.
      return { ...blocked(failure, language), critical: failure.code === "NLM_UNAVAILABLE" };
    case "aborted":
    case "model":
    case "procedure":
      return failure.code === "FORBIDDEN" ? blocked(failure, language) : failed(failure, language);
  }
}

/** A contract or diagram that does not hold: nothing was carried out (C-7). */
export const notHolding = (failure: Failure, language: Language): Judged => ({
  ...failed(failure, language),
  critical: true,
});

/** The reason that the built-in tool `noop` was called with, last. */
function noopIn(records: Told["records"]): string | undefined {
  const called = records.findLast(
    ({ kind, name, output }) => kind === "tool" && name === "noop" && output !== undefined,
  );
  const output = called?.output as { readonly reason?: unknown } | undefined;
  return typeof output?.reason === "string" && output.reason.trim() !== "" ? output.reason : undefined;
}

const completed = (outcome: Outcome): Judged => ({ outcome, status: "completed", failure: undefined, critical: false });

const blocked = (failure: Failure, language: Language): Judged => ({
  outcome: { kind: "blocked", by: reasonIn(failure, language) },
  status: "failed",
  failure,
  critical: false,
});

export const failed = (failure: Failure, language: Language): Judged => ({
  outcome: { kind: "failed", reason: reasonIn(failure, language) },
  status: "failed",
  failure,
  critical: false,
});

const reasonIn = ({ code, text }: Failure, language: Language): string =>
  code === "NLM_UNAVAILABLE" ? `${code}: ${text[language]}` : text[language];

/** In the words of whoever said it. */
const inWords = (said: string): Failure => new Failure("VALIDATION_FAILED", { en: said, uk: said });

const SILENT = new Failure(
  "VALIDATION_FAILED",
  {
    en: "the run ended without a proposal and did not say why",
    uk: "запуск завершився без пропозиції й не сказав чому",
  },
  {
    hint: {
      en: "A run that changes nothing says so: with the tool `noop`, or in a last line `NOOP: reason`.",
      uk: "Запуск, що нічого не змінює, каже про це: інструментом `noop` або останнім рядком `БЕЗ ЗМІН: причина`.",
    },
  },
);
