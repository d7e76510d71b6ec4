import type { Text } from "../../../base/text.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { mergeTexts } from "../../../domain/note/text-merge.ts";
import type { Change, Conflict, Edit } from "../../../ports/repo.ts";
import type { EffectContext, ReviewFile } from "./effect.ts";
import type { FileEffect } from "./effect-id.ts";
import { fileChange } from "./file-change.ts";
import { textOf } from "./note-target.ts";

/** The commits of a three-way merge, and the files that the session moved without changing them. */
export interface MergeSides {
  /** Undefined for two histories without a common commit. */
  readonly base: Oid | undefined;
  readonly ours: Oid;
  readonly theirs: Oid;
  readonly moved: Moves;
}

/** New path by old path, and the other way. */
interface Moves {
  readonly to: ReadonlyMap<string, string>;
  readonly from: ReadonlyMap<string, string>;
}

/** One file of a merge. */
export interface MergedFile {
  readonly review: ReviewFile;
  readonly effect: FileEffect;
  /** Undefined if main has it so already, or if there is a conflict. */
  readonly edit?: Edit;
  readonly conflict?: Conflict;
  /** Main has the same already. */
  readonly isThere: boolean;
  /** Main has changed it too, and both changes are in the result. */
  readonly isMerged: boolean;
  readonly bytes: number;
}

/** Files that disappeared at one path and appeared with the same bytes at another, paired in their order. */
export function movesIn(changes: readonly Change[]): Moves {
  const gone = new Map<Oid, string[]>();
  for (const { path, before, after } of changes)
    if (before && !after) gone.set(before.oid, [...(gone.get(before.oid) ?? []), path]);
  const to = new Map<string, string>();
  const from = new Map<string, string>();
  for (const { path, before, after } of changes) {
    const old = after && !before ? gone.get(after.oid)?.shift() : undefined;
    if (old === undefined) continue;
    to.set(old, path);
    from.set(path, old);
  }
  return { to, from };
}

type Side = Change["before"];
type Changes = ReadonlyMap<string, Change>;

/** The result for one file that the session changed. `since`: what main changed since the common commit. */
export async function mergeFile(
  context: EffectContext,
  sides: MergeSides,
  change: Change,
  since: Changes,
): Promise<MergedFile> {
  const { path, before, after } = change;
  const ours = since.has(path) ? since.get(path)!.after : before;
  if (isSame(ours, after)) return { ...(await shown(context, sides, change)), isThere: true, isMerged: false };
  const from = sides.moved.from.get(path);
  const to = sides.moved.to.get(path);
  if (from !== undefined || to !== undefined) return movedFile(context, sides, change, since);
  const file = await shown(context, sides, change);
  if (isSame(ours, before)) {
    const bytes = await bytesAt(context, sides.theirs, path, after);
    return { ...file, edit: editOf(path, bytes, after), isThere: false, isMerged: false };
  }
  return bothChanged(context, sides, change, ours, file);
}

/** The session only moved it: the note that main has by now gets the new place. */
async function movedFile(
  context: EffectContext,
  { ours: head, moved }: MergeSides,
  { path, after }: Change,
  since: Changes,
): Promise<MergedFile> {
  const from = moved.from.get(path) ?? path;
  const to = moved.to.get(path) ?? path;
  const source = since.get(from);
  const isGone = source !== undefined && !source.after;
  const isTaken = since.get(to)?.after !== undefined;
  const isNew = path === to;
  const review: ReviewFile = isNew
    ? { path, change: "added", patch: "", moved_from: from }
    : { path, change: "removed", patch: "", moved_to: to };
  const effect = { path, what: isNew ? ["moved from", from] : ["moved to", to] };
  const rest = { review, effect, isThere: false, isMerged: source !== undefined };
  if (isGone || isTaken) {
    // One conflict for the pair, at its new place.
    const conflict = { path, why: isTaken ? BOTH_ADDED : GONE_BEFORE_MOVE, hunks: [] };
    return { ...rest, ...(isNew ? { conflict } : !isGone && { edit: { path, bytes: undefined } }), bytes: 0 };
  }
  if (!isNew) return { ...rest, edit: { path, bytes: undefined }, bytes: 0 };
  const file = (await context.garden.repo.read(head, from))!;
  return { ...rest, edit: editOf(path, file.bytes, after), bytes: file.bytes.length };
}

/** Merged by lines, or a conflict with the lines of both. */
async function bothChanged(
  context: EffectContext,
  sides: MergeSides,
  { path, before, after }: Change,
  ours: Side,
  file: Pick<MergedFile, "review" | "effect" | "bytes">,
): Promise<MergedFile> {
  const open = { ...file, isThere: false, isMerged: true };
  const [base, our, their] = await Promise.all([
    textAt(context, sides.base, path, before),
    textAt(context, sides.ours, path, ours),
    textAt(context, sides.theirs, path, after),
  ]);
  if (!ours || !after) {
    const hunks = [{ line: 1, ours: our ?? "", theirs: their ?? "" }];
    return { ...open, conflict: { path, why: ours ? REMOVED_HERE : REMOVED_ON_MAIN, hunks } };
  }
  if (our === undefined || their === undefined) return { ...open, conflict: { path, why: NOT_TEXT, hunks: [] } };
  const merge = mergeTexts(base ?? "", our, their);
  if (merge.kind === "conflict")
    return { ...open, conflict: { path, why: before ? SAME_LINES : BOTH_ADDED, hunks: merge.pieces } };
  const { review } = fileChange(path, our, merge.text);
  const effect = { path, change: before ? ("changed" as const) : ("added" as const), hunks: merge.hunks };
  if (merge.hunks.length === 0) return { ...open, review, effect, isThere: true };
  return { ...open, review, effect, edit: editOf(path, Buffer.from(merge.text), after) };
}

/** The change of the session itself, against the common commit. */
async function shown(
  context: EffectContext,
  { base, theirs }: MergeSides,
  { path, before, after }: Change,
): Promise<Pick<MergedFile, "review" | "effect" | "bytes">> {
  const [old, now] = await Promise.all([bytesAt(context, base, path, before), bytesAt(context, theirs, path, after)]);
  const bytes = (old?.length ?? 0) + (now?.length ?? 0);
  const [oldText, nowText] = [old && textOf(old), now && textOf(now)];
  const isText = (old === undefined || oldText !== undefined) && (now === undefined || nowText !== undefined);
  const mode = before && after && before.mode !== after.mode ? `${before.mode} ${after.mode}` : undefined;
  if (isText && mode === undefined) return { ...fileChange(path, oldText, nowText), bytes };
  const change = before ? (after ? "changed" : "removed") : "added";
  return {
    review: {
      path,
      change,
      patch: isText ? fileChange(path, oldText, nowText).review.patch : "",
      bytes: now?.length ?? 0,
    },
    effect: { path, what: [before?.oid ?? null, after?.oid ?? null, mode ?? null] },
    bytes,
  };
}

async function bytesAt(
  { garden }: EffectContext,
  at: Oid | undefined,
  path: string,
  side: Side,
): Promise<Uint8Array | undefined> {
  return side && at !== undefined ? (await garden.repo.read(at, path))?.bytes : undefined;
}

async function textAt(
  context: EffectContext,
  at: Oid | undefined,
  path: string,
  side: Side,
): Promise<string | undefined> {
  const bytes = await bytesAt(context, at, path, side);
  return bytes && textOf(bytes);
}

const editOf = (path: string, bytes: Uint8Array | undefined, after: Side): Edit => ({
  path,
  bytes,
  ...(after && { mode: after.mode === "100755" ? "100755" : "100644" }),
});

const isSame = (one: Side, other: Side): boolean => one?.oid === other?.oid && one?.mode === other?.mode;

const SAME_LINES: Text = { en: "the same lines were changed on main", uk: "ті самі рядки змінено в main" };
const BOTH_ADDED: Text = {
  en: "main has another file of this name now",
  uk: "у main тепер є інший файл із цією назвою",
};
const REMOVED_ON_MAIN: Text = {
  en: "removed on main, changed by the session",
  uk: "видалено в main, змінено сесією",
};
const REMOVED_HERE: Text = { en: "changed on main, removed by the session", uk: "змінено в main, видалено сесією" };
const GONE_BEFORE_MOVE: Text = {
  en: "removed on main, moved by the session",
  uk: "видалено в main, переміщено сесією",
};
const NOT_TEXT: Text = { en: "changed on both sides, and not text", uk: "змінено з обох боків, і це не текст" };
