import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Conflict } from "../../../ports/repo.ts";
import type { Prepared, Ready } from "../effect/effect.ts";

const MAX_PIECES = 20;
const MAX_PIECE = 2000;

/** What keeps an approved proposal from being applied at this commit; undefined if nothing does. */
export function whyNot(proposal: Proposal, prepared: Prepared): Failure | undefined {
  switch (prepared.kind) {
    case "ready":
      return prepared.effect === proposal.approval?.effect ? undefined : otherEffect(proposal, prepared);
    case "refused":
      return prepared.failure;
    case "conflict":
      return conflict(prepared.conflicts);
    case "nothing":
      return new Failure("DUPLICATE_ENTRY", prepared.why, {
        hint: { en: "There is nothing left to do; reject it.", uk: "Робити вже нічого; відхиліть її." },
      });
  }
}

/** Both sides of every piece, so that a person can see which lines met. */
export function conflict(conflicts: readonly Conflict[]): Failure {
  const told = (language: "uk" | "en"): string =>
    conflicts
      .map(({ path, why, hunks }) => {
        const lines = hunks.map(({ line }) => line).join(", ");
        return `${path}: ${why[language]}${lines && ` (${language === "uk" ? "рядок" : "line"} ${lines})`}`;
      })
      .join("; ");
  return new Failure(
    "CONCURRENT_MODIFICATION",
    { en: told("en"), uk: told("uk") },
    {
      hint: again,
      details: {
        conflicts: conflicts.map(({ path, why, hunks }) => ({
          path,
          why,
          hunks: hunks.slice(0, MAX_PIECES).map(({ line, ours, theirs }) => ({
            line,
            ours: ours.slice(0, MAX_PIECE).toWellFormed(),
            theirs: theirs.slice(0, MAX_PIECE).toWellFormed(),
          })),
        })),
      },
    },
  );
}

/** G-5: somebody is at work on the same file. Nothing was written. */
export const handEdited = (paths: readonly string[]): Failure =>
  new Failure(
    "CONCURRENT_MODIFICATION",
    {
      en: `${paths.join(", ")}: edited by hand and not committed yet`,
      uk: `${paths.join(", ")}: змінено вручну і ще не закомічено`,
    },
    {
      hint: {
        en: "Commit the edit or undo it, then try again (`bloom proposals retry`).",
        uk: "Закомітьте зміну або скасуйте її і повторіть (`bloom proposals retry`).",
      },
      details: { paths },
    },
  );

const otherEffect = ({ approval }: Proposal, ready: Ready): Failure =>
  new Failure(
    "CONCURRENT_MODIFICATION",
    {
      en: "what it would change now is not what was approved",
      uk: "те, що вона змінила б тепер, — не те, що схвалено",
    },
    { hint: again, details: { approved: approval?.effect, now: ready.effect } },
  );

const again: Text = {
  en: "Nothing was changed. Propose it anew, from the garden as it is.",
  uk: "Нічого не змінено. Запропонуйте знову, виходячи з теперішнього саду.",
};

/** L-8: whoever wrote the approval, nobody had seen what recorded runs would have done. */
export const withoutReport = ({ id, digest }: Proposal): Failure =>
  new Failure(
    "INVALID_TRANSITION",
    {
      en: `${id} changes logic, and its approval names no report about exactly this change`,
      uk: `${id} змінює логіку, а її схвалення не називає звіту саме про цю зміну`,
    },
    {
      hint: { en: "Reject it and propose it anew.", uk: "Відхиліть її й запропонуйте знову." },
      details: { proposal: id, needs: "report", digest },
    },
  );
