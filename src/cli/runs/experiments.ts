import { failureToRecord } from "../../base/failure.ts";
import type { Language, Text } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { runOfRequest } from "../../domain/run/request.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { type ComparedRuns, compareRunEnds, type RunEnding } from "../../garden/runs/compare-ends.ts";
import { noSuchQuestion } from "../../garden/runs/failures.ts";
import { requestsOf } from "../../garden/runs/hold.ts";
import { findRun } from "../../garden/runs/read-runs.ts";
import { discardSandboxed, openSandbox, promoteSandboxed, showSandboxed } from "../../garden/runs/sandbox.ts";
import { whatIfAnswered } from "../../garden/runs/what-if.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { textOption } from "../options.ts";
import { alignColumns, formatTime, inBothLanguages, oneLine } from "../text-layout.ts";
import { answerFromOptions } from "./answer-requests.ts";
import { showFork } from "./manage-runs.ts";
import { answerLine } from "./print-run.ts";
import { effectLines } from "./try-run.ts";

/** S-7: a copy of the run from before the question, with another answer. */
export async function whatIfCommand(context: CommandContext, garden: Garden, id: string): Promise<CommandReport> {
  const run = runOfRequest(id);
  const place = run === undefined ? undefined : await findRun(garden, run).catch(() => undefined);
  const found = place && (await requestsOf(garden.store, place)).find(({ request }) => request.id === id);
  if (!place || !found) throw noSuchQuestion(id);
  const value = await answerFromOptions(context, found.request);
  if (value === undefined) {
    const line = `\`${answerLine(found.request, `runs what-if ${id}`)}\``;
    throw usageError({ en: "missing the other answer", uk: "яка інша відповідь?" }, { en: line, uk: line });
  }
  const note = textOption(context, "note");
  const forked = await whatIfAnswered(garden, { request: id, value, note, by: commandLineOwner });
  return await showFork(context, garden, place, forked);
}

export async function compareCommand(
  { style }: CommandContext,
  garden: Garden,
  [a, b]: readonly string[],
): Promise<CommandReport> {
  const compared = await compareRunEnds(garden, await findRun(garden, a!), await findRun(garden, b!));
  const text = inBothLanguages((language) =>
    [
      `${WORDS.shared[language]}: ${compared.shared}`,
      ...compared.ends.flatMap((end) => ["", style.bold(end.run), ...endingLines(end, language)]),
      ...fileDifferenceLines(compared, language),
    ].join("\n"),
  );
  return { text, json: compared, asked: true };
}

function endingLines(end: RunEnding, language: Language): string[] {
  const rows: [Text, string][] = [
    [WORDS.state, end.is_experiment ? `${end.state} (${WORDS.experiment[language]})` : end.state],
    ...end.answers.map(({ question, value }): [Text, string] => [
      WORDS.answer,
      `${oneLine(question)} → ${oneLine(JSON.stringify(value))}`,
    ]),
    ...(end.result === null ? [] : [[WORDS.result, oneLine(JSON.stringify(end.result))] as [Text, string]]),
    ...(end.error === null ? [] : [[WORDS.error, oneLine(end.error)] as [Text, string]]),
    ...end.proposals.map(({ id, action, target, status }): [Text, string] => [
      WORDS.proposes,
      `${action} ${oneLine(target)}  ${status}  ${id}`,
    ]),
    [WORDS.steps, `${end.steps}, ${end.tokens} ${WORDS.tokens[language]}`],
    ...(end.session ? [[WORDS.branch, `agents/${end.session.name}`] as [Text, string]] : []),
  ];
  return alignColumns(rows.map(([label, value]) => [`  ${label[language]}`, value]));
}

function fileDifferenceLines({ files, ends }: ComparedRuns, language: Language): string[] {
  if (!files || files.length === 0) return [];
  const where = { changed: WORDS.changed[language], "only-first": ends[0].run, "only-second": ends[1].run };
  return [
    "",
    `${WORDS.files[language]}:`,
    ...alignColumns(files.map(({ path, change }) => [`  ${path}`, where[change]])),
  ];
}

const WORDS = {
  shared: { en: "steps in common", uk: "спільних кроків" },
  state: { en: "state", uk: "стан" },
  experiment: { en: "experiment", uk: "експеримент" },
  answer: { en: "answer", uk: "відповідь" },
  result: { en: "result", uk: "результат" },
  error: { en: "error", uk: "помилка" },
  proposes: { en: "proposes", uk: "пропонує" },
  steps: { en: "steps", uk: "кроків" },
  tokens: { en: "tokens", uk: "токенів" },
  branch: { en: "branch", uk: "гілка" },
  files: { en: "files that differ", uk: "відмінні файли" },
  changed: { en: "differs", uk: "різний" },
} as const satisfies Record<string, Text>;

export async function listSandbox(garden: Garden): Promise<CommandReport> {
  const entries = await openSandbox(garden);
  const rows = alignColumns(
    entries.map(({ id, made_at, agent_slug, action, target, summary }) => [
      id,
      formatTime(made_at),
      agent_slug,
      action,
      oneLine(target),
      oneLine(summary),
    ]),
  );
  const text: Text =
    rows.length === 0
      ? { en: "The sandbox is empty.", uk: "Пісочниця порожня." }
      : { en: rows.join("\n"), uk: rows.join("\n") };
  return { text, json: { entries }, asked: true };
}

export async function showSandbox(context: CommandContext, garden: Garden, id: string): Promise<CommandReport> {
  const { entry, end, preview } = await showSandboxed(garden, id);
  const effect = preview.kind === "refused" ? { ...preview, failure: failureToRecord(preview.failure) } : preview;
  return {
    text: inBothLanguages((language) =>
      [
        ...effectLines(context, preview, language),
        ...(end ? [`${end.verdict} ${end.by} ${formatTime(end.at)} ${end.proposal ?? ""}`.trim()] : []),
      ].join("\n"),
    ),
    json: { entry, end: end ?? null, effect },
    asked: true,
  };
}

export async function promoteCommand(garden: Garden, id: string): Promise<CommandReport> {
  const { entry, end } = await promoteSandboxed(garden, { id, by: commandLineOwner });
  return {
    text: {
      en: `${id} is the proposal ${end?.proposal} now; it waits for your decision.`,
      uk: `${id} тепер пропозиція ${end?.proposal}; вона чекає на ваше рішення.`,
    },
    json: { entry, end },
  };
}

export async function discardCommand(garden: Garden, id: string): Promise<CommandReport> {
  const { entry, end } = await discardSandboxed(garden, { id, by: commandLineOwner });
  const text = { en: `${id}: ${end?.verdict}`, uk: `${id}: ${end?.verdict}` };
  return { text, json: { entry, end } };
}
