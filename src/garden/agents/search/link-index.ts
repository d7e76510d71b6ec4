import { compareUtf8 } from "../../../base/order.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { leadsTo, linksIn, type NoteLink } from "../../../domain/note/note-links.ts";
import { hashOf } from "../../../domain/search/postings.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { ReadScope } from "../../core/access/read-scope.ts";
import type { IndexedNote, IndexProgress } from "./commit-notes.ts";
import type { NoteIndex } from "./note-index.ts";
import { linksTo, nameKey, namesOf, plainName, titleOf, writtenLink } from "./note-keys.ts";
import { readNoteText } from "./note-text.ts";

/** A link as written in a note, and the note it resolves to, if any. */
export interface LinkOut {
  readonly target: string;
  readonly kind: "path" | "name";
  readonly to: string | undefined;
}

/** A link in another note that resolves to this one. */
export interface LinkIn {
  readonly path: string;
  readonly title: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

export interface NoteLinks {
  readonly links: readonly LinkOut[];
  readonly backlinks: readonly LinkIn[];
  /** The list of backlinks is cut off. */
  readonly more: boolean;
  /** Set while some notes are not indexed yet. */
  readonly reading: IndexProgress | undefined;
}

const MOST_OF_ONE = 5000;
const MOST_BACKLINKS = 200;
const MAX_LINE = 300;
const AT_ONCE = 16;

/** The links of one note and its backlinks, among the visible notes of the commit. */
export async function linksOfNote(
  repo: Repo,
  index: NoteIndex,
  at: Oid,
  sees: ReadScope,
  path: string,
  patience = Number.POSITIVE_INFINITY,
): Promise<NoteLinks> {
  const text = await readNoteText(repo, at, path);
  const written = unique(linksIn(text).slice(0, MOST_OF_ONE));
  const names = [...new Set(written.flatMap((link) => wantedNames(path, link)))];
  const here = linksTo(path, titleOf(path, text));
  const keys = [...names.map(nameKey), ...[...here].map(hashOf)];
  const { notes, reading } = await index.matching(at, keys, sees, patience);
  const inOrder = notes.toSorted((a, b) => compareUtf8(a.text.path, b.text.path));
  const called = new Map<string, IndexedNote[]>(names.map((name) => [name, []]));
  for (const { text: note } of inOrder) for (const name of namesOf(note.path, note.title)) called.get(name)?.push(note);
  const wanted = written.flatMap((link) => pathsMeant(path, link));
  const existing = await index.withTree(at, (tree) => new Set(wanted.filter((each) => tree.has(each) && sees(each))));
  const resolve = (link: NoteLink): string | undefined => {
    const options = wantedNames(path, link).flatMap((name) => called.get(name) ?? []);
    if (link.kind === "name") {
      const folder = path.slice(0, path.lastIndexOf("/") + 1);
      return (options.find((note) => note.path.startsWith(folder)) ?? options[0])?.path;
    }
    const meant = pathsMeant(path, link);
    // The file name may be in decomposed form (NFD), which the tree does not find.
    return (
      meant.find((each) => existing.has(each)) ??
      options.find((note) => meant.includes(note.path.normalize("NFC")))?.path
    );
  };
  const linking = inOrder.filter(
    ({ text: note, counts }) => note.path !== path && counts.slice(names.length).some((count) => count > 0),
  );
  const backlinks = await readBacklinks(
    repo,
    at,
    linking.map((found) => found.text),
    here,
  );
  return {
    links: written.map((link) => ({ target: link.target, kind: link.kind, to: resolve(link) })),
    backlinks: backlinks.slice(0, MOST_BACKLINKS),
    more: backlinks.length > MOST_BACKLINKS,
    reading,
  };
}

/** The paths that a link by path can mean, in order of preference. */
function pathsMeant(from: string, { kind, target }: Pick<NoteLink, "kind" | "target">): string[] {
  const path = kind === "path" ? leadsTo(from, target) : undefined;
  return path === undefined ? [] : [path, `${path}.md`];
}

const wantedNames = (from: string, link: Pick<NoteLink, "kind" | "target">): string[] =>
  link.kind === "name" ? [plainName(link.target)] : pathsMeant(from, link).slice(0, 1).map(plainName);

const unique = (links: readonly NoteLink[]): readonly NoteLink[] => [
  ...new Map(links.map((link) => [`${link.kind} ${link.target}`, link])).values(),
];

/** Up to `MOST_BACKLINKS` + 1 links in these notes that resolve to `here`. The index knows hashes only, so each note is read. */
async function readBacklinks(
  repo: Repo,
  at: Oid,
  notes: readonly IndexedNote[],
  here: ReadonlySet<string>,
): Promise<LinkIn[]> {
  const found: LinkIn[] = [];
  for (let from = 0; from < notes.length && found.length <= MOST_BACKLINKS; from += AT_ONCE) {
    const group = notes.slice(from, from + AT_ONCE);
    const texts = await Promise.all(group.map(({ path }) => readNoteText(repo, at, path)));
    for (const [place, { path, title }] of group.entries()) {
      const text = texts[place]!;
      const lines = text.split("\n");
      for (const link of linksIn(text).slice(0, MOST_OF_ONE)) {
        if (found.length > MOST_BACKLINKS || !here.has(writtenLink(path, link))) continue;
        const line = (lines[link.line - 1] ?? "").trim().slice(0, MAX_LINE).toWellFormed();
        found.push({ path, title, line: link.line, text: line });
      }
    }
  }
  return found;
}
