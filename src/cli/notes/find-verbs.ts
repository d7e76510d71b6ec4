import { Failure } from "../../base/failure.ts";
import { verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { askNotes, NOTHING_SAID } from "../../garden/agents/notes/ask-notes.ts";
import { findNotes } from "../../garden/agents/search/find-notes.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { mainOf } from "../../garden/records/notes/read-notes.ts";
import { visibleNotes } from "../../garden/records/notes/visible-notes.ts";
import type { Context, Report } from "../command.ts";
import { printable } from "../printable.ts";

const MOST_HITS = 30;

/** Notes by their words, the best first, each with the sentence that fits best. */
export async function findInNotes({ style }: Context, garden: Garden, words: readonly string[]): Promise<Report> {
  const sees = await visibleNotes(garden, commandLineOwner);
  const question = words.join(" ");
  const { total, hits } = await findNotes(garden, await mainOf(garden), sees, { question, most: MOST_HITS });
  const lines = hits.map(({ path, quote }) => `${style.cyan(printable(path))}\n  ${oneLine(quote)}`);
  const text =
    total === 0 ? { en: "No note has these words.", uk: "Жодна нотатка не має цих слів." } : verbatim(lines.join("\n"));
  return { text, json: { total, notes: hits }, asked: true };
}

/** What the notes say about a question, and where. */
export async function askTheNotes(context: Context, garden: Garden, words: readonly string[]): Promise<Report> {
  const { machine, style } = context;
  if (!machine.reader)
    throw new Failure("NLM_UNAVAILABLE", { en: "nobody reads notes here", uk: "тут нікому читати нотатки" });
  const { answer, references } = await askNotes(garden, machine.reader, await visibleNotes(garden, commandLineOwner), {
    question: words.join(" "),
    signal: new AbortController().signal,
  });
  const places = references.map(
    ({ citation_number, source_title, path, line }) =>
      `[${citation_number}] ${path === undefined ? printable(source_title) : style.cyan(`${printable(path)}:${line}`)}`,
  );
  const text =
    answer === undefined ? NOTHING_SAID : verbatim([...answer.split("\n").map(printable), ...places].join("\n"));
  return { text, json: { answer: answer ?? null, references }, asked: true };
}

const oneLine = (text: string): string => printable(text.replaceAll(/\s+/g, " "));
