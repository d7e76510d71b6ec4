import { isFailure } from "../../../base/failure.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { tree } from "../../../domain/layout.ts";
import { linesOf } from "../../../domain/note/line-hunks.ts";
import { isNotePath, isVaultFile } from "../../../domain/note/note-path.ts";
import type { Commit, FileAt, Repo } from "../../../ports/repo.ts";
import type { EffectContext } from "./effect.ts";
import { effectTooLarge, noteLimit, type RefusedEffect, refusedEffect } from "./failures.ts";

/** A note that is text, at a commit. */
export interface NoteAt {
  readonly kind: "note";
  readonly text: string;
  readonly oid: Oid;
}

/**
 * Refuses a path that may not be the target of an action (P-4a): only Markdown under the notes root, nothing hidden, and
 * never memory, logic or settings, compared without case because some file systems ignore it.
 */
export function notePathRefusal({ garden }: Pick<EffectContext, "garden">, path: string): RefusedEffect | undefined {
  const { notes_root: root, agents_root: agents } = garden.config;
  const parts = path.split("/");
  const first = parts[0]!.toLowerCase();
  const machines = !isVaultFile(`${first}/x`, garden.config) || path.toLowerCase() === tree.config;
  const hidden = parts.some((part) => part.startsWith("."));
  if (isNotePath(path, garden.config) && !machines && !hidden) return undefined;
  return refusedEffect("VALIDATION_FAILED", {
    en: `${path} is not a valid path for a note`,
    uk: `${path} — не місце для нотатки`,
    hint: {
      en: `Notes are .md files ${root === "." ? `outside memory/, logic/, ${agents}/ and hidden folders` : `under ${root}/`}.`,
      uk: `Нотатки — файли .md ${root === "." ? `поза memory/, logic/, ${agents}/ і прихованими теками` : `у ${root}/`}.`,
    },
    details: { path, notes_root: root },
  });
}

/** The note at head, or a refusal that says when it was removed. */
export async function noteAtHead(context: EffectContext, path: string): Promise<NoteAt | RefusedEffect> {
  const bad = notePathRefusal(context, path);
  if (bad) return bad;
  const file = await context.garden.repo.read(context.head, path);
  return file ? readable(context, path, file) : await missingNote(context, path);
}

/** The note at the base of the operation. */
export async function noteAtBase(context: EffectContext, path: string): Promise<NoteAt | RefusedEffect | undefined> {
  try {
    const file = await context.garden.repo.read(context.base, path);
    return file && readable(context, path, file);
  } catch (error) {
    if (isFailure(error, "NOT_FOUND")) return baseGone(context.base);
    throw error;
  }
}

function readable({ garden }: EffectContext, path: string, file: FileAt): NoteAt | RefusedEffect {
  if (file.mode === "120000" || file.mode === "160000") {
    const what =
      file.mode === "120000"
        ? { en: "a symbolic link", uk: "символічне посилання" }
        : { en: "a submodule", uk: "підмодуль" };
    return refusedEffect("VALIDATION_FAILED", {
      en: `${path} is ${what.en}, not a note`,
      uk: `${path} — ${what.uk}, а не нотатка`,
      details: { path },
    });
  }
  const limit = noteLimit(garden.config);
  if (file.bytes.length > limit) return effectTooLarge(path, file.bytes.length, limit);
  const text = textOf(file.bytes);
  if (text === undefined) {
    return refusedEffect("VALIDATION_FAILED", {
      en: `${path} is not text in UTF-8`,
      uk: `${path} — не текст у UTF-8`,
      details: { path },
    });
  }
  return { kind: "note", text, oid: file.oid };
}

/** The text, with its byte order mark if it has one; undefined if the bytes are not UTF-8 text. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The refusal for a missing note. If history has it, the refusal says who removed it and its new name. */
async function missingNote({ garden, head }: EffectContext, path: string): Promise<RefusedEffect> {
  const [last] = await garden.repo.history(head, path, { limit: 1 });
  if (!last) {
    return refusedEffect("NOT_FOUND", {
      en: `there is no note ${path}`,
      uk: `немає нотатки ${path}`,
      details: { path },
    });
  }
  const to = await newNameOf(garden.repo, last, path);
  const by = `${last.oid.slice(0, 10)}, ${last.author.name}`;
  return refusedEffect("NOT_FOUND", {
    ...(to === undefined
      ? { en: `${path} was deleted (${by})`, uk: `${path} видалено (${by})` }
      : { en: `${path} was renamed to ${to} (${by})`, uk: `${path} перейменовано на ${to} (${by})` }),
    ...(to !== undefined && { hint: { en: `Propose it anew for ${to}.`, uk: `Запропонуйте знову для ${to}.` } }),
    details: { path, commit: last.oid, ...(to !== undefined && { renamed_to: to }) },
  });
}

const MAX_CANDIDATES = 50;
const LIKE_ENOUGH = 0.5;

/** The file that the same commit created with the same content, or with at least half of its lines. */
async function newNameOf(repo: Repo, commit: Commit, path: string): Promise<string | undefined> {
  const changes = await repo.changes(commit.parents[0], commit.oid);
  const old = changes.find((change) => change.path === path)?.before;
  const parent = commit.parents[0];
  if (!old || parent === undefined) return undefined;
  const added = changes.filter(({ before, after }) => !before && after && after.mode !== "160000");
  const exact = added.find(({ after }) => after!.oid === old.oid);
  if (exact) return exact.path;
  const lines = await linesAt(repo, parent, path);
  let best: { path: string; share: number } | undefined;
  for (const { path: candidate } of added.slice(0, MAX_CANDIDATES)) {
    const other = await linesAt(repo, commit.oid, candidate);
    const kept = [...lines].filter((line) => other.has(line)).length;
    const share = kept / Math.max(lines.size, other.size, 1);
    if (share >= LIKE_ENOUGH && share > (best?.share ?? 0)) best = { path: candidate, share };
  }
  return best?.path;
}

const linesAt = async (repo: Repo, at: Oid, path: string): Promise<Set<string>> =>
  new Set(linesOf(textOf((await repo.read(at, path))?.bytes ?? new Uint8Array()) ?? ""));

const baseGone = (base: Oid): RefusedEffect =>
  refusedEffect("CONCURRENT_MODIFICATION", {
    en: `the commit ${base.slice(0, 10)} that this was made against is missing from the repository`,
    uk: `коміту ${base.slice(0, 10)}, на основі якого це зроблено, більше немає в репозиторії`,
    hint: { en: "Propose it anew.", uk: "Запропонуйте знову." },
    details: { base },
  });
