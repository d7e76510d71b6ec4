import type { Language } from "../../base/text.ts";
import { type DiagramComparison, compareDiagrams } from "../../drakon/compare/compare.ts";
import { comparisonPicture } from "../../drakon/compare/comparison-picture.ts";
import { type Context, type Report, textOption } from "../command.ts";
import { type NamedDiagram, shortText, writeFile } from "./diagram-files.ts";
import { themeOf } from "./draw-diagrams.ts";

/** What changed from the first file to the second, in words; with `--out` as a picture too. */
export async function compareFiles(
  context: Context,
  files: readonly NamedDiagram[],
  language: Language,
): Promise<Report> {
  const [before, after] = files as [NamedDiagram, NamedDiagram];
  const comparison = compareDiagrams(before.checked.diagram, after.checked.diagram);
  const out = textOption(context, "out");
  if (out !== undefined) {
    const sides = {
      before: before.checked.diagram,
      after: after.checked.diagram,
      names: [before.file, after.file] as const,
    };
    await writeFile(context, out, `${comparisonPicture(sides, comparison, { language, theme: themeOf(context) })}\n`);
  }
  const { marks, ...json } = comparison;
  return {
    text: { uk: told(before, after, comparison, "uk"), en: told(before, after, comparison, "en") },
    json: {
      ...json,
      marks: { before: Object.fromEntries(marks.before), after: Object.fromEntries(marks.after) },
      ...(out !== undefined && { picture: out }),
    },
    asked: true,
  };
}

const words = {
  risk: { en: "Risk", uk: "Ризик" },
  low: { en: "low", uk: "низький" },
  medium: { en: "medium", uk: "середній" },
  high: { en: "high", uk: "високий" },
  same: { en: "Both mean the same.", uk: "Обидві означають те саме." },
} as const;

function counts({ added, removed, changed, moved, summary }: DiagramComparison, language: Language): string {
  if (added.length + removed.length + changed.length + moved.length === 0) return summary[language];
  return language === "uk"
    ? `додано ${added.length}, вилучено ${removed.length}, змінено ${changed.length}, переміщено ${moved.length}`
    : `${added.length} added, ${removed.length} removed, ${changed.length} changed, ${moved.length} moved`;
}

function told(before: NamedDiagram, after: NamedDiagram, comparison: DiagramComparison, language: Language): string {
  const name = ({ checked }: NamedDiagram, icon: string): string =>
    `[${shortText(icon, 20)}] ${shortText(checked.diagram.icons.get(icon)?.text ?? "", 60)}`.trimEnd();
  return [
    counts(comparison, language),
    ...(comparison.sameMeaning
      ? [words.same[language]]
      : [`${words.risk[language]}: ${words[comparison.riskLevel][language]}`]),
    ...comparison.facts.map(({ text }) => `  ! ${shortText(text[language], 200)}`),
    ...comparison.added.map((icon) => `  + ${name(after, icon)}`),
    ...comparison.removed.map((icon) => `  − ${name(before, icon)}`),
    ...comparison.changed.map((one) => `  ~ ${name(before, one.before)} → ${name(after, one.after)}`),
    ...comparison.moved.map((one) => `  ↕ ${name(after, one.after)}`),
  ].join("\n");
}
