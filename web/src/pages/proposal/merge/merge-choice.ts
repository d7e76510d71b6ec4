import { useCallback, useMemo, useState } from "react";
import type { Review } from "../../../api/endpoints.gen.ts";
import { storedJson, storeJson } from "../../../browser-storage.ts";

type ReviewedFile = Review["files"][number];

/** A file of a merge as one line: a move is shown at its new place, and both of its paths go together. */
export interface MergeEntry {
  readonly file: ReviewedFile;
  readonly paths: readonly string[];
  /** Main changed the same lines: it cannot be taken until words are chosen. */
  readonly isConflict: boolean;
  readonly added: number;
  readonly removed: number;
  /** The change takes words away: it must be opened before it is approved. */
  readonly losesWords: boolean;
}

export interface MergeChoice {
  readonly entries: readonly MergeEntry[];
  /** Entries that would be merged now. */
  readonly taken: readonly MergeEntry[];
  readonly isTaken: (entry: MergeEntry) => boolean;
  readonly isSeen: (entry: MergeEntry) => boolean;
  readonly take: (entries: readonly MergeEntry[], isTaken: boolean) => void;
  readonly see: (entry: MergeEntry, isSeen?: boolean) => void;
  /** The files of the decision; undefined if all are taken. */
  readonly files: readonly string[] | undefined;
  /** Taken files that lose words and were not opened. */
  readonly unopened: number;
}

interface Kept {
  readonly left: readonly string[];
  readonly seen: readonly string[];
}

/**
 * The files of a merge that the owner takes. All are taken at first, except those in conflict. The choice is kept in this browser, and
 * belongs to the reviewed version: another version is looked at anew, but what was left out stays so.
 */
export function useMergeChoice(id: string, review: Review | undefined): MergeChoice {
  const key = `garden-bloom.merge.${id}`;
  const [kept, setKept] = useState<Kept>(() => ({ left: [], seen: [], ...(storedJson(key) as Kept | undefined) }));
  const entries = useMemo(() => entriesOf(review), [review]);
  const digest = review?.digest ?? "";
  const change = useCallback(
    (next: (before: Kept) => Kept): void =>
      setKept((before) => {
        const now = next(before);
        storeJson(key, now);
        return now;
      }),
    [key],
  );
  const [left, seen] = useMemo(() => [new Set(kept.left), new Set(kept.seen)], [kept]);
  const isTaken = ({ file, isConflict }: MergeEntry): boolean => !isConflict && !left.has(file.path);
  const markOf = useCallback(({ file }: MergeEntry): string => `${digest} ${file.path}`, [digest]);
  const isSeen = (entry: MergeEntry): boolean => seen.has(markOf(entry));
  const see = useCallback(
    (entry: MergeEntry, isNow = true): void =>
      change((before) => {
        const others = before.seen.filter((mark) => mark !== markOf(entry) && mark.startsWith(digest));
        return { ...before, seen: isNow ? [...others, markOf(entry)] : others };
      }),
    [change, markOf, digest],
  );
  const taken = entries.filter(isTaken);
  return {
    entries,
    taken,
    isTaken,
    isSeen,
    take: (some, isNow) =>
      change((before) => {
        const paths = new Set(some.map(({ file }) => file.path));
        const others = before.left.filter((path) => !paths.has(path));
        return { ...before, left: isNow ? others : [...others, ...paths] };
      }),
    see,
    files: taken.length === entries.length ? undefined : taken.flatMap(({ paths }) => paths),
    unopened: taken.filter((entry) => entry.losesWords && !isSeen(entry)).length,
  };
}

function entriesOf(review: Review | undefined): readonly MergeEntry[] {
  if (!review) return [];
  const conflicts = new Set(review.conflicts.map(({ path }) => path));
  return review.files.flatMap((file): MergeEntry[] => {
    if (file.moved_to !== undefined) return []; // shown at its new place
    const paths = [file.path, ...(file.moved_from === undefined ? [] : [file.moved_from])];
    const { added = 0, removed = 0 } = file.lines ?? {};
    const isConflict = paths.some((path) => conflicts.has(path));
    return [{ file, paths, isConflict, added, removed, losesWords: removed > 0 || file.change === "removed" }];
  });
}
