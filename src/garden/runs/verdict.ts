import { Failure } from "../../base/failure.ts";
import type { Language, Text } from "../../base/text.ts";
import { isModelMissing } from "../../domain/config/failures.ts";
import type { AgentState } from "../../domain/contract/agent-state.ts";
import type { RunCancel, RunRequest } from "../../domain/run/run.ts";
import type { Outcome } from "../../domain/run/run-manifest.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";
import { statedOutcome } from "../../domain/run/stated-outcome.ts";
import { HAND_OVER } from "../../domain/run/sub-run.ts";
import type { ActStopReason } from "../../ports/runtime.ts";

/** The end of a run, before it is written. Every ending becomes a verdict: from the flow, from a cancel, from the engine. */
export interface RunVerdict {
  readonly status: "completed" | "failed" | "cancelled";
  /** Null for a cancelled run: it was stopped before it had an outcome. */
  readonly outcome: Outcome | null;
  /** The manifest's `error`; null for a completed run. */
  readonly error: string | null;
  /** For `error_details`. */
  readonly failure?: Failure | undefined;
  /** C-7: sets the agent's state to `error`. Nothing else does. */
  readonly critical: boolean;
  /** R-5a: calls that the model asked for and that were not made. */
  readonly deniedCalls?: number;
}

/** The end of the agent's execution, as far as the outcome depends on it. */
export type Ending =
  | { readonly kind: "answered"; readonly text: string }
  | { readonly kind: "stopped"; readonly why: EndingStop; readonly failure: Failure };

/** `procedure`: the diagram, or a tool that it calls, ended it. A run that is held or needs a decision has not ended. */
export type EndingStop = Exclude<ActStopReason, "held" | "needs-decision"> | "procedure";

export interface ExecutionFacts {
  readonly ending: Ending;
  /** The journal of this run; for a fork without the steps that it shares with its origin. */
  readonly records: readonly Pick<StepRecord, "kind" | "name" | "output" | "proposals">[];
  readonly language: Language;
}

/**
 * R-5a: a run has exactly one outcome, derived from its records and its last words. Proposals on record count before the last
 * words, except `BLOCKED` and `FAILED`, which are believed. A run without proposals and without a reason has failed.
 */
export function runVerdictOf({ ending, records, language }: ExecutionFacts): RunVerdict {
  const proposals = records.flatMap((record) => record.proposals);
  const files = filesHandedOver(records);
  const effects =
    proposals.length > 0 || (files ?? 0) > 0
      ? completed({ kind: "effects", proposals, ...(files !== undefined && files > 0 && { files }) })
      : undefined;
  const said = ending.kind === "answered" ? statedOutcome(ending.text) : undefined;
  const reason =
    noopReasonIn(records) ??
    (said?.kind === "noop" ? said.reason : undefined) ??
    duplicateReasonIn(records) ??
    (isBranchUnchanged(records) ? BRANCH_UNCHANGED[language] : undefined) ??
    // The answer of a sub-agent is what it was asked for.
    (files !== undefined && ending.kind === "answered" && ending.text.trim() !== ""
      ? firstLine(ending.text)
      : undefined);
  const noop = reason === undefined ? undefined : completed({ kind: "noop", reason });
  if (ending.kind === "answered") {
    if (said?.kind === "blocked") return blocked(inWords(said.reason), language);
    if (said?.kind === "failed") return failedVerdict(inWords(said.reason), language);
    return effects ?? noop ?? failedVerdict(SILENT, language);
  }
  const { why, failure } = ending;
  switch (why) {
    case "turns":
      // With an outcome, reaching the limit is no failure (C-7).
      return effects ?? noop ?? criticalVerdict(failure, language);
    case "no-answer":
      return effects ?? noop ?? failedVerdict(failure, language);
    case "budget":
      return blocked(failure, language);
    case "tool":
      // R-4, C-7: the reader is unavailable, and the agent needs it.
      return { ...blocked(failure, language), critical: failure.code === "NLM_UNAVAILABLE" };
    case "aborted":
    case "model":
    case "procedure":
      if (isModelMissing(failure)) return criticalVerdict(failure, language);
      return failure.code === "FORBIDDEN" ? blocked(failure, language) : failedVerdict(failure, language);
  }
}

export const failedVerdict = (failure: Failure, language: Language): RunVerdict => ({
  status: "failed",
  outcome: { kind: "failed", reason: reasonIn(failure, language) },
  error: failure.text[language],
  failure,
  critical: false,
});

/** C-7: the agent cannot run until its owner acts: its contract or diagram is invalid, or it never comes to an end. */
export const criticalVerdict = (failure: Failure, language: Language): RunVerdict => ({
  ...failedVerdict(failure, language),
  critical: true,
});

export const cancelledVerdict = ({
  by,
  why,
}: Pick<RunCancel, "by"> & { readonly why?: string | undefined }): RunVerdict => ({
  status: "cancelled",
  outcome: null,
  error: why === undefined ? `cancelled by ${by}` : `cancelled by ${by}: ${why}`,
  critical: false,
});

/** The agent was paused, archived or deleted: its run is cancelled for this reason. */
export const calledOff = (failure: Failure, language: Language): RunVerdict => ({
  status: "cancelled",
  outcome: null,
  error: failure.text[language],
  failure,
  critical: false,
});

/** C-6: only an active agent runs. It was stopped after this run had been requested. */
export const notActiveAtStart = (slug: string, status: AgentState, language: Language): RunVerdict =>
  calledOff(
    new Failure("INVALID_AGENT_TRANSITION", {
      en: `the agent ${slug} was ${status} when this run was to begin`,
      uk: `агент ${slug} мав стан ${status}, коли цей запуск мав початися`,
      details: { agent: slug, status },
    }),
    language,
  );

/** The verdict on a fork or a moved run whose shared steps do not fit; undefined for any other failure. Nothing was done. */
export function sharedMisfit(
  failure: Failure,
  { forked_from, moved_from }: RunRequest,
  language: Language,
): RunVerdict | undefined {
  const position = failure.details["position"];
  const origin = moved_from ?? forked_from;
  if (!origin || typeof position !== "number" || position > origin.step) return undefined;
  const words = moved_from
    ? {
        en: `step ${position}, recorded in ${origin.run}, does not fit the contract that the run was moved to`,
        uk: `крок ${position}, записаний у ${origin.run}, не підходить до контракту, на який перенесено запуск`,
        hint: {
          en: `\`bloom runs fork ${origin.run} --at ${origin.step}\` continues under the earlier version.`,
          uk: `\`bloom runs fork ${origin.run} --at ${origin.step}\` продовжить за попередньою версією.`,
        },
      }
    : {
        en: `step ${position}, which the fork shares with ${origin.run}, depends on what was changed`,
        uk: `крок ${position}, який відгалуження поділяє з ${origin.run}, залежить від зміненого`,
        hint: {
          en: `Fork it at step ${position - 1} or before.`,
          uk: `Відгалузьте на кроці ${position - 1} або раніше.`,
        },
      };
  return failedVerdict(new Failure("VALIDATION_FAILED", { ...words, details: failure.details }), language);
}

const completed = (outcome: Outcome): RunVerdict => ({ status: "completed", outcome, error: null, critical: false });

const blocked = (failure: Failure, language: Language): RunVerdict => ({
  ...failedVerdict(failure, language),
  outcome: { kind: "blocked", by: reasonIn(failure, language) },
});

/** The files that a sub-agent's run hands over (`hand-over`); undefined for any other run. */
function filesHandedOver(records: ExecutionFacts["records"]): number | undefined {
  const output = records.findLast(({ name }) => name === HAND_OVER)?.output as { readonly files?: unknown } | undefined;
  return typeof output?.files === "number" ? output.files : undefined;
}

/** S-11: the branch of the run ends with the files that it began with. */
const isBranchUnchanged = (records: ExecutionFacts["records"]): boolean =>
  records.some(
    ({ name, output }) => name === "propose-merge" && (output as RefusedOutput | undefined)?.status === "nothing",
  );

const BRANCH_UNCHANGED: Text = {
  en: "its branch ends with the files that it began with",
  uk: "його гілка закінчується тими файлами, з яких почалася",
};

const MAX_REASON = 500;
const firstLine = (text: string): string => text.trim().split("\n")[0]!.slice(0, MAX_REASON).toWellFormed();

/** The reason that the built-in tool `noop` was called with last. */
function noopReasonIn(records: ExecutionFacts["records"]): string | undefined {
  const call = records.findLast(({ kind, name, output }) => kind === "tool" && name === "noop" && output !== undefined);
  const output = call?.output as { readonly reason?: unknown } | undefined;
  return typeof output?.reason === "string" && output.reason.trim() !== "" ? output.reason : undefined;
}

/** The reason of the last refusal, if the run proposed only what is pending already. */
function duplicateReasonIn(records: ExecutionFacts["records"]): string | undefined {
  const refused = records
    .map(({ kind, output }) => (kind === "tool" ? (output as RefusedOutput | undefined) : undefined))
    .filter((output) => output?.status === "refused");
  return refused.every((output) => output?.same_as !== undefined) ? refused.at(-1)?.reason : undefined;
}

interface RefusedOutput {
  readonly status?: string;
  readonly same_as?: string;
  readonly reason?: string;
}

const reasonIn = ({ code, text }: Failure, language: Language): string =>
  code === "NLM_UNAVAILABLE" ? `${code}: ${text[language]}` : text[language];

/** The agent's own words, which are in one language. */
const inWords = (said: string): Failure => new Failure("VALIDATION_FAILED", { en: said, uk: said });

const SILENT = new Failure("VALIDATION_FAILED", {
  en: "the run ended without a proposal and did not say why",
  uk: "запуск завершився без пропозиції й не сказав чому",
  hint: {
    en: "A run that changes nothing says so: with the tool `noop`, or in a last line `NOOP: reason`.",
    uk: "Запуск, що нічого не змінює, каже про це: інструментом `noop` або останнім рядком `БЕЗ ЗМІН: причина`.",
  },
});
