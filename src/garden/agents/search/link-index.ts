import { compareUtf8 } from "../../../base/order.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { splitFrontMatter } from "../../../domain/note/front-matter.ts";
import {
  fileNameKey,
  type LinkTargets,
  linkTargets,
  namesMeant,
  resolveLink,
} from "../../../domain/note/link-target.ts";
import { linksIn, type NoteLink } from "../../../domain/note/note-links.ts";
import { linesOfPart, type NotePartLines } from "../../../domain/note/note-part.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { ReadScope } from "../../core/access/read-scope.ts";
import type { IndexedNote, IndexProgress } from "./commit-notes.ts";
import { fileTitle } from "./note-facts.ts";
import type { NoteIndex } from "./note-index.ts";
import { linkKey } from "./note-keys.ts";
import { readNoteText } from "./note-text.ts";

/** A link as written in a note, and the file it resolves to, if any. */
interface ResolvedLink {
  readonly target: string;
  /** After `#`; "" if the link names no part. */
  readonly part: string;
  readonly kind: "path" | "name";
  readonly to: string | undefined;
  /** First line of the part in the other note, if the note has it. */
  readonly line: number | undefined;
}

export interface LinkOut extends ResolvedLink {
  /** The text that an embed of a note shows; undefined for other links. */
  readonly text: string | undefined;
  /** The links of that text, which are relative to the embedded note. */
  readonly inside: readonly ResolvedLink[] | undefined;
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
/** Notes that are read for the parts and embeds of one note; other links lead to the beginning of their note. */
const MOST_PARTS = 200;
const MAX_EMBED = 20_000;
const MAX_LINE = 300;
const AT_ONCE = 16;

/** The links of one note and its backlinks, among the visible files of the commit. */
export async function linksOfNote(
  repo: Repo,
  index: NoteIndex,
  at: Oid,
  sees: ReadScope,
  path: string,
  patience = Number.POSITIVE_INFINITY,
): Promise<NoteLinks> {
  const written = unique(linksIn(await readNoteText(repo, at, path)).slice(0, MOST_OF_ONE));
  const own = fileNameKey(path);
  const names = new Set([own, ...written.flatMap(namesMeant)]);
  const targets = await index.withFiles(at, (files) => linkTargets(visible(files, sees), names));
  const { notes, reading } = await index.matching(at, [linkKey(own)], sees, patience);
  const linking = notes
    .map(({ text }) => text)
    .filter((note) => note.path !== path)
    .toSorted((a, b) => compareUtf8(a.path, b.path));
  const backlinks = await readBacklinks(repo, at, linking, targets, path);
  const links = await withLines(
    repo,
    at,
    written.map((link) => ({ ...link, to: resolveLink(targets, path, link) })),
  );
  return {
    links: await withLinksInside({ repo, index, at, sees }, links),
    backlinks: backlinks.slice(0, MOST_BACKLINKS),
    more: backlinks.length > MOST_BACKLINKS,
    reading,
  };
}

/** The files that an identity may read: notes, and attachments in the folders of its notes. */
function* visible(files: Iterable<string>, sees: ReadScope): Generator<string> {
  for (const path of files) if (sees.file(path)) yield path;
}

const unique = (links: readonly NoteLink[]): readonly NoteLink[] => [
  ...new Map(links.map((link) => [`${link.kind} ${link.target}#${link.part} ${link.isEmbed}`, link])).values(),
];

async function withLines(
  repo: Repo,
  at: Oid,
  links: readonly (NoteLink & { readonly to: string | undefined })[],
): Promise<Omit<LinkOut, "inside">[]> {
  const texts = new Map<string, string>();
  const found: Omit<LinkOut, "inside">[] = [];
  for (const { target, part, kind, isEmbed, to } of links) {
    let [line, text]: [number?, string?] = [];
    if (to !== undefined && (part !== "" || isEmbed) && isNoteFile(to) && (texts.has(to) || texts.size < MOST_PARTS)) {
      const whole = texts.get(to) ?? (await readNoteText(repo, at, to));
      texts.set(to, whole);
      const lines = part === "" ? undefined : linesOfPart(whole, part);
      line = lines?.first;
      if (isEmbed) text = embeddedText(whole, lines);
    }
    found.push({ target, part, kind, to, line, text });
  }
  return found;
}

/** Resolves the links of embedded texts. An embed inside of one is a link, so that a circle ends. */
async function withLinksInside(
  { repo, index, at, sees }: { repo: Repo; index: NoteIndex; at: Oid; sees: ReadScope },
  links: readonly Omit<LinkOut, "inside">[],
): Promise<LinkOut[]> {
  const inside = links.map(({ text }) =>
    unique(
      linksIn(text ?? "")
        .slice(0, MOST_OF_ONE)
        .map((link) => ({ ...link, isEmbed: false })),
    ),
  );
  if (inside.flat().length === 0) return links.map((link) => ({ ...link, inside: undefined }));
  const names = new Set(inside.flat().flatMap(namesMeant));
  const targets = await index.withFiles(at, (files) => linkTargets(visible(files, sees), names));
  const all: LinkOut[] = [];
  for (const [place, link] of links.entries()) {
    const written = inside[place]!.map((each) => ({ ...each, to: resolveLink(targets, link.to!, each) }));
    const resolved = (await withLines(repo, at, written)).map(({ target, part, kind, to, line }) => ({
      target,
      part,
      kind,
      to,
      line,
    }));
    all.push({ ...link, inside: resolved.length === 0 ? undefined : resolved });
  }
  return all;
}

const isNoteFile = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);

function embeddedText(text: string, lines: NotePartLines | undefined): string {
  const body = lines
    ? text
        .split("\n")
        .slice(lines.first - 1, lines.last)
        .join("\n")
    : (splitFrontMatter(text)?.body ?? text);
  return body.slice(0, MAX_EMBED).toWellFormed();
}

/** Up to `MOST_BACKLINKS` + 1 links in these notes that resolve to `here`. The index knows hashes only, so each note is read. */
async function readBacklinks(
  repo: Repo,
  at: Oid,
  notes: readonly IndexedNote[],
  targets: LinkTargets,
  here: string,
): Promise<LinkIn[]> {
  const own = fileNameKey(here);
  const found: LinkIn[] = [];
  for (let from = 0; from < notes.length && found.length <= MOST_BACKLINKS; from += AT_ONCE) {
    const group = notes.slice(from, from + AT_ONCE);
    const texts = await Promise.all(group.map(({ path }) => readNoteText(repo, at, path)));
    for (const [place, { path }] of group.entries()) {
      const text = texts[place]!;
      const lines = text.split("\n");
      for (const link of linksIn(text).slice(0, MOST_OF_ONE)) {
        if (found.length > MOST_BACKLINKS) break;
        if (!namesMeant(link).includes(own) || resolveLink(targets, path, link) !== here) continue;
        const line = (lines[link.line - 1] ?? "").trim().slice(0, MAX_LINE).toWellFormed();
        found.push({ path, title: fileTitle(path).toWellFormed(), line: link.line, text: line });
      }
    }
  }
  return found;
}
