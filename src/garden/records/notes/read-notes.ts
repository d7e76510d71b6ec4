import { z } from "zod";
import { Failure } from "../../../base/failure.ts";
import { compareUtf8 } from "../../../base/order.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { trailerOf } from "../../../domain/git/trailers.ts";
import { commentFolder } from "../../../domain/layout.ts";
import type { Commit } from "../../../ports/repo.ts";
import { everyKey } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { headOf } from "../../core/main-head.ts";

type Ground = Pick<Garden, "repo" | "store">;

export interface NoteListPage {
  /** The commit of main that was listed. */
  readonly commit: Oid;
  readonly notes: readonly { readonly path: string; readonly oid: Oid }[];
  /** Pass as `after` for the next page. */
  readonly next: string | undefined;
}

/** Visible notes in order of path. */
export async function listNotes(
  { repo }: Ground,
  visible: (path: string) => boolean,
  page: { readonly after?: string | undefined; readonly limit: number },
): Promise<NoteListPage> {
  const commit = await headOf(repo);
  const after = page.after;
  const all = (await repo.list(commit, "")).filter(
    ({ path }) => visible(path) && (after === undefined || compareUtf8(path, after) > 0),
  );
  const notes = all.slice(0, page.limit).map(({ path, oid }) => ({ path, oid }));
  return { commit, notes, next: all.length > notes.length ? notes.at(-1)?.path : undefined };
}

export interface Note {
  readonly path: string;
  readonly commit: Oid;
  readonly oid: Oid;
  /** Undefined if the file is not UTF-8 text. */
  readonly text: string | undefined;
  readonly bytes: number;
}

/** A note at a commit of main (default: the present one). */
export async function readNote({ repo }: Ground, path: string, at?: Oid): Promise<Note> {
  const main = await headOf(repo);
  const commit = at ?? main;
  // Only commits of main may be read: other branches may hold files that were never approved.
  if (commit !== main && !(await isOnMain({ repo }, commit, main))) throw noCommit(commit);
  const file = await repo.read(commit, path);
  if (!file || file.mode === "120000") throw noNote(path);
  return { path, commit, oid: file.oid, text: textOf(file.bytes), bytes: file.bytes.length };
}

/** The bytes of a file at main. Throws NOT_FOUND if there is none. */
export async function readAttachment({ repo }: Pick<Garden, "repo">, path: string): Promise<Uint8Array> {
  const file = await repo.read(await headOf(repo), path);
  if (!file || file.mode === "120000" || file.mode === "160000") throw noNote(path);
  return file.bytes;
}

export interface NoteChange {
  readonly commit: Oid;
  readonly at: string;
  readonly author: string;
  readonly subject: string;
  /** The proposal that this commit applied; undefined for a change by hand. */
  readonly proposal: string | undefined;
}

/** Commits that changed a note, newest first. */
export async function noteHistory({ repo }: Ground, note: Note, limit: number): Promise<NoteChange[]> {
  return (await repo.history(note.commit, note.path, { limit })).map(changeOf);
}

function changeOf({ oid, committer, author, message }: Commit): NoteChange {
  return {
    commit: oid,
    at: new Date(committer.at).toISOString(),
    author: author.name,
    subject: message.split("\n")[0]!,
    proposal: trailerOf(message, "Proposal"),
  };
}

/** An object under `comments/<note>/`. */
export const noteComment = z.object({
  note: z.string(),
  line: z.int().positive().optional(),
  text: z.string(),
  by: z.string(),
  at: z.iso.datetime(),
  proposal: z.string(),
  note_hash: z.string(),
});
export type NoteComment = z.infer<typeof noteComment>;

/** Approved comments of a note, oldest first. */
export async function noteComments({ store }: Ground, path: string): Promise<NoteComment[]> {
  const comments: NoteComment[] = [];
  for await (const { key } of everyKey(store, commentFolder(path))) {
    const comment = tryReadJson((await store.get(key))?.bytes, noteComment);
    if (comment) comments.push(comment);
  }
  return comments.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

async function isOnMain({ repo }: Pick<Garden, "repo">, commit: Oid, main: Oid): Promise<boolean> {
  try {
    return await repo.isAncestor(commit, main);
  } catch {
    return false; // no such object
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export const noNote = (path: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no note ${path}`,
    uk: `немає нотатки ${path}`,
    hint: { en: "`bloom note list` shows those there are.", uk: "Які є, покаже `bloom note list`." },
    details: { path },
  });

const noCommit = (commit: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `main has no commit ${commit}`,
    uk: `у main немає коміту ${commit}`,
    details: { commit },
  });
