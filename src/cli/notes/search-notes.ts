import { Failure } from "../../base/failure.ts";
import { verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { askNotes, NOTHING_SAID } from "../../garden/agents/notes/ask-notes.ts";
import { findNotes } from "../../garden/agents/search/find-notes.ts";
import { headOf } from "../../garden/core/main-head.ts";
import { visibleNotes } from "../../garden/records/notes/visible-notes.ts";
import { printable } from "../printable.ts";
import type { Subcommand } from "../subcommands.ts";
import { oneLine } from "../text-layout.ts";

const MOST_HITS = 30;

/** Full-text search, best match first, each with its best sentence. */
export const searchNotes: Subcommand["run"] = async ({ style }, garden, words) => {
  const sees = await visibleNotes(garden, commandLineOwner);
  const question = words.join(" ");
  const { total, hits } = await findNotes(garden, await headOf(garden.repo), sees, { question, most: MOST_HITS });
  const lines = hits.map(({ path, quote }) => `${style.cyan(printable(path))}\n  ${oneLine(quote)}`);
  const text = total === 0 ? { en: "No matches.", uk: "Жодна нотатка не має цих слів." } : verbatim(lines.join("\n"));
  return { text, json: { total, notes: hits }, asked: true };
};

/** Answers a question from the notes, with sources. */
export const askQuestion: Subcommand["run"] = async (context, garden, words) => {
  const { machine, style } = context;
  if (!machine.reader)
    throw new Failure("NLM_UNAVAILABLE", {
      en: "no reader is configured for questions about notes",
      uk: "тут нікому читати нотатки",
    });
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
};
