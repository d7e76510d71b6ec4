import type { Text } from "../../../base/text.ts";
import { hunksBetween, linesOf } from "../../../domain/note/line-hunks.ts";
import { comparePrograms } from "../../../drakon/compare/compare-programs.ts";
import type { RiskLevel } from "../../../drakon/compare/fact.ts";

/** The difference of two logics: lines of the text, icons and facts of the diagrams (L-5). */
export interface LogicComparison {
  /** `+3 рядки, −1 рядок: додано перевірку …` */
  readonly summary: Text;
  /** The summary, and why the risk is what it is. */
  readonly text: Text;
  readonly riskLevel: RiskLevel;
  /** Sentences of the facts with that risk, of the main diagram and of those that it calls. */
  readonly reasons: readonly Text[];
}

interface Side {
  readonly diagram: string | undefined;
  readonly procedure: string;
}

/**
 * Texts without diagrams are compared by lines. Their meaning is unknown, so any change is a medium risk, and a change of
 * most lines a high one.
 */
export function compareLogic(before: Side | undefined, after: Side): LogicComparison {
  const [old, now] = [linesOf(before?.procedure ?? ""), linesOf(after.procedure)];
  const hunks = hunksBetween(old, now);
  const added = hunks.reduce((sum, hunk) => sum + hunk.added.length, 0);
  const removed = hunks.reduce((sum, hunk) => sum + hunk.removed.length, 0);
  const lines = lineCounts(added, removed);
  if (before?.diagram !== undefined && after.diagram !== undefined) {
    const program = comparePrograms(before.diagram, after.diagram);
    const summary = [program.main.summary, ...program.called.map(({ summary: told }) => told)].reduce(together, lines);
    const reasons = program.reasons.filter((reason) => !summary.en.includes(reason.en));
    const { riskLevel } = program;
    return {
      summary,
      text: reasons.reduce(together, together(summary, riskText(riskLevel))),
      riskLevel,
      reasons: program.reasons,
    };
  }
  const riskLevel: RiskLevel = !before || added + removed === 0 ? "low" : removed * 2 > old.length ? "high" : "medium";
  const summary = before ? lines : together(firstVersion, lines);
  return { summary, text: together(summary, riskText(riskLevel)), riskLevel, reasons: [] };
}

const together = (a: Text, b: Text): Text => ({ en: `${a.en}; ${b.en}`, uk: `${a.uk}; ${b.uk}` });

const firstVersion: Text = { en: "first version", uk: "перша версія" };

const risks: Readonly<Record<RiskLevel, string>> = { low: "низький", medium: "середній", high: "високий" };
const riskText = (level: RiskLevel): Text => ({ en: `risk: ${level}`, uk: `ризик: ${risks[level]}` });

function lineCounts(added: number, removed: number): Text {
  if (added === 0 && removed === 0) return { en: "no line changes", uk: "рядки без змін" };
  const parts = [...(added > 0 ? [["+", added] as const] : []), ...(removed > 0 ? [["−", removed] as const] : [])];
  return {
    en: parts.map(([sign, count]) => `${sign}${count} ${count === 1 ? "line" : "lines"}`).join(", "),
    uk: parts.map(([sign, count]) => `${sign}${count} ${linesWord(count)}`).join(", "),
  };
}

function linesWord(count: number): string {
  const [tens, ones] = [count % 100, count % 10];
  if (ones === 1 && tens !== 11) return "рядок";
  return ones > 1 && ones < 5 && !(tens > 11 && tens < 15) ? "рядки" : "рядків";
}
