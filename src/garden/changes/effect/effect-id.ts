import { blobId } from "../../../base/canonical.ts";
import type { Hunk } from "../../../domain/note/line-hunks.ts";

/** What happens to one file, without saying where in it. */
export type FileEffect =
  | {
      /** A path of the repository, or `store:<key>`. */
      readonly path: string;
      readonly hunks: readonly Pick<Hunk, "removed" | "added">[];
      readonly change: "added" | "changed" | "removed";
    }
  /** For what is not text, or has a better name for its change than lines: tags, a comment. */
  | { readonly path: string; readonly what: unknown };

/**
 * The id of what changes: per file, the lines that go and come, in order and without positions. A change that was merged
 * into a file that moved has the id that it had before (P-7); any other byte is another id. Not canonical JSON: that
 * would take two spellings of «й» for one, and here they are two different changes.
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
