/**
 * What somebody changed in a note and has not sent, kept in this browser: as the one stretch that differs from what was read, so that
 * a few words in a note of megabytes are a few words.
 */
export interface KeptDraft {
  /** The commit whose text was changed. */
  readonly commit: string;
  /** Where the stretch begins in that text and where it ended, and what stands there instead. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const keyOf = (path: string): string => `garden-bloom.draft.note.${path}`;

export function keptDraft(path: string): KeptDraft | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(path)) ?? "null") as KeptDraft | null;
    return kept ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether it is kept: a browser's storage can be full or closed. */
export function keepDraft(
  path: string,
  base: { readonly commit: string; readonly text: string },
  now: string,
): boolean {
  try {
    if (now === base.text) localStorage.removeItem(keyOf(path));
    else localStorage.setItem(keyOf(path), JSON.stringify({ commit: base.commit, ...changedStretch(base.text, now) }));
    return true;
  } catch {
    return false;
  }
}

export const forgetDraft = (path: string): void => localStorage.removeItem(keyOf(path));

export const withDraft = (base: string, { start, end, text }: KeptDraft): string =>
  base.slice(0, start) + text + base.slice(end);

export function changedStretch(before: string, after: string): Omit<KeptDraft, "commit"> {
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
