import { setImmediate as nextTurn } from "node:timers/promises";
import type { Oid } from "../../../domain/git/git-names.ts";
import { isNotePath, type NoteRoots } from "../../../domain/note/note-path.ts";
import type { NoteTree } from "../../../domain/note/note-tree.ts";
import type { Repo, TreeFile } from "../../../ports/repo.ts";
import type { ReadScope } from "../../core/access/read-scope.ts";
import type { Garden } from "../../core/garden.ts";
import { type CacheLimits, CommitNotes, ENTRIES_PER_TURN, type NoteMatches, type PartPlace } from "./commit-notes.ts";
import { type IndexFiles, indexFiles } from "./index-files.ts";
import { noteKeys } from "./note-keys.ts";
import { firstOf, readNoteText } from "./note-text.ts";

/**
 * All notes of one commit: their folders and their search keys. The index moves from commit to commit by the diff between them.
 * Texts are read in the background in small batches. It is a cache (G-3): it can be dropped at any time, and answers are a function
 * of the commit alone.
 */
export interface NoteIndex {
  /** Calls `look` with the folder tree of a commit. Reads no note. */
  withTree<T>(at: Oid, look: (tree: NoteTree) => T): Promise<T>;
  /** Calls `look` with the paths of all files of a commit, attachments included. Reads no note. */
  withFiles<T>(at: Oid, look: (files: Iterable<string>) => T): Promise<T>;
  /**
   * Visible notes with any of these keys. Waits until `patience` more notes are read, or all of them; if some are still unread,
   * `reading` holds the progress.
   */
  matching(at: Oid, keys: readonly number[], sees: ReadScope, patience: number): Promise<NoteMatches>;
}

/** 30 million postings. Beyond that, the rest of the notes is read again for every question. */
const LIMITS: CacheLimits = { most: 30_000_000, spare: 4096, worthAFile: 500 };
const READS_AT_ONCE = 64;
/** Characters of text indexed between two turns of the event loop. */
const CHARACTERS_PER_TURN = 32_768;

const indexes = new WeakMap<Repo, Map<string, NoteIndex>>();

export function noteIndex({
  repo,
  config,
  folder,
}: Pick<Garden, "repo" | "config"> & Partial<Pick<Garden, "folder">>): NoteIndex {
  const known = indexes.get(repo) ?? new Map<string, NoteIndex>();
  indexes.set(repo, known);
  const roots = `${config.notes_root}\n${config.agents_root}`;
  const index = known.get(roots) ?? newNoteIndex(repo, config, {}, folder && indexFiles(folder, roots));
  known.set(roots, index);
  return index;
}

/** `files`: where the index is kept between processes; without them it is in memory only. */
export const newNoteIndex = (
  repo: Repo,
  roots: NoteRoots,
  limits: Partial<CacheLimits> = {},
  files?: IndexFiles,
): NoteIndex => new BackgroundIndex(repo, roots, new CommitNotes({ ...LIMITS, ...limits }), files);

interface Waiter {
  readonly resolve: (read: number) => void;
  readonly reject: (error: unknown) => void;
}

class BackgroundIndex implements NoteIndex {
  readonly #repo: Repo;
  readonly #roots: NoteRoots;
  readonly #notes: CommitNotes;
  readonly #pause = pauseEvery(CHARACTERS_PER_TURN);
  /** The commit that `#notes` shows; undefined while it moves, or after a failed move. */
  #at: Oid | undefined;
  #moving: Promise<void> = Promise.resolve();
  #isReading = false;
  #waiters: Waiter[] = [];

  readonly #files: IndexFiles | undefined;
  /** The parts on disk by name. */
  readonly #stored = new Map<string, PartPlace>();
  #restored: Promise<void> | undefined;

  constructor(repo: Repo, roots: NoteRoots, notes: CommitNotes, files: IndexFiles | undefined) {
    this.#files = files;
    this.#repo = repo;
    this.#roots = roots;
    this.#notes = notes;
  }

  withTree<T>(at: Oid, look: (tree: NoteTree) => T): Promise<T> {
    return this.#lookAt(at, 0, () => look(this.#notes.tree));
  }

  withFiles<T>(at: Oid, look: (files: Iterable<string>) => T): Promise<T> {
    return this.#lookAt(at, 0, () => look(this.#notes.files()));
  }

  async matching(at: Oid, keys: readonly number[], sees: ReadScope, patience: number): Promise<NoteMatches> {
    const { cached, rest } = await this.#lookAt(at, patience, () => ({
      cached: this.#notes.find(keys, sees),
      rest: this.#notes.isFull ? [...this.#notes.unread.keys()].filter(sees) : [],
    }));
    return rest.length === 0 ? cached : this.#withUncached(at, keys, cached, rest);
  }

  /** Adds the notes that found no room in the cache: they are read now. */
  async #withUncached(
    at: Oid,
    keys: readonly number[],
    cached: NoteMatches,
    paths: readonly string[],
  ): Promise<NoteMatches> {
    const notes = [...cached.notes];
    let terms = cached.terms;
    for (const path of paths) {
      const text = await readNoteText(this.#repo, at, path);
      const { length, keys: found } = await noteKeys(path, text, this.#pause);
      terms += length;
      const counts = keys.map((key) => found.get(key) ?? 0);
      if (counts.some((count) => count > 0)) notes.push({ text: { path, length }, counts });
    }
    return { ...cached, notes, looked: cached.looked + paths.length, terms };
  }

  /** Calls `look` when the index shows `at` and enough of it is read. `look` is synchronous, so nothing moves meanwhile. */
  async #lookAt<T>(at: Oid, patience: number, look: () => T): Promise<T> {
    let left = patience;
    for (;;) {
      await this.#moveTo(at);
      if (this.#at !== at) continue; // another caller moved it first
      if (left <= 0 || this.#notes.unread.size === 0 || this.#notes.isFull) return look();
      const batch = new Promise<number>((resolve, reject) => this.#waiters.push({ resolve, reject }));
      void this.#readAll();
      left -= await batch;
    }
  }

  /** Moves run one after the other, in the order of the calls. */
  #moveTo(at: Oid): Promise<void> {
    const move = async (): Promise<void> => {
      const from = this.#at;
      if (from === at) return;
      if (from === undefined) await this.#load(at);
      // After a rewritten history the commit that it shows may be gone.
      else await this.#follow(from, at).catch(() => this.#load(at));
      this.#at = at;
      await this.#notes.evictDead();
    };
    this.#moving = this.#moving.then(move, move);
    return this.#moving;
  }

  async #restore(): Promise<void> {
    for await (const { name, part } of this.#files?.load() ?? []) {
      if (this.#notes.isFull) return;
      this.#stored.set(name, this.#notes.adopt(part));
      await nextTurn();
    }
  }

  /** Packs what was read, keeps it on disk, and removes parts of which the commit has less than half. */
  async #store(isLast: boolean): Promise<void> {
    const packed = this.#notes.pack({ isLast });
    const name = packed && (await this.#files?.save(packed.part));
    if (packed && name !== undefined) this.#stored.set(name, packed.at);
    if (!isLast) return;
    for (const [stored, at] of this.#stored) {
      if (this.#notes.liveShare(at) >= 0.5) continue;
      this.#stored.delete(stored);
      await this.#files?.remove(stored);
    }
  }

  async #load(at: Oid): Promise<void> {
    this.#at = undefined;
    await (this.#restored ??= this.#restore());
    this.#notes.clear();
    const files = await this.#repo.list(at, "");
    for (const [index, file] of files.entries()) {
      this.#add(file.path, file);
      if (index % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await nextTurn();
    }
  }

  async #follow(from: Oid, to: Oid): Promise<void> {
    const changes = await this.#repo.changes(from, to, "");
    this.#at = undefined; // from here on it shows neither commit
    for (const [index, { path, before, after }] of changes.entries()) {
      if (before) this.#notes.remove(path);
      if (after) this.#add(path, after);
      if (index % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await nextTurn();
    }
  }

  #add(path: string, { oid, mode }: Pick<TreeFile, "oid" | "mode">): void {
    if (isNote({ path, mode }, this.#roots)) this.#notes.add(path, oid);
    else if (isFile(mode)) this.#notes.addOther(path);
  }

  /** Reads until everything is cached or the cache is full, also when no caller waits. After each batch the waiters are resolved. */
  async #readAll(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#notes.unread.size > 0 && !this.#notes.isFull) {
        await this.#moving.catch(() => undefined);
        if (this.#at === undefined) break; // a waiter gets the reason from its own move
        const read = await this.#readBatch(this.#at);
        await this.#store(this.#notes.unread.size === 0);
        this.#settleWaiters((waiter) => waiter.resolve(read));
      }
      this.#settleWaiters((waiter) => waiter.resolve(0));
    } catch (error) {
      this.#settleWaiters((waiter) => waiter.reject(error));
    } finally {
      this.#isReading = false;
    }
  }

  async #readBatch(at: Oid): Promise<number> {
    const batch = firstOf(this.#notes.unread, READS_AT_ONCE).map(([path, oid]) => ({ path, oid }));
    // A file whose name is not UTF-8 cannot be read by its path: it is indexed by its name with an empty text.
    const texts = await Promise.all(batch.map(({ path }) => readNoteText(this.#repo, at, path)));
    for (const [index, { path, oid }] of batch.entries()) {
      if (this.#notes.isCached(path, oid)) continue;
      const keys = await noteKeys(path, texts[index]!, this.#pause);
      if (!this.#notes.isCached(path, oid)) this.#notes.cache(path, oid, keys);
    }
    return batch.length;
  }

  #settleWaiters(settle: (waiter: Waiter) => void): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) settle(waiter);
  }
}

const isNote = ({ path, mode }: Pick<TreeFile, "path" | "mode">, roots: NoteRoots): boolean =>
  isFile(mode) && isNotePath(path, roots);
/** Not a symbolic link and not a nested repository. */
const isFile = (mode: TreeFile["mode"]): boolean => mode !== "120000" && mode !== "160000";

/** Returns a function that yields to the event loop after every `characters` of work. */
function pauseEvery(characters: number): (length: number) => Promise<void> {
  let done = 0;
  return async (length) => {
    done += length;
    if (done < characters) return;
    done = 0;
    await nextTurn();
  };
}
