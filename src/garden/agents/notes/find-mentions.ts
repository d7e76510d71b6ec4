import type { Oid } from "../../../domain/git/git-names.ts";
import { mentionsIn, type NoteMention } from "../../../domain/note/note-mentions.ts";
import { propertiesIn } from "../../../domain/note/note-properties.ts";
import { termsIn } from "../../../domain/search/words.ts";
import type { ReadScope } from "../../core/access/read-scope.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { noNote } from "../../records/notes/read-notes.ts";
import type { IndexProgress } from "../search/commit-notes.ts";
import { fileTitle } from "../search/note-facts.ts";
import { noteIndex } from "../search/note-index.ts";
import { termKey } from "../search/note-keys.ts";
import { readNoteText } from "../search/note-text.ts";

/** A mention in another note, with the line it stands in. */
export interface FoundMention extends NoteMention {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

export interface NoteMentions {
  readonly commit: Oid;
  readonly mentions: readonly FoundMention[];
  /** The list is cut off. */
  readonly more: boolean;
  readonly reading: IndexProgress | undefined;
}

const MOST = 100;
const MOST_OF_ONE = 10;
const MOST_READ = 400;
const MAX_LINE = 300;
const PATIENCE = 500;

/** Visible notes that name this one (by its title or an alias) without a link. Throws NOT_FOUND for a missing note. */
export async function findMentions(
  garden: Pick<Garden, "repo" | "config">,
  sees: ReadScope,
  path: string,
): Promise<NoteMentions> {
  const { repo } = garden;
  const commit = await headOf(repo);
  if (!(await repo.read(commit, path))) throw noNote(path);
  const names = namesOf(path, await readNoteText(repo, commit, path));
  const keys = [...new Set(names.flatMap(termsIn))].map(termKey);
  const none = { commit, mentions: [], more: false, reading: undefined };
  if (keys.length === 0) return none;
  const { notes, reading } = await noteIndex(garden).matching(commit, keys, sees, PATIENCE);
  // A note that has more words of the names comes first.
  const likely = notes
    .filter(({ text }) => text.path !== path)
    .toSorted((a, b) => wordsOf(b.counts) - wordsOf(a.counts))
    .slice(0, MOST_READ);
  const mentions: FoundMention[] = [];
  for (const { text: note } of likely) {
    if (mentions.length > MOST) break;
    const text = await readNoteText(repo, commit, note.path);
    const lines = text.split("\n");
    for (const mention of mentionsIn(text, names, MOST_OF_ONE))
      mentions.push({
        ...mention,
        path: note.path,
        title: fileTitle(note.path).toWellFormed(),
        text: (lines[mention.line - 1] ?? "").trim().slice(0, MAX_LINE).toWellFormed(),
      });
  }
  return { commit, mentions: mentions.slice(0, MOST), more: mentions.length > MOST, reading };
}

const wordsOf = (counts: readonly number[]): number => counts.filter((count) => count > 0).length;

/** The title of a note and its aliases. */
const namesOf = (path: string, text: string): string[] => [
  fileTitle(path),
  ...propertiesIn(text)
    .filter(({ name }) => /^alias(?:es)?$/i.test(name))
    .flatMap(({ values }) => values),
];
