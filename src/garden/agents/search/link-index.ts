import { compareUtf8 } from "../../../base/order.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { leadsTo, linksIn, type NoteLink } from "../../../domain/note/note-links.ts";
import { hashOf } from "../../../domain/search/postings.ts";
import type { Repo } from "../../../ports/repo.ts";
import { textOf } from "../../changes/effect/note-target.ts";
import type { Sight } from "../../core/access/sight.ts";
import type { FoundText, NoteIndex, Reading } from "./note-index.ts";
import { linksTo, nameKey, namesOf, plainName, titleOf, writtenLink } from "./note-keys.ts";

/** A link as it is written in a note, and the note that it leads to; undefined where there is none. */
export interface LinkOut {
  readonly target: string;
  readonly kind: "path" | "name";
  readonly to: string | undefined;
}

/** A place in another note that leads here. */
export interface LinkIn {
  readonly path: string;
  readonly title: string;
  /** From 1, and what stands there. */
  readonly line: number;
  readonly text: string;
}

export interface NoteLinks {
  readonly links: readonly LinkOut[];
  readonly backlinks: readonly LinkIn[];
  /** Whether there are more backlinks than are told. */
  readonly more: boolean;
  /** Where not all notes are read yet: how far it is. */
  readonly reading: Reading | undefined;
}

const MOST_OF_ONE = 5000;
const MOST_BACKLINKS = 200;
const MAX_LINE = 300;
const AT_ONCE = 16;

/** The links of one note and those that lead to it, among the notes of the commit that the asker may read. */
export async function linksOfNote(
  repo: Repo,
  index: NoteIndex,
  at: Oid,
  sees: Sight,
  path: string,
  patience = Number.POSITIVE_INFINITY,
): Promise<NoteLinks> {
  const text = await textAt(repo, at, path);
  const written = unique(linksIn(text).slice(0, MOST_OF_ONE));
  const names = [...new Set(written.flatMap((link) => wantedNames(path, link)))];
  const here = linksTo(path, titleOf(path, text));
  const keys = [...names.map(nameKey), ...[...here].map(hashOf)];
  const { notes, reading } = await index.having(at, keys, sees, patience);
  const inOrder = notes.toSorted((a, b) => compareUtf8(a.text.path, b.text.path));
  const called = new Map<string, FoundText[]>(names.map((name) => [name, []]));
  for (const { text: note } of inOrder) for (const name of namesOf(note.path, note.title)) called.get(name)?.push(note);
  const ofPath = written.flatMap((link) => ways(path, link));
  const there = await index.inFolders(at, (tree) => new Set(ofPath.filter((way) => tree.has(way) && sees(way))));
  const leading = (link: NoteLink): string | undefined => {
    const options = wantedNames(path, link).flatMap((name) => called.get(name) ?? []);
    if (link.kind === "name") {
      const folder = path.slice(0, path.lastIndexOf("/") + 1);
      return (options.find((note) => note.path.startsWith(folder)) ?? options[0])?.path;
    }
    const meant = ways(path, link);
    // A file may be named in decomposed letters, which only its reading tells.
    return (
      meant.find((way) => there.has(way)) ?? options.find((note) => meant.includes(note.path.normalize("NFC")))?.path
    );
  };
  const linking = inOrder.filter(
    ({ text: note, counts }) => note.path !== path && counts.slice(names.length).some((count) => count > 0),
  );
  const backlinks = await linksHere(
    repo,
    at,
    linking.map((found) => found.text),
    here,
  );
  return {
    links: written.map((link) => ({ target: link.target, kind: link.kind, to: leading(link) })),
    backlinks: backlinks.slice(0, MOST_BACKLINKS),
    more: backlinks.length > MOST_BACKLINKS,
    reading,
  };
}

/** The paths that a link by path can mean, the first before the others. */
function ways(from: string, { kind, target }: Pick<NoteLink, "kind" | "target">): string[] {
  const path = kind === "path" ? leadsTo(from, target) : undefined;
  return path === undefined ? [] : [path, `${path}.md`];
}

const wantedNames = (from: string, link: Pick<NoteLink, "kind" | "target">): string[] =>
  link.kind === "name" ? [plainName(link.target)] : ways(from, link).slice(0, 1).map(plainName);

const unique = (links: readonly NoteLink[]): readonly NoteLink[] => [
  ...new Map(links.map((link) => [`${link.kind} ${link.target}`, link])).values(),
];

/** Every place in these notes that leads here, one more than are told. What an index says of a note is looked up in the note. */
async function linksHere(
  repo: Repo,
  at: Oid,
  notes: readonly FoundText[],
  here: ReadonlySet<string>,
): Promise<LinkIn[]> {
  const told: LinkIn[] = [];
  for (let from = 0; from < notes.length && told.length <= MOST_BACKLINKS; from += AT_ONCE) {
    const group = notes.slice(from, from + AT_ONCE);
    const texts = await Promise.all(group.map(({ path }) => textAt(repo, at, path)));
    for (const [place, { path, title }] of group.entries()) {
      const text = texts[place]!;
      const lines = text.split("\n");
      for (const link of linksIn(text).slice(0, MOST_OF_ONE)) {
        if (told.length > MOST_BACKLINKS || !here.has(writtenLink(path, link))) continue;
        const said = (lines[link.line - 1] ?? "").trim().slice(0, MAX_LINE).toWellFormed();
        told.push({ path, title, line: link.line, text: said });
      }
    }
  }
  return told;
}

const textAt = async (repo: Repo, at: Oid, path: string): Promise<string> =>
  textOf((await repo.read(at, path))?.bytes ?? new Uint8Array()) ?? "";
