import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { markdownParts } from "../../../domain/note/markdown-parts.ts";
import { termsIn } from "../../../domain/search/words.ts";
import { READER_LIMIT_MS, type Reader, type ReadingSource } from "../../../ports/reader.ts";
import { textOf } from "../../changes/effect/note-target.ts";
import type { Sight } from "../../core/access/sight.ts";
import type { Garden } from "../../core/garden.ts";
import { mainOf, noNote } from "../../records/notes/read-notes.ts";
import { rankNotes } from "../search/find-notes.ts";
import { noteIndex, type Reading } from "../search/note-index.ts";
import { titleOf } from "../search/note-keys.ts";

export interface NotesAnswer {
  readonly commit: Oid;
  /** In the words of the notes, with `[n]` for what it is from; undefined where they say nothing about it. */
  readonly answer: string | undefined;
  readonly references: readonly NoteReference[];
  /** Where not all notes are read yet: how far it is. */
  readonly reading: Reading | undefined;
}

/** Of the shape that the reader has for it, with the place where it stands. */
export interface NoteReference {
  readonly citation_number: number;
  readonly source_title: string;
  readonly cited_text: string;
  /** The note, and the line that the citation begins in, from 1; undefined for what is from elsewhere. */
  readonly path: string | undefined;
  readonly line: number | undefined;
}

const MOST_NOTES = 12;
/** Somebody who sits before a page is told how far it is after so many. */
const PATIENCE = 500;
/** A longer note is handed over in the parts of it that have the words of the question. */
const LONG = 200_000;
const PART = 24_000;
const MOST_PARTS = 6;

/**
 * What the notes that somebody may read say about a question, and where: nothing else. With `note`, that one alone is asked.
 */
export async function askNotes(
  garden: Pick<Garden, "repo" | "store" | "config">,
  reader: Reader,
  sees: Sight,
  asked: {
    readonly question: string;
    readonly note?: string | undefined;
    /** How many notes may be read before there is an answer. */
    readonly patience?: number;
    readonly signal: AbortSignal;
  },
): Promise<NotesAnswer> {
  const { question, note, patience = PATIENCE } = asked;
  const { repo } = garden;
  const commit = await mainOf(garden);
  if (note !== undefined && !(sees(note) && (await repo.read(commit, note)))) throw noNote(note);
  const { paths, reading } =
    note === undefined
      ? await rankNotes(noteIndex(garden), commit, sees, { question, most: MOST_NOTES, patience })
      : { paths: [note], reading: undefined };
  const texts = new Map<string, string>();
  for (const path of paths) {
    const text = textOf((await repo.read(commit, path))?.bytes ?? new Uint8Array());
    if (text !== undefined) texts.set(path, text);
  }
  const sources = [...texts].flatMap(([title, text]) => sourcesOf(title, text, question));
  if (sources.length === 0) return { commit, answer: undefined, references: [], reading };
  const limit = AbortSignal.timeout(READER_LIMIT_MS);
  const { answer, references } = await reader
    .ask({
      question,
      sources,
      ...(note !== undefined && { about: sources }),
      signal: AbortSignal.any([asked.signal, limit]),
    })
    .catch((error: unknown) => {
      throw limit.aborted ? tooSlow(reader.name, error) : error;
    });
  return {
    commit,
    answer: references.length === 0 ? undefined : answer,
    references: references.map((reference) => placed(reference, texts.get(reference.source_title))),
    reading,
  };
}

function sourcesOf(title: string, text: string, question: string): ReadingSource[] {
  if (text.length <= LONG) return [{ title, text }];
  const wanted = new Set(termsIn(question));
  return markdownParts(text, PART)
    .map((part) => ({ part, has: new Set(termsIn(part.text).filter((term) => wanted.has(term))).size }))
    .filter(({ has }, index) => has > 0 || (wanted.size === 0 && index < MOST_PARTS))
    .toSorted((a, b) => b.has - a.has || a.part.line - b.part.line)
    .slice(0, MOST_PARTS)
    .map(({ part }) => ({ title, text: part.text }));
}

function placed(reference: Omit<NoteReference, "path" | "line">, text: string | undefined): NoteReference {
  const at = text?.indexOf(reference.cited_text) ?? -1;
  if (text === undefined || at === -1) return { ...reference, path: undefined, line: undefined };
  return {
    ...reference,
    source_title: titleOf(reference.source_title, text),
    path: reference.source_title,
    line: text.slice(0, at).split("\n").length,
  };
}

const tooSlow = (reader: string, cause: unknown): Failure =>
  new Failure(
    "NLM_UNAVAILABLE",
    {
      en: `the reader (${reader}) gave no answer within ${READER_LIMIT_MS / 1000} s`,
      uk: `читач (${reader}) не відповів за ${READER_LIMIT_MS / 1000} с`,
    },
    { details: { reader }, cause },
  );

/** For who has no page to say it. */
export const NOTHING_SAID: Text = {
  en: "The notes say nothing about this.",
  uk: "У нотатках нічого про це не сказано.",
};
