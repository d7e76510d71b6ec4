import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Conflict } from "../../../ports/repo.ts";
import { changesLogic } from "../../records/logic/report-gate.ts";
import type { PreparedEffect, ReadyEffect } from "../effect/effect.ts";

const MAX_PIECES = 20;
const MAX_PIECE = 2000;

/** The reason why an approved proposal is not applied, and the event that it ends with. */
export interface NotApplicable {
  readonly failure: Failure;
  /** `returned`: it can be applied, but not as it was approved. It is pending again, and a person sees it anew (P-10a). */
  readonly ending: "failed" | "returned";
}

export const failing = (failure: Failure): NotApplicable => ({ failure, ending: "failed" });

/** The problem that an approved proposal meets at this commit; undefined if it can be applied. */
export function applyProblem(proposal: Proposal, prepared: PreparedEffect): NotApplicable | undefined {
  switch (prepared.kind) {
    case "ready": {
      if (prepared.effect === proposal.approval?.effect) return undefined;
      const failure = effectChanged(proposal, prepared);
      // A change of logic never merges: it is proposed anew (P-7).
      return { failure, ending: changesLogic(proposal) ? "failed" : "returned" };
    }
    case "refused":
      return failing(prepared.failure);
    case "conflict":
      return failing(linesConflict(prepared.conflicts));
    case "nothing": {
      const failure = new Failure("DUPLICATE_ENTRY", {
        ...prepared.why,
        hint: { en: "There is nothing left to do; reject it.", uk: "Робити вже нічого; відхиліть її." },
      });
      return { failure, ending: prepared.superseded_by === undefined ? "failed" : "returned" };
    }
  }
}

/** Its details have both sides of every conflicting piece, for a person to compare. */
export function linesConflict(conflicts: readonly Conflict[]): Failure {
  const summary = (language: "uk" | "en"): string =>
    conflicts
      .map(({ path, why, hunks }) => {
        const lines = hunks.map(({ line }) => line).join(", ");
        return `${path}: ${why[language]}${lines && ` (${language === "uk" ? "рядок" : "line"} ${lines})`}`;
      })
      .join("; ");
  return new Failure("CONCURRENT_MODIFICATION", {
    en: summary("en"),
    uk: summary("uk"),
    hint: proposeAnew,
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
  });
}

/** G-5: a person has uncommitted edits in the same file. Nothing was written. */
export const handEdited = (paths: readonly string[]): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${paths.join(", ")}: edited by hand and not committed yet`,
    uk: `${paths.join(", ")}: змінено вручну і ще не закомічено`,
    hint: {
      en: "Commit the edit or undo it, then try again (`bloom proposals retry`).",
      uk: "Закомітьте зміну або скасуйте її і повторіть (`bloom proposals retry`).",
    },
    details: { paths },
  });

const effectChanged = ({ approval }: Proposal, ready: ReadyEffect): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: "what it would change now is not what was approved",
    uk: "те, що вона змінила б тепер, — не те, що схвалено",
    hint: proposeAnew,
    details: { approved: approval?.effect, now: ready.effect },
  });

const proposeAnew: Text = {
  en: "Nothing was changed. Propose it again, based on the present garden.",
  uk: "Нічого не змінено. Запропонуйте знову, виходячи з теперішнього саду.",
};

/** L-8: the approval was written without a report for exactly this change. */
export const withoutReport = ({ id, digest }: Proposal): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `${id} changes logic, and its approval names no report about exactly this change`,
    uk: `${id} змінює логіку, а її схвалення не називає звіту саме про цю зміну`,
    hint: { en: "Reject it and propose it anew.", uk: "Відхиліть її й запропонуйте знову." },
    details: { proposal: id, needs: "report", digest },
  });

export const keptChanging = (id: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${id} could not be applied: main and the proposal kept changing under it`,
    uk: `${id} не вдалося застосувати: main і пропозиція весь час змінювалися`,
  });

export const fenceBusy = (): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: "other processes keep giving up at the same moment",
    uk: "інші процеси щомиті відмовляються водночас",
  });

export const objectChanged = (key: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${key} was changed by another process meanwhile`,
    uk: `${key} тим часом змінив хтось інший`,
    details: { key },
  });

export const notApplied = (id: string, status: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `${id} is ${status}: only an applied proposal can be taken back`,
    uk: `${id} має стан ${status}: відкликати можна лише застосоване`,
    details: { proposal: id, from: status },
  });

export const artifactNotOnRecord = (hash: string): Failure =>
  new Failure("NOT_FOUND", {
    en: "the artifact that this one replaced is not on record any more",
    uk: "того, що замінив цей артефакт, у записах немає",
    details: { hash },
  });

export const firstVersion = (agent: string, version: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${version} is the first version of ${agent}: there is none before it`,
    uk: `${version} — перша версія ${agent}: попередньої немає`,
  });

export const movedOn = (agent: string, adopted: string, current: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${agent} has moved on from ${adopted} to ${current}; take that back first, or roll back to a version by name`,
    uk: `${agent} перейшов з ${adopted} на ${current}; спершу відкличте це або поверніться до версії за назвою`,
  });

export const nothingToRevert = (): Failure =>
  new Failure("DUPLICATE_ENTRY", { en: "nothing of it is left to take back", uk: "відкликати вже нічого" });

export const notRevertible = (what: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `this ${what} cannot be taken back by a proposal; propose anew what it changed`,
    uk: `цю зміну (${what}) пропозицією не відкликати; запропонуйте знову те, що вона змінила`,
  });
