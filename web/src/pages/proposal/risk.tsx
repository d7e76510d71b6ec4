import type { RiskLevel } from "../../../../src/drakon/compare/fact.ts";
import type { Review, Proposal as Whole } from "../../api/endpoints.gen.ts";
import type { Text } from "../../i18n/use-t.ts";
import type { LogicReport } from "./logic-report.ts";

interface Risk {
  readonly level: RiskLevel;
  /** One sentence, with a number for its first place. */
  readonly text: Text;
  readonly value: number;
}

/** Removing more lines than this from a note is worth a second look. */
const MANY_REMOVED = 20;
const MANY_FILES = 5;

/** The risk of a change, from the change itself. Of logic, the report says it. */
export function riskOf(proposal: Whole, review: Review, report: LogicReport | undefined): Risk {
  if (report) return { level: report.static.riskLevel, text: report.static.summary, value: 0 };
  if (proposal.action.startsWith("logic-")) return { level: "medium", text: sentences.logic, value: 0 };
  const removed = review.files.filter(({ change }) => change === "removed").length;
  if (removed > 0) return { level: "high", text: sentences.removesFiles, value: removed };
  if (review.conflicts.length > 0) return { level: "high", text: sentences.conflict, value: review.conflicts.length };
  const lines = review.files.flatMap(({ patch }) => patch.split("\n"));
  const lost = lines.filter((line) => /^-(?!-- )/.test(line)).length;
  if (lost > MANY_REMOVED) return { level: "medium", text: sentences.removesLines, value: lost };
  if (review.files.length > MANY_FILES)
    return { level: "medium", text: sentences.manyFiles, value: review.files.length };
  if (lost === 0) return { level: "low", text: sentences.adds, value: review.files.length };
  return { level: "low", text: sentences.changes, value: lost };
}

/** Three bars: one is low, two are medium, three are high. */
export const RiskBars = ({ level }: { readonly level: RiskLevel }) => (
  <span className={`risk-bars ${level}`} aria-hidden="true">
    <i />
    <i />
    <i />
  </span>
);

export const riskWords = {
  low: { en: "Low risk", uk: "Низький ризик" },
  medium: { en: "Medium risk", uk: "Середній ризик" },
  high: { en: "High risk", uk: "Високий ризик" },
} as const satisfies Record<RiskLevel, Text>;

const sentences = {
  logic: {
    en: "It changes how the agent works from the next run on.",
    uk: "Змінює те, як агент працюватиме від наступного запуску.",
  },
  removesFiles: {
    en: "It deletes {} [file|files]. Undoing restores [it|them] from history.",
    uk: "Видаляє {} [файл|файли|файлів]. Скасування поверне їх з історії.",
  },
  conflict: {
    en: "The same lines were changed meanwhile in {} [file|files].",
    uk: "Ті самі рядки тим часом змінено: {} [файл|файли|файлів].",
  },
  removesLines: {
    en: "It removes {} [line|lines]. It can be undone at any time.",
    uk: "Вилучає {} [рядок|рядки|рядків]. Це можна скасувати будь-коли.",
  },
  manyFiles: {
    en: "It changes {} files at once. It can be undone at any time.",
    uk: "Змінює {} [файл|файли|файлів] одразу. Це можна скасувати будь-коли.",
  },
  adds: {
    en: "It only adds, in {} [file|files]. It can be undone at any time.",
    uk: "Лише додає, {} [файл|файли|файлів]. Це можна скасувати будь-коли.",
  },
  changes: {
    en: "{} [line|lines] replaced or removed. It can be undone at any time.",
    uk: "Замінено або вилучено {} [рядок|рядки|рядків]. Це можна скасувати будь-коли.",
  },
} as const satisfies Record<string, Text>;
