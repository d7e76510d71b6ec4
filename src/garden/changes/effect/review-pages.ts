import type { ReviewFile } from "./effect.ts";
import type { Review } from "./review.ts";

/** Patches of one answer together. A merge can have thousands of files. */
const MAX_PATCH_CHARACTERS = 1_000_000;
const MOST_FILES = 200;

/** A file of a review whose patch is left out: `GET /proposals/:id/files` has it. */
export type ListedFile = ReviewFile & { readonly cut?: true };

/** The review with every file, and with patches up to a limit; the files behind it have `cut`. */
export function boundedReview(review: Review): Omit<Review, "files"> & { readonly files: readonly ListedFile[] } {
  let left = MAX_PATCH_CHARACTERS;
  // A review of one file is shown whole, whatever its size.
  if (review.files.length <= 1) return review;
  const files = review.files.map((file): ListedFile => {
    left -= file.patch.length;
    return left >= 0 ? file : { ...file, patch: "", cut: true };
  });
  return { ...review, files };
}

/** Whole files of a review from behind `after` on, as many as fit; `next` is the `after` of the next page. */
export function reviewPage(
  { files }: Pick<Review, "files">,
  { after, limit = MOST_FILES }: { readonly after?: string | undefined; readonly limit?: number | undefined },
): { readonly files: readonly ReviewFile[]; readonly total: number; readonly next?: string } {
  const from = after === undefined ? 0 : files.findIndex(({ path }) => path === after) + 1;
  const page: ReviewFile[] = [];
  let size = 0;
  for (const file of files.slice(from, from + Math.min(limit, MOST_FILES))) {
    size += file.patch.length;
    if (page.length > 0 && size > MAX_PATCH_CHARACTERS) break;
    page.push(file);
  }
  const last = page.at(-1)?.path;
  const isMore = last !== undefined && from + page.length < files.length;
  return { files: page, total: files.length, ...(isMore && { next: last }) };
}
