import { storedJson, storeJson } from "../../browser-storage.ts";

/** Unsaved changes of a note, stored in this browser as the one range that differs, so that a small change of a large note is small. */
export interface NoteDraft {
  /** The commit whose text was changed. */
  readonly commit: string;
  /** The changed range in that text, and its replacement. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const keyOf = (path: string): string => `garden-bloom.draft.note.${path}`;

export const storedNoteDraft = (path: string): NoteDraft | undefined =>
  storedJson(keyOf(path)) as NoteDraft | undefined;

/** Returns false if the browser's storage is full or disabled. */
export const storeNoteDraft = (
  path: string,
  base: { readonly commit: string; readonly text: string },
  now: string,
): boolean =>
  storeJson(keyOf(path), now === base.text ? undefined : { commit: base.commit, ...changedRange(base.text, now) });

export const deleteNoteDraft = (path: string): void => void storeJson(keyOf(path), undefined);

export const applyNoteDraft = (base: string, { start, end, text }: NoteDraft): string =>
  base.slice(0, start) + text + base.slice(end);

export function changedRange(before: string, after: string): Omit<NoteDraft, "commit"> {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let tail = 0;
  while (
    tail < most - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}
