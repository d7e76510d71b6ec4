import { Failure } from "../../../base/failure.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Review } from "../effect/review.ts";

/**
 * The files of a merge that the owner approves, in the order of the review; undefined if these are all. Throws VALIDATION_FAILED for a
 * file that the review did not show, for none, and for half of a move.
 */
export function chosenPart(
  proposal: Proposal,
  { files }: Pick<Review, "files">,
  asked: readonly string[],
): readonly string[] | undefined {
  if (proposal.action !== "propose-merge") throw notAMerge(proposal.id);
  const wanted = new Set(asked);
  const unknown = asked.find((path) => !files.some((file) => file.path === path));
  if (unknown !== undefined) throw notInReview(proposal.id, unknown);
  if (wanted.size === 0) throw noneChosen(proposal.id);
  for (const { path, moved_from, moved_to } of files) {
    const other = moved_from ?? moved_to;
    if (other !== undefined && wanted.has(path) && !wanted.has(other)) throw halfMove(path, other);
  }
  const chosen = files.map(({ path }) => path).filter((path) => wanted.has(path));
  return chosen.length === files.length ? undefined : chosen;
}

const refused = (en: string, uk: string, details: Record<string, string>): Failure =>
  new Failure("VALIDATION_FAILED", { en, uk, details });

const notAMerge = (id: string): Failure =>
  refused(
    `${id} is approved as a whole: only files of a merge can be chosen`,
    `${id} схвалюють цілою: вибирати можна лише файли злиття`,
    { proposal: id },
  );

const notInReview = (id: string, path: string): Failure =>
  refused(
    `${id} does not change ${path}; \`bloom proposals show ${id}\` lists its files`,
    `${id} не змінює ${path}; її файли показує \`bloom proposals show ${id}\``,
    { proposal: id, path },
  );

const noneChosen = (id: string): Failure =>
  refused(
    `no file of ${id} is chosen; reject it if nothing of it is wanted`,
    `не вибрано жодного файлу ${id}; відхиліть її, якщо нічого з неї не потрібно`,
    { proposal: id },
  );

const halfMove = (path: string, other: string): Failure =>
  refused(
    `${path} and ${other} are one move: choose both or neither`,
    `${path} і ${other} — одне переміщення: виберіть обидва або жодного`,
    { path, other },
  );
