import { assert } from "../../../base/assert.ts";
import { hunksBetween, type LineHunk, linesOf, unifiedPatch } from "../../../domain/note/line-hunks.ts";
import type { ReviewFile } from "./effect.ts";
import type { FileEffect } from "./effect-id.ts";

/** The change of one text file (undefined: no file): what is shown, and what identifies it. */
export interface FileChange {
  readonly review: ReviewFile;
  readonly effect: FileEffect;
}

/** `hunks`: passed if they are known from a merge. */
export function fileChange(
  path: string,
  before: string | undefined,
  after: string | undefined,
  hunks: readonly LineHunk[] = hunksBetween(linesOf(before ?? ""), linesOf(after ?? "")),
): FileChange {
  assert(before !== undefined || after !== undefined, "a change has a side");
  const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return { review: { path, change, patch: unifiedPatch(path, before, after) }, effect: { path, change, hunks } };
}
