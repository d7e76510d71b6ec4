import type { Json } from "../../../../base/canonical.ts";
import type { Text } from "../../../../base/text.ts";
import { MAX_QUOTE, type ProposalCitation } from "../../../../domain/proposal/proposal-content.ts";
import type { StepRecord } from "../../../../domain/run/run-step.ts";
import type { ToolCallScope } from "../../../../ports/runtime.ts";
import { readJournal } from "../../../core/flow/journal.ts";
import { visibleNotes } from "../../../records/notes/visible-notes.ts";
import { positionIn } from "../call-position.ts";
import type { ToolContext } from "../tool.ts";

/** Why a proposal was made, as far as the run's journal tells (P-5a). */
export interface JournalEvidence {
  readonly reasoning: string;
  readonly citations: readonly ProposalCitation[];
}

const MAX_REASONING = 4000;
const MOST_CITED = 20;
const MOST_STEPS = 5;

/**
 * The reasoning is the text of the model in the turn of this call; if there is none, the place in the procedure and the calls before
 * it. The citations are the line that the change touches, and the notes and references that earlier calls of the run returned:
 * those about the target, otherwise the last ones. Only records before this call count, so a repeated call finds the same.
 */
export async function evidenceFor(
  context: ToolContext,
  call: ToolCallScope,
  before: readonly StepRecord[],
  payload: Readonly<Record<string, unknown>>,
): Promise<JournalEvidence> {
  const note = [payload["path"], payload["note"]].find((value) => typeof value === "string");
  const touched = note === undefined ? undefined : await touchedLine(context, note, payload);
  const read = before.flatMap(citedBy);
  const about = note === undefined ? [] : read.filter(({ source }) => source === note && !touched);
  const quotes = read.filter(({ quote }) => quote !== undefined);
  const ofTarget = quotes.filter(({ source }) => source === note);
  const quoted = ofTarget.length > 0 ? ofTarget : quotes;
  const rest = quoted.length > 0 ? quoted : about.length > 0 || touched ? [] : lastReads(before);
  return {
    reasoning: textBefore(before) ?? placeText(context, call, before),
    citations: unique([...(touched ? [touched] : []), ...about, ...rest]).slice(0, MOST_CITED),
  };
}

/** The calls of the run before this one. */
export async function recordsBefore({ garden, slug, run }: ToolContext, { key }: ToolCallScope): Promise<StepRecord[]> {
  const position = positionIn(key);
  const records = (await readJournal(garden.store, { slug, run }))?.records ?? [];
  return records.filter((record) => record.position < position && record.kind !== "step");
}

/** The text of the model in its last turn. */
function textBefore(before: readonly StepRecord[]): string | undefined {
  const output = before.findLast(({ kind }) => kind === "model")?.output;
  const parts = isRecord(output) && Array.isArray(output["content"]) ? (output["content"] as Json[]) : [];
  for (const type of ["text", "reasoning"]) {
    const text = parts
      .flatMap((part) => (isRecord(part) && part["type"] === type ? [part["text"]] : []))
      .filter((part) => typeof part === "string")
      .join("\n")
      .trim();
    if (text !== "") return text.slice(0, MAX_REASONING).toWellFormed();
  }
  return undefined;
}

/** A sentence for people. The icon and the steps themselves are linked beside it. */
function placeText({ language }: ToolContext, { place }: ToolCallScope, before: readonly StepRecord[]): string {
  const calls = before
    .filter(({ kind, proposals }) => kind === "tool" && proposals.length === 0)
    .slice(-MOST_STEPS)
    .map(({ position, name }) => `${name} (${position})`);
  if (place?.line === undefined && calls.length === 0) return WORDS.nothing[language];
  const line = place?.line === undefined ? "" : ` (${WORDS.line[language]} ${place.line})`;
  const after = calls.length === 0 ? "" : `, ${WORDS.after[language]} ${calls.join(", ")}`;
  return `${WORDS.procedure[language]}${line}${after}.`.toWellFormed();
}

const WORDS = {
  procedure: { en: "Its procedure prescribes this", uk: "Так велить його процедура" },
  line: { en: "line", uk: "рядок" },
  after: { en: "after the steps", uk: "після кроків" },
  nothing: {
    en: "The run gives no reason, and made no call before this one.",
    uk: "Запуск не називає причини, і до цього виклику інших не було.",
  },
} as const satisfies Record<string, Text>;

/** The first line of the note that the change touches, as it was when the run began. */
async function touchedLine(
  { garden, commit, identity }: ToolContext,
  note: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<ProposalCitation | undefined> {
  const isVisible = await visibleNotes(garden, identity);
  const blob = isVisible(note) ? await garden.repo.read(commit, note) : undefined;
  if (!blob) return undefined;
  const lines = Buffer.from(blob.bytes).toString().split("\n");
  const { line, text } = payload;
  const at = typeof line === "number" ? line : typeof text === "string" ? firstDifference(lines, text) : undefined;
  const quote = at === undefined ? undefined : lines[at - 1]?.trim();
  return at === undefined || !quote ? undefined : { source: note, line: at, quote: cut(quote) };
}

/** The number of the first line that differs; undefined if the new text shares nothing with the old one (a comment, a summary). */
function firstDifference(lines: readonly string[], text: string): number | undefined {
  const changed = text.split("\n");
  const at = lines.findIndex((line, index) => line !== changed[index]);
  return at > 0 ? at + 1 : undefined;
}

/** The notes and references in the result of a call, wherever they are in it. */
function citedBy({ position, output }: StepRecord): ProposalCitation[] {
  const found: ProposalCitation[] = [];
  const waiting: Json[] = [output as Json];
  for (let next = waiting.pop(); next !== undefined && found.length < MOST_CITED * 5; next = waiting.pop()) {
    if (Array.isArray(next)) waiting.push(...(next as Json[]).slice(0, 500).toReversed());
    else if (isRecord(next)) {
      const { path, source_title: title, cited_text: quote } = next;
      if (typeof title === "string" && typeof quote === "string" && title.trim() !== "")
        found.push({ source: title.trim().slice(0, 1000), quote: cut(quote.trim()), step: position });
      else if (typeof path === "string" && path !== "") found.push({ source: path.slice(0, 1000), step: position });
      waiting.push(...Object.values(next).filter((value) => typeof value === "object" && value !== null));
    }
  }
  return found;
}

const lastReads = (before: readonly StepRecord[]): ProposalCitation[] =>
  before
    .filter(({ kind, failure, proposals }) => kind === "tool" && !failure && proposals.length === 0)
    .slice(-MOST_STEPS)
    .map(({ name, position }) => ({ source: name, step: position }));

const unique = (all: readonly ProposalCitation[]): ProposalCitation[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
];

const cut = (text: string): string => text.replaceAll("\0", "").slice(0, MAX_QUOTE).toWellFormed();

const isRecord = (value: unknown): value is { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
