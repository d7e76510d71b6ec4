import { compareUtf8 } from "../../../base/order.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { ReadScope } from "../../core/access/read-scope.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { noNote } from "../../records/notes/read-notes.ts";
import type { IndexProgress } from "../search/commit-notes.ts";
import { fileTitle } from "../search/note-facts.ts";
import { mapNotes } from "../search/note-map.ts";

/** A tag with the number of notes that have it or a tag below it (`bees` counts `bees/honey`). */
export interface TagCount {
  readonly tag: string;
  readonly notes: number;
}

interface Mapped {
  readonly commit: Oid;
  readonly reading: IndexProgress | undefined;
}

/** All tags of the visible notes, in order of name; tags that differ in case only are one, written as the first note does. */
export async function listTags(
  garden: Pick<Garden, "repo">,
  sees: ReadScope,
): Promise<Mapped & { readonly tags: readonly TagCount[] }> {
  const commit = await headOf(garden.repo);
  const { notes, reading } = await mapNotes(garden, commit, sees);
  const found = new Map<string, { tag: string; notes: number }>();
  for (const { tags } of notes) {
    const own = new Map<string, string>();
    for (const tag of tags) for (const each of withAbove(tag)) own.set(each.toLowerCase(), each);
    for (const [key, tag] of own) {
      const known = found.get(key);
      if (known) known.notes++;
      else found.set(key, { tag, notes: 1 });
    }
  }
  return { commit, reading, tags: [...found.values()].toSorted((a, b) => compareUtf8(a.tag, b.tag)) };
}

/** `a/b/c` → `a`, `a/b`, `a/b/c`. */
const withAbove = (tag: string): string[] => {
  const parts = tag.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
};

/** The visible notes with a tag or a tag below it, in order of path. */
export async function notesWithTag(
  garden: Pick<Garden, "repo">,
  sees: ReadScope,
  tag: string,
): Promise<
  Mapped & {
    readonly notes: readonly { readonly path: string; readonly title: string; readonly tags: readonly string[] }[];
  }
> {
  const commit = await headOf(garden.repo);
  const { notes, reading } = await mapNotes(garden, commit, sees);
  const wanted = tag.toLowerCase();
  const has = (each: string): boolean => each.toLowerCase() === wanted || each.toLowerCase().startsWith(`${wanted}/`);
  return {
    commit,
    reading,
    notes: notes
      .filter(({ tags }) => tags.some(has))
      .map(({ path, tags }) => ({ path, title: fileTitle(path).toWellFormed(), tags }))
      .toSorted((a, b) => compareUtf8(a.path, b.path)),
  };
}

/** Notes and the links between them. A link names two positions in `notes`. */
export interface NoteGraph extends Mapped {
  readonly notes: readonly { readonly path: string; readonly title: string }[];
  readonly links: readonly { readonly from: number; readonly to: number }[];
  /** Notes that did not fit. */
  readonly left: number;
}

/** More notes cannot be told apart on a screen; those with the fewest links are left out. */
const MOST_NOTES = 5000;

/** The links between the visible notes; with `around`, only of the notes within `depth` links of that note. Throws NOT_FOUND. */
export async function noteGraph(
  garden: Pick<Garden, "repo">,
  sees: ReadScope,
  asked: { readonly around?: string | undefined; readonly depth: number },
): Promise<NoteGraph> {
  const commit = await headOf(garden.repo);
  const { notes: all, reading } = await mapNotes(garden, commit, sees);
  const known = new Map(all.map((note) => [note.path, note]));
  if (asked.around !== undefined && !known.has(asked.around)) throw noNote(asked.around);
  const beside = neighboursOf(all);
  const near = asked.around === undefined ? known.keys() : within(beside, asked.around, asked.depth);
  const chosen = [...near]
    .toSorted((a, b) => (beside.get(b)?.size ?? 0) - (beside.get(a)?.size ?? 0) || compareUtf8(a, b))
    .slice(0, MOST_NOTES);
  const place = new Map(chosen.map((path, index) => [path, index]));
  const links = chosen.flatMap((path, from) =>
    known.get(path)!.to.flatMap((to) => (place.has(to) ? [{ from, to: place.get(to)! }] : [])),
  );
  return {
    commit,
    reading,
    notes: chosen.map((path) => ({ path, title: fileTitle(path).toWellFormed() })),
    links,
    left: asked.around === undefined ? all.length - chosen.length : 0,
  };
}

function neighboursOf(notes: readonly { readonly path: string; readonly to: readonly string[] }[]) {
  const beside = new Map<string, Set<string>>(notes.map(({ path }) => [path, new Set()]));
  for (const { path, to } of notes)
    for (const other of to) {
      beside.get(path)?.add(other);
      beside.get(other)?.add(path);
    }
  return beside;
}

function within(beside: ReadonlyMap<string, ReadonlySet<string>>, start: string, depth: number): Set<string> {
  const found = new Set([start]);
  let edge = [start];
  for (let step = 0; step < depth; step++) {
    const next = edge.flatMap((path) => [...(beside.get(path) ?? [])]).filter((path) => !found.has(path));
    for (const path of next) found.add(path);
    edge = [...new Set(next)];
  }
  return found;
}
