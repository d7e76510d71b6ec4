import { blobId } from "../../../base/canonical.ts";
import type { LineHunk } from "../../../domain/note/line-hunks.ts";

/** The change of one file, without positions. */
export type FileEffect =
  | {
      /** A path of the repository, or `store:<key>`. */
      readonly path: string;
      readonly hunks: readonly Pick<LineHunk, "removed" | "added">[];
      readonly change: "added" | "changed" | "removed";
    }
  /** For files that are not text, and for changes with a better identity than lines: tags, a comment. */
  | { readonly path: string; readonly what: unknown };

/**
 * The id of a change: per file, the removed and added lines in order, without positions. A change that was merged into a
 * changed file keeps its id (P-7); any other byte gives another id. Not canonical JSON, which would take two encodings of
 * «й» for one: here they are two different changes.
 */
export const effectId = (files: readonly FileEffect[]): string =>
  blobId(
    Buffer.from(
      JSON.stringify(
        files
          .map((file) =>
            "what" in file
              ? [file.path, file.what]
              : [file.path, file.change, file.hunks.map(({ removed, added }) => [removed, added])],
          )
          .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      ),
    ),
  );
