import { diffArrays } from "diff";

/** Removed and added lines; `at` is the 0-based line in the old text. */
export interface LineHunk {
  readonly at: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * Above this many changed lines the changed middle is one hunk. A limit in steps, not in time: the same two texts
 * must give the same hunks on every machine, because effect ids are derived from them.
 */
const MAX_EDIT_LENGTH = 2000;
const CONTEXT_LINES = 3;

/** Lines with their line ends; joined, they are the text. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

export function hunksBetween(before: readonly string[], after: readonly string[]): LineHunk[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  if (removed.length === 0 && added.length === 0) return [];
  if (removed.length === 0 || added.length === 0) return [{ at: head, removed, added }];
  const changes = diffArrays(removed, added, { maxEditLength: MAX_EDIT_LENGTH });
  if (!changes) return [{ at: head, removed, added }];
  const hunks: { at: number; removed: string[]; added: string[] }[] = [];
  let at = head;
  let open: (typeof hunks)[number] | undefined;
  for (const change of changes) {
    if (!change.added && !change.removed) {
      at += change.value.length;
      open = undefined;
      continue;
    }
    if (!open) hunks.push((open = { at, removed: [], added: [] }));
    open[change.added ? "added" : "removed"].push(...change.value);
    if (change.removed) at += change.value.length;
  }
  return hunks;
}

/** Unified diff for people: `a/` and `b/` before the path, `/dev/null` for a missing side. */
export function unifiedPatch(path: string, before: string | undefined, after: string | undefined): string {
  const [from, to] = [
    before === undefined ? "/dev/null" : `a/${path}`,
    after === undefined ? "/dev/null" : `b/${path}`,
  ];
  return patchNamed(from, to, before ?? "", after ?? "");
}

/** Unified diff of two texts with their own names. */
export function patchNamed(nameBefore: string, nameAfter: string, before: string, after: string): string {
  const lines = linesOf(before);
  const hunks = hunksBetween(lines, linesOf(after));
  let patch = `--- ${nameBefore}\n+++ ${nameAfter}\n`;
  let shift = 0;
  for (const group of grouped(hunks)) {
    const first = group[0]!;
    const last = group.at(-1)!;
    const from = Math.max(0, first.at - CONTEXT_LINES);
    const to = Math.min(lines.length, last.at + last.removed.length + CONTEXT_LINES);
    let at = from;
    let body = "";
    let grown = 0;
    for (const { at: start, removed, added } of group) {
      body += marked(" ", lines.slice(at, start)) + marked("-", removed) + marked("+", added);
      at = start + removed.length;
      grown += added.length - removed.length;
    }
    body += marked(" ", lines.slice(at, to));
    patch += `@@ -${range(from, to - from)} +${range(from + shift, to - from + grown)} @@\n${body}`;
    shift += grown;
  }
  return patch;
}

/** Hunks with overlapping context lines are grouped. */
function grouped(hunks: readonly LineHunk[]): LineHunk[][] {
  const groups: LineHunk[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const hunk of hunks) {
    if (hunk.at - end <= 2 * CONTEXT_LINES) groups.at(-1)!.push(hunk);
    else groups.push([hunk]);
    end = hunk.at + hunk.removed.length;
  }
  return groups;
}

const range = (from: number, count: number): string =>
  count === 1 ? `${from + 1}` : `${count === 0 ? from : from + 1},${count}`;

const marked = (mark: string, lines: readonly string[]): string =>
  lines
    .map((line) => (line.endsWith("\n") ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`))
    .join("");
