import { setImmediate as nextTurn } from "node:timers/promises";
import type { Oid } from "../../../domain/git/git-names.ts";
import { type NoteTree, newNoteTree } from "../../../domain/note/note-tree.ts";
import { newPostings } from "../../../domain/search/postings.ts";
import type { ReadScope } from "../../core/access/read-scope.ts";
import type { StoredNote, StoredPart } from "./index-files.ts";
import type { NoteKeys } from "./note-keys.ts";

export interface IndexedNote {
  readonly path: string;
  readonly title: string;
  /** Number of terms. */
  readonly length: number;
}

export interface NoteMatch {
  readonly text: IndexedNote;
  /** Occurrences of each key, in the order of the question. */
  readonly counts: readonly number[];
}

export interface NoteMatches {
  readonly notes: readonly NoteMatch[];
  /** Number of notes searched, and of all terms in them. */
  readonly looked: number;
  readonly terms: number;
  readonly reading: IndexProgress | undefined;
}

/** Notes read so far, of all notes. */
export interface IndexProgress {
  readonly done: number;
  readonly total: number;
}

export interface CacheLimits {
  /** Postings of all cached notes together. When reached, no further note is cached. */
  readonly most: number;
  /** Cached notes that no path of the commit uses, beyond the number of live ones. */
  readonly spare: number;
  /** Notes that are worth a file on disk; reading fewer again takes less than a second. */
  readonly worthAFile: number;
}

interface CachedNote extends IndexedNote {
  readonly oid: Oid;
  /** A note of the current commit has this text. */
  isLive: boolean;
}

/** The numbers of the notes of one packed part. */
export interface PartPlace {
  readonly from: number;
  readonly to: number;
}

/** Loose postings that are packed together: about three thousand notes of 120 words. */
const PACKED_TOGETHER = 250_000;

/** Entries processed between two turns of the event loop. */
export const ENTRIES_PER_TURN = 4096;

/**
 * The notes of one commit: their folders, and the search keys of those read so far. Keys are cached by path and blob id, so a note
 * that comes back (a reverted edit) is not read again.
 */
export class CommitNotes {
  readonly #limits: CacheLimits;
  readonly #postings = newPostings();
  /** By number; a number is never reused. */
  readonly #cache: (CachedNote | undefined)[] = [];
  /** Numbers by path: one for each cached text of it. */
  readonly #numbers = new Map<string, number | number[]>();
  #cached = 0;
  /** The first number whose postings are not packed. */
  #loose = 0;
  #tree = newNoteTree();
  #blobs = new Map<string, Oid>();
  /** Files that are no notes: targets of links. */
  #others = new Set<string>();
  /** Cached notes of the commit: path to number. */
  #live = new Map<string, number>();
  #unread = new Set<string>();
  #terms = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  get tree(): NoteTree {
    return this.#tree;
  }

  get unread(): ReadonlySet<string> {
    return this.#unread;
  }

  get isFull(): boolean {
    return this.#postings.size() >= this.#limits.most;
  }

  blobOf(path: string): Oid | undefined {
    return this.#blobs.get(path);
  }

  isCached(path: string, oid: Oid): boolean {
    return this.#numberOf(path, oid) !== undefined;
  }

  /** Forgets the commit; the cache stays. */
  clear(): void {
    for (const number of this.#live.values()) this.#cache[number]!.isLive = false;
    this.#tree = newNoteTree();
    this.#blobs = new Map();
    this.#others = new Set();
    this.#live = new Map();
    this.#unread = new Set();
    this.#terms = 0;
  }

  add(path: string, oid: Oid): void {
    const number = this.#numberOf(path, oid);
    const known = number === undefined ? { path, oid } : this.#cache[number]!; // one copy of each string
    this.#blobs.set(known.path, known.oid);
    this.#tree.add(known.path);
    if (number === undefined) this.#unread.add(path);
    else this.#enliven(known.path, number);
  }

  addOther(path: string): void {
    this.#others.add(path);
  }

  /** Every file of the commit: notes and others. */
  *files(): Generator<string> {
    yield* this.#blobs.keys();
    yield* this.#others;
  }

  remove(path: string): void {
    this.#others.delete(path);
    if (!this.#blobs.delete(path)) return;
    this.#unread.delete(path);
    this.#tree.remove(path);
    const number = this.#live.get(path);
    if (number === undefined) return;
    this.#live.delete(path);
    this.#cache[number]!.isLive = false;
    this.#terms -= this.#cache[number]!.length;
  }

  /** Caches the keys of a note. The index may have moved to another commit since the read: then the note is not made live. */
  cache(path: string, oid: Oid, { title, length, keys }: NoteKeys): void {
    const number = this.#store({ path, oid, title, length, isLive: false });
    for (const [hash, count] of keys) this.#postings.add(hash, number, count);
    if (this.#blobs.get(path) === oid && !this.#live.has(path)) this.#enliven(path, number);
  }

  /** Packs the notes cached since the last call, if there are enough of them, and returns them for the disk. */
  pack({ isLast }: { readonly isLast: boolean }): { readonly part: StoredPart; readonly at: PartPlace } | undefined {
    const count = this.#cache.length - this.#loose;
    if (this.#postings.loose() < PACKED_TOGETHER && !(isLast && count >= this.#limits.worthAFile)) return undefined;
    const notes = this.#cache.slice(this.#loose).map((note): StoredNote => {
      return note ? [note.path, note.oid, note.title, note.length] : ["", "", "", 0]; // evicted: its postings are gone too
    });
    const at = { from: this.#loose, to: this.#cache.length };
    const segment = this.#postings.seal(this.#loose);
    this.#loose = at.to;
    return { part: { notes, segment }, at };
  }

  /** Adds packed notes. Must come before `cache`. Notes that are known already are skipped. */
  adopt({ notes, segment }: StoredPart): PartPlace {
    const base = this.#cache.length;
    for (const [path, oid, title, length] of notes) {
      if (path === "" || this.isCached(path, oid)) this.#cache.push(undefined);
      else this.#store({ path, oid, title, length, isLive: false });
    }
    this.#postings.adopt(segment, base);
    this.#loose = this.#cache.length;
    return { from: base, to: this.#loose };
  }

  /** The share of the notes of a part that the commit has, from 0 to 1. */
  liveShare({ from, to }: PartPlace): number {
    const live = this.#cache.slice(from, to).filter((note) => note?.isLive === true).length;
    return live / Math.max(1, to - from);
  }

  /** Evicts cached notes that no path of the commit uses, once there are more of them than live ones plus `spare`. */
  async evictDead(): Promise<void> {
    if (this.#cached <= 2 * this.#live.size + this.#limits.spare) return;
    const keeps = new Set(this.#live.values());
    for (const [path, known] of this.#numbers) {
      const numbers = typeof known === "number" ? [known] : known;
      const [kept] = numbers.filter((number) => keeps.has(number)); // a path has one live text
      if (kept === undefined) this.#numbers.delete(path);
      else this.#numbers.set(path, kept);
      for (const number of numbers) if (number !== kept) this.#cache[number] = undefined;
    }
    this.#cached = this.#numbers.size;
    const end = this.#cache.length; // notes cached while this runs are kept
    let done = 0;
    for (const _ of this.#postings.keepOnly((number) => number >= end || keeps.has(number)))
      if (++done % ENTRIES_PER_TURN === 0) await nextTurn();
  }

  /** Cached notes with any of these keys, among those that may be seen. Counts of a guest cover the folders of the zone only. */
  find(keys: readonly number[], sees: ReadScope): NoteMatches {
    const inSight = sees.folders === "all" ? undefined : [...this.#live].filter(([path]) => sees(path));
    const total =
      sees.folders === "all" ? this.#blobs.size : sees.folders.reduce((sum, each) => sum + this.#tree.count(each), 0);
    const looked = inSight?.length ?? this.#live.size;
    return {
      notes: this.#matches(keys, sees),
      looked,
      terms: inSight?.reduce((sum, [, number]) => sum + this.#cache[number]!.length, 0) ?? this.#terms,
      reading: looked === total || this.isFull ? undefined : { done: looked, total },
    };
  }

  #matches(keys: readonly number[], sees: ReadScope): readonly NoteMatch[] {
    const isAll = sees.folders === "all";
    /** Cache number to position in `notes`, counted from 1. */
    const places = new Uint32Array(this.#cache.length);
    const none = keys.map(() => 0);
    const notes: { text: CachedNote; counts: number[] }[] = [];
    for (const [key, hash] of keys.entries())
      this.#postings.each(hash, (number, count) => {
        const text = this.#cache[number];
        if (text?.isLive !== true || !(isAll || sees(text.path))) return;
        if (places[number] === 0) places[number] = notes.push({ text, counts: none.slice() });
        notes[places[number]! - 1]!.counts[key] = count;
      });
    return notes;
  }

  #store(note: CachedNote): number {
    const number = this.#cache.push(note) - 1;
    const known = this.#numbers.get(note.path);
    if (known === undefined) this.#numbers.set(note.path, number);
    else this.#numbers.set(note.path, typeof known === "number" ? [known, number] : [...known, number]);
    this.#cached++;
    return number;
  }

  /** The path is part of the key: it is searched too, and one blob may lie at two paths. */
  #numberOf(path: string, oid: Oid): number | undefined {
    const known = this.#numbers.get(path);
    if (known === undefined) return undefined;
    const numbers = typeof known === "number" ? [known] : known;
    return numbers.find((number) => this.#cache[number]!.oid === oid);
  }

  #enliven(path: string, number: number): void {
    this.#unread.delete(path);
    this.#live.set(path, number);
    this.#cache[number]!.isLive = true;
    this.#terms += this.#cache[number]!.length;
  }
}
