import { setImmediate as turn } from "node:timers/promises";
import type { Oid } from "../../../domain/git/git-names.ts";
import { isNotePath } from "../../../domain/note/note-path.ts";
import { type NoteTree, newNoteTree } from "../../../domain/note/note-tree.ts";
import { newPostings } from "../../../domain/search/postings.ts";
import type { Repo, TreeFile } from "../../../ports/repo.ts";
import { textOf } from "../../changes/effect/note-target.ts";
import type { Sight } from "../../core/access/sight.ts";
import type { Garden } from "../../core/garden.ts";
import { keysOf } from "./note-keys.ts";

/**
 * All notes of one commit: the folders they lie in, and what each of them can be found by. It follows from commit to commit by what
 * changed between them. Texts are read in the background, a little at a time, so that everything else goes on meanwhile; what was read
 * is known by the id of its bytes. All of it can be forgotten at any moment (G-3), and answers are a function of the commit.
 */
export interface NoteIndex {
  /** Looks at the folders of a commit. No note is read for that. */
  readonly inFolders: <T>(at: Oid, look: (tree: NoteTree) => T) => Promise<T>;
  /**
   * The notes among those that may be seen which have any of these keys. Waits until `patience` more notes were read, or all; where it
   * did not come so far, `reading` says how far it is.
   */
  readonly having: (at: Oid, keys: readonly number[], sees: Sight, patience: number) => Promise<Having>;
}

export interface Having {
  readonly notes: readonly Found[];
  /** Of all notes that were looked through, and all terms in them. */
  readonly looked: number;
  readonly terms: number;
  readonly reading: Reading | undefined;
}

export interface Found {
  readonly text: FoundText;
  /** How often each key stands there, in the order in which they were asked for. */
  readonly counts: readonly number[];
}

export interface FoundText {
  readonly path: string;
  readonly title: string;
  /** In terms. */
  readonly length: number;
}

/** So many notes of so many were read. */
export interface Reading {
  readonly done: number;
  readonly total: number;
}

/** Keys of all texts that are remembered together. Beyond that, notes are read anew for every question. */
const MOST_KEYS = 30_000_000;
const AT_ONCE = 64;
/** Characters of text that are worked through before others get their turn. */
const BREATH = 32_768;
const MANY = 4096;
/** Texts that no note has any more, beyond as many as there are notes. */
const SPARE = 4096;

const indexes = new WeakMap<Repo, Map<string, NoteIndex>>();

export function noteIndex({ repo, config }: Pick<Garden, "repo" | "config">): NoteIndex {
  const known = indexes.get(repo) ?? new Map<string, NoteIndex>();
  indexes.set(repo, known);
  const index = known.get(config.notes_root) ?? newNoteIndex(repo, config.notes_root);
  known.set(config.notes_root, index);
  return index;
}

interface Remembered extends FoundText {
  /** Whether a note of the commit has this text. */
  isLive: boolean;
}

export function newNoteIndex(
  repo: Repo,
  root: string,
  { most = MOST_KEYS, spare = SPARE }: { readonly most?: number; readonly spare?: number } = {},
): NoteIndex {
  const top = root === "." ? "" : root;
  const postings = newPostings();
  /** By number; a number is never used twice. */
  const texts: (Remembered | undefined)[] = [];
  const numbers = new Map<string, number>();
  const pace = pacer();
  let tree = newNoteTree();
  let files = new Map<string, Oid>();
  /** The notes of the commit that are remembered, each by the number of its text, and those that are still to be read. */
  let live = new Map<string, number>();
  let unread = new Set<string>();
  let terms = 0;
  let settled: Oid | undefined;
  let moving: Promise<void> = Promise.resolve();
  let isReading = false;
  let waiting: { resolve: (read: number) => void; reject: (error: unknown) => void }[] = [];

  const isFull = (): boolean => postings.size() >= most;

  function come(path: string, oid: Oid): void {
    files.set(path, oid);
    tree.add(path);
    const number = numbers.get(keyOf(path, oid));
    if (number === undefined) unread.add(path);
    else enliven(path, number);
  }

  function enliven(path: string, number: number): void {
    unread.delete(path);
    live.set(path, number);
    texts[number]!.isLive = true;
    terms += texts[number]!.length;
  }

  function leave(path: string): void {
    files.delete(path);
    unread.delete(path);
    tree.remove(path);
    const number = live.get(path);
    if (number === undefined) return;
    live.delete(path);
    texts[number]!.isLive = false;
    terms -= texts[number]!.length;
  }

  async function begin(at: Oid): Promise<void> {
    for (const number of live.values()) texts[number]!.isLive = false;
    [tree, files, live, unread, terms] = [newNoteTree(), new Map(), new Map(), new Set(), 0];
    const all = await repo.list(at, top);
    for (const [place, file] of all.entries()) {
      if (isNote(file, root)) come(file.path, file.oid);
      if (place % MANY === MANY - 1) await turn();
    }
  }

  async function follow(from: Oid, to: Oid): Promise<void> {
    const changes = await repo.changes(from, to, top);
    settled = undefined; // from here on it is neither the one nor the other
    for (const [place, { path, before, after }] of changes.entries()) {
      if (before && files.has(path)) leave(path);
      if (after && isNote({ path, ...after }, root)) come(path, after.oid);
      if (place % MANY === MANY - 1) await turn();
    }
  }

  /** One after the other; the last one who asked is where it stands. */
  function moveTo(at: Oid): Promise<void> {
    const move = async (): Promise<void> => {
      if (settled === at) return;
      const from = settled;
      // Where it came from may be gone, as after a history was rewritten.
      if (from === undefined) await begin(at);
      else await follow(from, at).catch(() => begin(at));
      settled = at;
      await forgetDead();
    };
    moving = moving.then(move, move);
    return moving;
  }

  /** Texts that no note has any more are kept for a while: what was undone is known again. */
  async function forgetDead(): Promise<void> {
    if (numbers.size <= 2 * live.size + spare) return;
    const keeps = new Set(live.values());
    for (const [key, number] of numbers) {
      if (keeps.has(number)) continue;
      numbers.delete(key);
      texts[number] = undefined;
    }
    const last = texts.length;
    let done = 0;
    for (const _ of postings.keepOnly((number) => number >= last || keeps.has(number)))
      if (++done % MANY === 0) await turn();
  }

  async function readSome(at: Oid): Promise<number> {
    const some = firstOf(unread, AT_ONCE).map((path) => ({ path, oid: files.get(path)! }));
    const read = await Promise.all(some.map(({ path }) => repo.read(at, path)));
    for (const [place, { path, oid }] of some.entries()) {
      // A name that is no UTF-8 cannot be read by; such a note is found by what its name shows.
      await remember(path, oid, textOf(read[place]?.bytes ?? new Uint8Array()) ?? "");
      const number = numbers.get(keyOf(path, oid));
      // Another commit may have come meanwhile.
      if (number !== undefined && files.get(path) === oid && !live.has(path)) enliven(path, number);
    }
    return some.length;
  }

  async function remember(path: string, oid: Oid, text: string): Promise<void> {
    const key = keyOf(path, oid);
    if (numbers.has(key)) return;
    const { title, length, keys } = await keysOf(path, text, pace);
    if (numbers.has(key)) return;
    const number = texts.push({ path, title, length, isLive: false }) - 1;
    numbers.set(key, number);
    for (const [hash, count] of keys) postings.add(hash, number, count);
  }

  /** Goes on until all is read, or memory is full, whether somebody waits for it or not. */
  async function readAll(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      while (unread.size > 0 && !isFull()) {
        await moving.catch(() => undefined);
        if (settled === undefined) return tell((asker) => asker.resolve(0)); // whoever asked finds out why
        const read = await readSome(settled);
        tell((asker) => asker.resolve(read));
      }
      tell((asker) => asker.resolve(0));
    } catch (error) {
      tell((asker) => asker.reject(error));
    } finally {
      isReading = false;
    }
  }

  function tell(how: (asker: (typeof waiting)[number]) => void): void {
    const told = waiting;
    waiting = [];
    for (const asker of told) how(asker);
  }

  /** Looks at the commit when enough of it is read; nothing else happens while `look` looks. */
  async function look<T>(at: Oid, patience: number, looking: () => T): Promise<T> {
    let left = patience;
    for (;;) {
      await moveTo(at);
      if (settled !== at) continue;
      if (left <= 0 || unread.size === 0 || isFull()) return looking();
      const some = new Promise<number>((resolve, reject) => waiting.push({ resolve, reject }));
      void readAll();
      left -= await some;
    }
  }

  function remembered(keys: readonly number[], sees: Sight): Having {
    const isAll = sees.folders === "all";
    /** Of every text: where it stands among those that were found, from 1. */
    const places = new Uint32Array(texts.length);
    const none = keys.map(() => 0);
    const notes: { text: Remembered; counts: number[] }[] = [];
    for (const [key, hash] of keys.entries())
      postings.each(hash, (number, count) => {
        const text = texts[number];
        if (text?.isLive !== true || !(isAll || sees(text.path))) return;
        if (places[number] === 0) places[number] = notes.push({ text, counts: none.slice() });
        notes[places[number]! - 1]!.counts[key] = count;
      });
    // Whoever sees some folders only is told of those only.
    const inSight = sees.folders === "all" ? undefined : [...live].filter(([path]) => sees(path));
    const total = sees.folders === "all" ? files.size : sees.folders.reduce((sum, each) => sum + tree.count(each), 0);
    const looked = inSight?.length ?? live.size;
    return {
      notes,
      looked,
      terms: inSight?.reduce((sum, [, number]) => sum + texts[number]!.length, 0) ?? terms,
      reading: looked === total || isFull() ? undefined : { done: looked, total },
    };
  }

  return {
    inFolders: (at, looking) => look(at, 0, () => looking(tree)),
    async having(at, keys, sees, patience) {
      const { known, rest } = await look(at, patience, () => ({
        known: remembered(keys, sees),
        rest: isFull() ? [...unread].filter(sees) : [],
      }));
      if (rest.length === 0) return known;
      const notes = [...known.notes];
      let more = 0;
      for (const path of rest) {
        const text = textOf((await repo.read(at, path))?.bytes ?? new Uint8Array()) ?? "";
        const { title, length, keys: there } = await keysOf(path, text, pace);
        more += length;
        const counts = keys.map((key) => there.get(key) ?? 0);
        if (counts.some((count) => count > 0)) notes.push({ text: { path, title, length }, counts });
      }
      return { ...known, notes, looked: known.looked + rest.length, terms: known.terms + more };
    },
  };
}

const isNote = ({ path, mode }: Pick<TreeFile, "path" | "mode">, root: string): boolean =>
  mode !== "120000" && mode !== "160000" && isNotePath(path, root);

/** The path is searched too, and one text may lie in two places. */
const keyOf = (path: string, oid: Oid): string => `${oid} ${path}`;

function firstOf(set: ReadonlySet<string>, most: number): string[] {
  const first: string[] = [];
  for (const each of set) {
    if (first.length >= most) break;
    first.push(each);
  }
  return first;
}

/** Lets others in after every so many characters. */
function pacer(): (length: number) => Promise<void> {
  let done = 0;
  return async (length) => {
    done += length;
    if (done < BREATH) return;
    done = 0;
    await turn();
  };
}
