import { stringify } from "yaml";
import { z } from "zod";
import type { Json } from "../../base/canonical.ts";
import type { Language, Text } from "../../base/text.ts";
import type { RunCost } from "../../domain/run/price.ts";
import type { PersonRequest } from "../../domain/run/request.ts";
import type { RunState } from "../../domain/run/run.ts";
import type { Outcome } from "../../domain/run/run-manifest.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";
import { valueGist } from "../../domain/run/value-gist.ts";
import type { QuestionAndAnswer } from "../../garden/runs/hold.ts";
import type { RunCard, RunDetails } from "../../garden/runs/read-runs.ts";
import type { SubRunCard } from "../../garden/runs/sub-agents/show-sub-runs.ts";
import { printable } from "../printable.ts";
import type { Paint, Style } from "../style.ts";
import { formatTime, inBothLanguages, oneLine, quotedLines } from "../text-layout.ts";

export function runText(
  report: RunDetails,
  { asked, below }: { readonly asked: readonly QuestionAndAnswer[]; readonly below: readonly SubRunCard[] },
  cost: RunCost | undefined,
  style: Style,
): Text {
  return inBothLanguages((language) => {
    const { card, manifest, request, steps } = report;
    const row = (label: Text, value: string): string =>
      `${style.dim(label[language].padEnd(LABEL[language]))} ${oneLine(value)}`;
    const { outcome } = card;
    return [
      `${style.bold(card.run_id)}  ${stateWord(card.state, style)}`,
      row(
        words.agent,
        `${card.agent_slug}${manifest ? ` v${manifest.agent_version}, ${manifest.logic_version ?? "–"}` : ""}`,
      ),
      row(words.trigger, [card.trigger, request?.cause, request && `(${request.by})`].filter(Boolean).join(" ")),
      row(words.times, timesOf(card)),
      ...(request?.input === undefined ? [] : [row(words.input, shortValue(request.input, language))]),
      ...(card.forked_from
        ? [row(words.forked, `${card.forked_from.run}, ${words.step[language]} ${card.forked_from.step}`)]
        : []),
      ...(card.moved_from
        ? [row(words.moved, `${card.moved_from.run}, ${words.step[language]} ${card.moved_from.step}`)]
        : []),
      ...(card.asked_by ? [row(words.askedBy, `${card.asked_by.agent} ${card.asked_by.run}`)] : []),
      ...(card.drift ? [row(words.drift, words.drifted[language])] : []),
      ...(manifest ? [row(words.model, modelOf(manifest, cost, language))] : []),
      ...(outcome ? [row(words.outcome, outcomeText(outcome, language))] : []),
      ...(outcome?.kind === "effects"
        ? outcome.proposals.map((id) => `${" ".repeat(LABEL[language])} ${oneLine(id)}`)
        : []),
      ...(manifest?.error ? [style.red(row(words.error, manifest.error))] : []),
      ...hintLines(manifest, language),
      "",
      ...steps.map((step) => stepLine(step, style, language)),
      ...(below.length > 0 ? ["", ...below.map((each) => subRunLine(each, style))] : []),
      ...asked.flatMap((each) => ["", ...requestLines(each, style, language)]),
    ].join("\n");
  });
}

const subRunLine = ({ run_id, agent_slug, goal, state }: SubRunCard, style: Style): string =>
  `  ↳ ${style.bold(run_id)}  ${oneLine(agent_slug)}  ${stateWord(state, style)}  ${style.dim(cut(oneLine(goal)))}`;

/** The hint of the failure of a run, if it has one. */
export function hintLines(manifest: RunDetails["manifest"], language: Language): string[] {
  const hint = hintShape.safeParse(manifest?.error_details?.["hint"]).data;
  return hint ? [`→ ${oneLine(hint[language])}`] : [];
}

const hintShape = z.object({ en: z.string(), uk: z.string() });

const modelOf = (
  manifest: NonNullable<RunDetails["manifest"]>,
  cost: RunCost | undefined,
  language: Language,
): string => {
  const { input, output } = manifest.tokens_used;
  const paid = cost ? `, ${cost.amount} ${cost.currency}` : "";
  return `${manifest.model_used}, ${words.tokens[language]} ${input} + ${output}${paid}`;
};

/** One step of the timeline: name, result and duration. */
export function stepLine(step: StepRecord, style: Style, language: Language): string {
  const { position, name, kind, failure, attempt } = step;
  const mark = failure ? style.red("✗") : style.green("✓");
  const again = attempt > 1 ? style.bold(` ↻${attempt}`) : "";
  const waited = step.waited_s === undefined ? "" : style.dim(` (${words.waited[language]} ${step.waited_s} s)`);
  const what = failure
    ? style.red(oneLine(failure.text[language]))
    : style.dim(shortValue(step.output ?? null, language));
  const made = step.proposals.length > 0 ? style.bold(` + ${step.proposals.map(endOf).join(", ")}`) : "";
  const line = style.dim((step.line === undefined ? "" : `:${step.line}`).padEnd(LINE_WIDTH));
  return `${String(position).padStart(3)} ${mark} ${KIND_PAINT[kind](style)(oneLine(name).padEnd(NAME_WIDTH))} ${line}${again} ${what}${made}${waited} ${style.dim(durationOf(step))}`;
}

const KIND_PAINT: Readonly<Record<StepRecord["kind"], (style: Style) => Paint>> = {
  step: ({ dim }) => dim,
  model: ({ cyan }) => cyan,
  tool: ({ bold }) => bold,
};
const NAME_WIDTH = 17;
const LINE_WIDTH = 4;

/** One step with its input and output. */
export function stepPage(step: StepRecord, style: Style, language: Language): string {
  const block = (label: Text, value: Json | undefined): string[] =>
    value === undefined ? [] : [style.dim(`      ${label[language]}`), ...indented(value)];
  const { failure } = step;
  return [
    stepLine(step, style, language),
    ...block(words.given, step.input),
    ...block(words.gave, step.output),
    ...(failure ? [style.red(`      ${failure.code}: ${oneLine(failure.text[language])}`)] : []),
  ].join("\n");
}

const MAX_LINES = 40;

function indented(value: Json): string[] {
  // YAML, because multi-line texts are readable in it.
  const text = typeof value === "string" ? value : stringify(value, { lineWidth: 0 }).trimEnd();
  const lines = printable(text).split("\n");
  const shown = lines.slice(0, MAX_LINES).map((line) => `        ${line}`);
  return lines.length > MAX_LINES ? [...shown, `        … +${lines.length - MAX_LINES}`] : shown;
}

/** Options that answer a request of each form. */
const HOW: Readonly<Record<PersonRequest["ask"]["form"], string>> = {
  review: "--approve | --reject [--note …]",
  choice: "--choice …",
  number: "--value N",
  text: "--value …",
};

/** The command that answers a request. */
export const answerLine = ({ id, ask }: Pick<PersonRequest, "id" | "ask">, command = `requests answer ${id}`): string =>
  `bloom ${command} ${HOW[ask.form]}`;

export function requestLines({ request, answer }: QuestionAndAnswer, style: Style, language: Language): string[] {
  const { id, ask } = request;
  const head = answer ? style.green("✓") : style.bold("?");
  return [
    `${head} ${style.bold(id)}  ${ask.form}  ${formatTime(request.asked_at)}`,
    ...quotedLines(ask.question),
    ...(ask.options ?? []).map((option, index) => `    ${index + 1}. ${oneLine(option)}`),
    ...Object.entries(ask.values ?? {}).map(([name, value]) =>
      style.dim(`    ${oneLine(name)}: ${shortValue(value as Json, language)}`),
    ),
    ...(answer
      ? [
          `  → ${oneLine(JSON.stringify(answer.value))}  ${style.dim(`${oneLine(answer.by)} ${formatTime(answer.answered_at)}`)}`,
        ]
      : []),
    ...(answer?.note === undefined ? [] : quotedLines(answer.note)),
  ];
}

export function runTable(cards: readonly RunCard[], style: Style, language: Language): string {
  const cells = cards.map((card) => [
    card.run_id,
    card.agent_slug,
    card.state,
    card.trigger,
    durationOf(card),
    [
      ...(card.drift ? [words.drift[language]] : []),
      card.outcome
        ? cut(outcomeText(card.outcome, language))
        : card.step
          ? `${card.step.position} ${card.step.name}`
          : "",
    ].join("  "),
  ]);
  const heads = HEADS.map((head) => head[language]);
  const widths = heads.map((head, column) => Math.max(head.length, ...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[], paint: (cell: string, column: number) => string): string =>
    row
      .map((cell, column) => paint(oneLine(cell).padEnd(widths[column]!), column))
      .join("  ")
      .trimEnd();
  return [
    line(heads, (cell) => style.dim(cell)),
    ...cells.map((row) =>
      line(row, (cell, column) => (column === 2 ? STATE_PAINT[row[2] as RunState](style)(cell) : cell)),
    ),
  ].join("\n");
}

const HEADS: readonly Text[] = [
  { en: "RUN", uk: "ЗАПУСК" },
  { en: "AGENT", uk: "АГЕНТ" },
  { en: "STATE", uk: "СТАН" },
  { en: "BY", uk: "ЧЕРЕЗ" },
  { en: "DURATION", uk: "ТРИВАВ" },
  { en: "OUTCOME", uk: "НАСЛІДОК" },
];

const STATE_PAINT: Readonly<Record<RunState, (style: Style) => Paint>> = {
  requested: ({ dim }) => dim,
  queued: ({ dim }) => dim,
  running: ({ cyan }) => cyan,
  waiting: ({ bold }) => bold,
  completed: ({ green }) => green,
  failed: ({ red }) => red,
  cancelled: ({ dim }) => dim,
};

export const stateWord = (state: RunState, style: Style): string => STATE_PAINT[state](style)(state);

export function outcomeText(outcome: Outcome, language: Language): string {
  switch (outcome.kind) {
    case "effects":
      return outcome.files === undefined
        ? `${words.effects[language]}: ${outcome.proposals.length}`
        : `${words.handedOver[language]}: ${outcome.files}`;
    case "noop":
      return `${words.noop[language]}: ${oneLine(outcome.reason)}`;
    case "blocked":
      return `${words.blocked[language]}: ${oneLine(outcome.by)}`;
    case "failed":
      return `${words.failed[language]}: ${oneLine(outcome.reason)}`;
  }
}

/** A short summary of a value, as one printable line. */
const shortValue = (value: Json, language: Language): string => oneLine(valueGist(value, language));

const GIST = 60;
const cut = (text: string): string => (text.length > GIST ? `${text.slice(0, GIST - 1)}…` : text);

const endOf = (id: string): string => oneLine(id).split("_").at(-1)!;

const durationOf = ({ started_at, finished_at }: Pick<RunCard, "started_at" | "finished_at">): string =>
  started_at === undefined || finished_at === undefined
    ? "–"
    : durationText(Date.parse(finished_at) - Date.parse(started_at));

const timesOf = (card: RunCard): string =>
  [formatTime(card.requested_at), card.finished_at && `→ ${formatTime(card.finished_at)} (${durationOf(card)})`]
    .filter(Boolean)
    .join(" ");

export function durationText(ms: number): string {
  if (!(ms >= 0)) return "–"; // the clock was set back
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
}

const LABEL: Readonly<Record<Language, number>> = { en: 8, uk: 10 };

const words = {
  agent: { en: "agent", uk: "агент" },
  trigger: { en: "by", uk: "через" },
  times: { en: "time", uk: "час" },
  input: { en: "input", uk: "вхід" },
  drift: { en: "drift", uk: "розбіжність" },
  drifted: {
    en: "the contract differs from its diagram; the run followed the contract",
    uk: "контракт розійшовся з діаграмою; запуск ішов за контрактом",
  },
  forked: { en: "fork of", uk: "від" },
  moved: { en: "from", uk: "із" },
  askedBy: { en: "for", uk: "для" },
  step: { en: "step", uk: "крок" },
  model: { en: "model", uk: "модель" },
  tokens: { en: "tokens", uk: "токени" },
  outcome: { en: "outcome", uk: "наслідок" },
  error: { en: "error", uk: "помилка" },
  waited: { en: "rate limit:", uk: "обмеження частоти:" },
  given: { en: "input", uk: "отримав" },
  gave: { en: "output", uk: "віддав" },
  effects: { en: "proposals", uk: "пропозицій" },
  handedOver: { en: "files handed over", uk: "передано файлів" },
  noop: { en: "nothing to do", uk: "без змін" },
  blocked: { en: "blocked", uk: "заблоковано" },
  failed: { en: "failed", uk: "не вдалося" },
} as const satisfies Record<string, Text>;
