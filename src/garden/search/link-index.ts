import type { Oid } from "../../domain/git-names.ts";
import { leadsTo, linksIn } from "../../domain/note-links.ts";
import { titleIn } from "../../domain/search/passages.ts";
import type { Repo, TreeFile } from "../../ports/repo.ts";
import { textOf } from "../effect/note-target.ts";
import { fileTitle } from "./note-facts.ts";

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
}

/**
 * What is remembered of a text, known by the id of its bytes and its path: where its links lead, so that a new commit costs only the
 * notes that it changed. All of it can be forgotten at any moment (G-3).
 */
interface Indexed {
  readonly title: string;
  /** Of every link: `/path`, or `=name` as names are compared. */
  readonly keys: readonly string[];
  readonly lines: readonly number[];
}

interface Memory {
  readonly texts: Map<string, Indexed>;
  links: number;
}

const MOST_LINKS = 1_000_000;
const MOST_OF_ONE = 5000;
const MOST_BACKLINKS = 200;
const MAX_LINE = 300;
const AT_ONCE = 64;
const memories = new WeakMap<Repo, Memory>();

/** The links of one note and those that lead to it, among the files of the commit that the asker may read. */
export async function linksOfNote(
  repo: Repo,
  at: Oid,
  files: readonly TreeFile[],
  path: string,
  most = MOST_LINKS,
): Promise<NoteLinks> {
  const text = textOf((await repo.read(at, path))?.bytes ?? new Uint8Array()) ?? "";
  const written = linksIn(text).slice(0, MOST_OF_ONE);
  const names = new Map<string, string[]>(
    written.filter(({ kind }) => kind === "name").map(({ target }) => [plain(target), []]),
  );
  const here = new Set([
    `/${path.normalize("NFC")}`,
    `/${bare(path)}`,
    ...namesOf(path, title(path, text)).map(byName),
  ]);
  const there = new Map<string, string>();
  const found: { path: string; title: string; line: number }[] = [];
  for await (const { file, index } of eachIndexed(repo, at, files, most)) {
    const known = file.path.normalize("NFC");
    there.set(known, file.path);
    for (const name of namesOf(file.path, index.title)) names.get(name)?.push(file.path);
    if (file.path === path) continue;
    for (const [place, key] of index.keys.entries())
      if (found.length <= MOST_BACKLINKS && here.has(key))
        found.push({ path: file.path, title: index.title, line: index.lines[place]! });
  }
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const seen = new Map<string, LinkOut>();
  for (const { target, kind } of written) {
    const options = kind === "name" ? (names.get(plain(target)) ?? []) : [];
    const to =
      kind === "name"
        ? (options.find((each) => each.startsWith(folder)) ?? options[0])
        : fileAt(leadsTo(path, target), there);
    seen.set(`${kind} ${target}`, { target, kind, to });
  }
  const told = found.slice(0, MOST_BACKLINKS);
  return {
    links: [...seen.values()],
    backlinks: await withLines(repo, at, told),
    more: found.length > told.length,
  };
}

const fileAt = (path: string | undefined, there: ReadonlyMap<string, string>): string | undefined =>
  path === undefined ? undefined : (there.get(path) ?? there.get(`${path}.md`));

async function withLines(
  repo: Repo,
  at: Oid,
  found: readonly { readonly path: string; readonly title: string; readonly line: number }[],
): Promise<LinkIn[]> {
  const texts = new Map<string, readonly string[]>();
  const told: LinkIn[] = [];
  for (const { path, title: named, line } of found) {
    if (!texts.has(path))
      texts.set(path, (textOf((await repo.read(at, path))?.bytes ?? new Uint8Array()) ?? "").split("\n"));
    const text = (texts.get(path)![line - 1] ?? "").trim().slice(0, MAX_LINE).toWellFormed();
    told.push({ path, title: named, line, text });
  }
  return told;
}

async function* eachIndexed(
  repo: Repo,
  at: Oid,
  files: readonly TreeFile[],
  most: number,
): AsyncGenerator<{ readonly file: TreeFile; readonly index: Indexed }> {
  const memory = memories.get(repo) ?? { texts: new Map<string, Indexed>(), links: 0 };
  memories.set(repo, memory);
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const group = files.slice(from, from + AT_ONCE);
    const indexes = await Promise.all(group.map((file) => indexed(repo, at, file, memory)));
    for (const [place, file] of group.entries()) yield { file, index: indexes[place]! };
    for (const [key, { keys }] of memory.texts) {
      if (memory.links <= most) break;
      memory.texts.delete(key);
      memory.links -= keys.length + 1;
    }
  }
}

async function indexed(repo: Repo, at: Oid, file: TreeFile, memory: Memory): Promise<Indexed> {
  const key = `${file.oid} ${file.path}`; // where a link leads depends on where it stands
  const known = memory.texts.get(key);
  if (known) return known;
  const text = textOf((await repo.read(at, file.path))?.bytes ?? new Uint8Array()) ?? "";
  const links = linksIn(text).slice(0, MOST_OF_ONE);
  const made: Indexed = {
    title: title(file.path, text),
    keys: links.map(({ kind, target }) =>
      kind === "name" ? byName(plain(target)) : `/${leadsTo(file.path, target) ?? ""}`,
    ),
    lines: links.map(({ line }) => line),
  };
  if (!memory.texts.has(key)) memory.links += made.keys.length + 1;
  memory.texts.set(key, made);
  return made;
}

const MAX_TITLE = 200;
const title = (path: string, text: string): string =>
  (titleIn(text) ?? fileTitle(path)).slice(0, MAX_TITLE).toWellFormed();
const bare = (path: string): string => path.normalize("NFC").replace(/\.(?:md|markdown)$/i, "");
/** What a note is called in `[[…]]`: by its file, its title or its path. */
const namesOf = (path: string, titled: string): string[] => [
  ...new Set([fileTitle(path), titled, path, bare(path)].map(plain)),
];
const byName = (name: string): string => `=${name}`;
const plain = (name: string): string => name.normalize("NFC").trim().toLowerCase();
