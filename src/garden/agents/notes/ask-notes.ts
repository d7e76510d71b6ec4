import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { markdownParts } from "../../../domain/note/markdown-parts.ts";
import { termsIn } from "../../../domain/search/words.ts";
import { READER_LIMIT_MS, type Reader, type ReadingSource } from "../../../ports/reader.ts";
import { textOf } from "../../changes/effect/note-target.ts";
import type { ReadScope } from "../../core/access/read-scope.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { noNote } from "../../records/notes/read-notes.ts";
import { excludedAt } from "../../records/notes/vault-settings-at.ts";
import type { IndexProgress } from "../search/commit-notes.ts";
import { rankNotes } from "../search/find-notes.ts";
import { fileTitle } from "../search/note-facts.ts";
import { noteIndex } from "../search/note-index.ts";

export interface NotesAnswer {
  readonly commit: Oid;
  /** Quotes the notes, with `[n]` for each reference; undefined if the notes hold no answer. */
  readonly answer: string | undefined;
  readonly references: readonly NoteReference[];
  /** Set while some notes are not indexed yet. */
  readonly reading: IndexProgress | undefined;
}

/** A reference of the reader, with its place in the note. */
export interface NoteReference {
  readonly citation_number: number;
  readonly source_title: string;
  readonly cited_text: string;
  /** The note and the first line of the citation, counted from 1; undefined if the cited text is in no note. */
  readonly path: string | undefined;
  readonly line: number | undefined;
}

const MOST_NOTES = 12;
/** Notes read before an interactive question is answered from what is indexed so far. */
const PATIENCE = 500;
/** The reader gets only the parts of a longer note that contain words of the question. */
const LONG = 200_000;
const PART = 24_000;
const MOST_PARTS = 6;

/** Answers a question from the visible notes alone, with citations. With `note`, from that note alone. */
export async function askNotes(
  garden: Pick<Garden, "repo" | "store" | "config">,
  reader: Reader,
  sees: ReadScope,
  asked: {
    readonly question: string;
    readonly note?: string | undefined;
    /** Maximum number of notes to read before answering. */
    readonly patience?: number;
    readonly signal: AbortSignal;
  },
): Promise<NotesAnswer> {
  const { question, note, patience = PATIENCE } = asked;
  const { repo } = garden;
  const commit = await headOf(garden.repo);
  if (note !== undefined && !(sees(note) && (await repo.read(commit, note)))) throw noNote(note);
  const { paths, reading } =
    note === undefined
      ? await rankNotes(noteIndex(garden), commit, sees, {
          question,
          most: MOST_NOTES,
          patience,
          isExcluded: await excludedAt(garden, commit),
        })
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
    references: references.map((reference) => withPlace(reference, texts.get(reference.source_title))),
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

function withPlace(reference: Omit<NoteReference, "path" | "line">, text: string | undefined): NoteReference {
  const at = text?.indexOf(reference.cited_text) ?? -1;
  if (text === undefined || at === -1) return { ...reference, path: undefined, line: undefined };
  return {
    ...reference,
    source_title: fileTitle(reference.source_title),
    path: reference.source_title,
    line: text.slice(0, at).split("\n").length,
  };
}

const tooSlow = (reader: string, cause: unknown): Failure =>
  new Failure("NLM_UNAVAILABLE", {
    en: `the reader (${reader}) did not answer within ${READER_LIMIT_MS / 1000} s`,
    uk: `читач (${reader}) не відповів за ${READER_LIMIT_MS / 1000} с`,
    details: { reader },
    cause,
  });

/** For the command line; the web app has its own text. */
export const NOTHING_SAID: Text = {
  en: "The notes say nothing about this.",
  uk: "У нотатках нічого про це не сказано.",
};
