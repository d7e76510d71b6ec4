import { assert } from "../../../base/assert.ts";
import { type Hunk, hunksBetween, linesOf, unifiedPatch } from "../../../domain/note/line-hunks.ts";
import type { ReviewFile } from "./effect.ts";
import type { FileEffect } from "./effect-id.ts";

/** One text file before and after (undefined: not there): what is shown of it, and what counts as its change. */
export interface FileChange {
  readonly review: ReviewFile;
  readonly effect: FileEffect;
}

/** `hunks` where they are known already (from a merge); else they are worked out. */
export function fileChange(
  path: string,
  before: string | undefined,
  after: string | undefined,
  hunks: readonly Hunk[] = hunksBetween(linesOf(before ?? ""), linesOf(after ?? "")),
): FileChange {
  assert(before !== undefined || after !== undefined, "a change has a side");
  const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return { review: { path, change, patch: unifiedPatch(path, before, after) }, effect: { path, change, hunks } };
}
