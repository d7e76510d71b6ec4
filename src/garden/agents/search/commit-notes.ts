import { setImmediate as nextTurn } from "node:timers/promises";
import type { Oid } from "../../../domain/git/git-names.ts";
import { type NoteTree, newNoteTree } from "../../../domain/note/note-tree.ts";
import { newPostings } from "../../../domain/search/postings.ts";
import type { ReadScope } from "../../core/access/read-scope.ts";
import type { StoredNote, StoredPart } from "./index-files.ts";
import type { NoteKeys } from "./note-keys.ts";
import { NoteTable } from "./note-table.ts";

export interface IndexedNote {
  readonly path: string;
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
  readonly #table = new NoteTable();
  /** Numbers by path: one for each cached text of it. At most one of them is live. */
  readonly #numbers = new Map<string, number | number[]>();
  #cached = 0;
  /** The first number whose postings are not packed. */
  #loose = 0;
  #tree = newNoteTree();
  /** Files that are no notes: targets of links. */
  #others = new Set<string>();
  /** Number of cached notes of the commit. */
  #live = 0;
  /** Notes of the commit that are not cached, with their blobs. */
  #unread = new Map<string, Oid>();
  #terms = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  get tree(): NoteTree {
    return this.#tree;
  }

  get unread(): ReadonlyMap<string, Oid> {
    return this.#unread;
  }

  get isFull(): boolean {
    return this.#postings.size() >= this.#limits.most;
  }

  isCached(path: string, oid: Oid): boolean {
    return this.#numberOf(path, oid) !== undefined;
  }

  /** Forgets the commit; the cache stays. */
  clear(): void {
    this.#table.killAll();
    this.#tree = newNoteTree();
    this.#others = new Set();
    this.#live = 0;
    this.#unread = new Map();
    this.#terms = 0;
  }

  add(path: string, oid: Oid): void {
    const number = this.#numberOf(path, oid);
    if (number === undefined) this.#unread.set(path, oid);
    else this.#enliven(path, number);
    this.#tree.add(number === undefined ? path : this.#table.path(number)!); // one copy of each string
  }

  addOther(path: string): void {
    this.#others.add(path);
  }

  /** Every file of the commit: notes and others. */
  *files(): Generator<string> {
    for (const [path] of this.#livePaths()) yield path;
    yield* this.#unread.keys();
    yield* this.#others;
  }

  remove(path: string): void {
    this.#others.delete(path);
    const number = this.#liveNumber(path);
    if (!this.#unread.delete(path) && number === undefined) return;
    this.#tree.remove(path);
    if (number === undefined) return;
    this.#live--;
    this.#table.setLive(number, false);
    this.#terms -= this.#table.length(number);
  }

  /** Caches the keys of a note. The index may have moved to another commit since the read: then the note is not made live. */
  cache(path: string, oid: Oid, { length, keys }: NoteKeys): void {
    const number = this.#store(path, oid, length);
    for (const [hash, count] of keys) this.#postings.add(hash, number, count);
    if (this.#unread.get(path) === oid) this.#enliven(path, number);
  }

  /** Packs the notes cached since the last call, if there are enough of them, and returns them for the disk. */
  pack({ isLast }: { readonly isLast: boolean }): { readonly part: StoredPart; readonly at: PartPlace } | undefined {
    const at = { from: this.#loose, to: this.#table.size };
    if (this.#postings.loose() < PACKED_TOGETHER && !(isLast && at.to - at.from >= this.#limits.worthAFile))
      return undefined;
    const notes = Array.from({ length: at.to - at.from }, (_, place): StoredNote => {
      const path = this.#table.path(at.from + place);
      if (path === undefined) return ["", "", 0]; // evicted: its postings are gone too
      return [path, this.#table.oid(at.from + place), this.#table.length(at.from + place)];
    });
    const segment = this.#postings.seal(this.#loose);
    this.#loose = at.to;
    return { part: { notes, segment }, at };
  }

  /** Adds packed notes. Must come before `cache`. Notes that are known already are skipped. */
  adopt({ notes, segment }: StoredPart): PartPlace {
    const base = this.#table.size;
    for (const [path, oid, length] of notes) {
      if (path === "" || this.isCached(path, oid)) this.#table.addNone();
      else this.#store(path, oid, length);
    }
    this.#postings.adopt(segment, base);
    this.#loose = this.#table.size;
    return { from: base, to: this.#loose };
  }

  /** The share of the notes of a part that the commit has, from 0 to 1. */
  liveShare({ from, to }: PartPlace): number {
    let live = 0;
    for (let number = from; number < to; number++) if (this.#table.isLive(number)) live++;
    return live / Math.max(1, to - from);
  }

  /** Evicts cached notes that no path of the commit uses, once there are more of them than live ones plus `spare`. */
  async evictDead(): Promise<void> {
    if (this.#cached <= 2 * this.#live + this.#limits.spare) return;
    const keeps = new Set([...this.#livePaths()].map(([, number]) => number));
    for (const [path, known] of this.#numbers) {
      const numbers = typeof known === "number" ? [known] : known;
      const [kept] = numbers.filter((number) => keeps.has(number)); // a path has one live text
      if (kept === undefined) this.#numbers.delete(path);
      else this.#numbers.set(path, kept);
      for (const number of numbers) if (number !== kept) this.#table.remove(number);
    }
    this.#cached = this.#numbers.size;
    const end = this.#table.size; // notes cached while this runs are kept
    let done = 0;
    for (const _ of this.#postings.keepOnly((number) => number >= end || keeps.has(number)))
      if (++done % ENTRIES_PER_TURN === 0) await nextTurn();
  }

  /** Cached notes with any of these keys, among those that may be seen. Counts of a guest cover the folders of the zone only. */
  find(keys: readonly number[], sees: ReadScope): NoteMatches {
    const inSight = sees.folders === "all" ? undefined : [...this.#livePaths()].filter(([path]) => sees(path));
    const total =
      sees.folders === "all"
        ? this.#live + this.#unread.size
        : sees.folders.reduce((sum, each) => sum + this.#tree.count(each), 0);
    const looked = inSight?.length ?? this.#live;
    return {
      notes: this.#matches(keys, sees),
      looked,
      terms: inSight?.reduce((sum, [, number]) => sum + this.#table.length(number), 0) ?? this.#terms,
      reading: looked === total || this.isFull ? undefined : { done: looked, total },
    };
  }

  #matches(keys: readonly number[], sees: ReadScope): readonly NoteMatch[] {
    const isAll = sees.folders === "all";
    /** Cache number to position in `notes`, counted from 1. */
    const places = new Uint32Array(this.#table.size);
    const none = keys.map(() => 0);
    const notes: { text: IndexedNote; counts: number[] }[] = [];
    for (const [key, hash] of keys.entries())
      this.#postings.each(hash, (number, count) => {
        if (!this.#table.isLive(number)) return;
        if (places[number] === 0) {
          const path = this.#table.path(number)!;
          if (!isAll && !sees(path)) return;
          places[number] = notes.push({ text: { path, length: this.#table.length(number) }, counts: none.slice() });
        }
        notes[places[number]! - 1]!.counts[key] = count;
      });
    return notes;
  }

  #store(path: string, oid: Oid, length: number): number {
    const number = this.#table.add(path, oid, length);
    const known = this.#numbers.get(path);
    if (known === undefined) this.#numbers.set(path, number);
    else this.#numbers.set(path, typeof known === "number" ? [known, number] : [...known, number]);
    this.#cached++;
    return number;
  }

  /** The path is part of the key: it is searched too, and one blob may lie at two paths. */
  #numberOf(path: string, oid: Oid): number | undefined {
    return this.#numbersOf(path).find((number) => this.#table.oid(number) === oid);
  }

  #liveNumber(path: string): number | undefined {
    return this.#numbersOf(path).find((number) => this.#table.isLive(number));
  }

  #numbersOf(path: string): readonly number[] {
    const known = this.#numbers.get(path) ?? [];
    return typeof known === "number" ? [known] : known;
  }

  *#livePaths(): Generator<readonly [path: string, number: number]> {
    for (let number = 0; number < this.#table.size; number++)
      if (this.#table.isLive(number)) yield [this.#table.path(number)!, number];
  }

  #enliven(path: string, number: number): void {
    this.#unread.delete(path);
    this.#live++;
    this.#table.setLive(number, true);
    this.#terms += this.#table.length(number);
  }
}
