import type { Language } from "../../base/text.ts";
import { compareDiagrams, type DiagramComparison } from "../../drakon/compare/compare.ts";
import { comparisonPicture } from "../../drakon/compare/comparison-picture.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { textOption } from "../options.ts";
import { inBothLanguages } from "../text-layout.ts";
import { type DiagramFile, shortText, writeFile } from "./diagram-files.ts";
import { themeOption } from "./draw-diagrams.ts";

/** The changes from the first file to the second as text; with `--out` as a picture too. */
export async function compareFiles(
  context: CommandContext,
  files: readonly DiagramFile[],
  language: Language,
): Promise<CommandReport> {
  const [before, after] = files as [DiagramFile, DiagramFile];
  const comparison = compareDiagrams(before.checked.diagram, after.checked.diagram);
  const out = textOption(context, "out");
  if (out !== undefined) {
    const sides = {
      before: before.checked.diagram,
      after: after.checked.diagram,
      names: withoutCommonFolders(before.file, after.file),
    };
    await writeFile(
      context,
      out,
      `${comparisonPicture(sides, comparison, { language, theme: themeOption(context) })}\n`,
    );
  }
  const { marks, ...json } = comparison;
  return {
    text: inBothLanguages((each) => comparisonText(before, after, comparison, each)),
    json: {
      ...json,
      marks: { before: Object.fromEntries(marks.before), after: Object.fromEntries(marks.after) },
      ...(out !== undefined && { picture: out }),
    },
    asked: true,
  };
}

/** The paths from the folder where they part, so that they fit above the drawings. */
function withoutCommonFolders(before: string, after: string): readonly [string, string] {
  const [one, two] = [before.split("/"), after.split("/")];
  let same = 0;
  while (same < Math.min(one.length, two.length) - 1 && one[same] === two[same]) same++;
  return [one.slice(same).join("/"), two.slice(same).join("/")];
}

const words = {
  risk: { en: "Risk", uk: "Ризик" },
  low: { en: "low", uk: "низький" },
  medium: { en: "medium", uk: "середній" },
  high: { en: "high", uk: "високий" },
  icons: { en: "the icons are the same", uk: "ікони ті самі" },
  same: { en: "Both have the same meaning.", uk: "Обидві означають те саме." },
} as const;

function counts({ added, removed, changed, moved, facts, summary }: DiagramComparison, language: Language): string {
  if (added.length + removed.length + changed.length + moved.length === 0)
    return facts.length === 0 ? summary[language] : words.icons[language];
  return language === "uk"
    ? `додано ${added.length}, вилучено ${removed.length}, змінено ${changed.length}, переміщено ${moved.length}`
    : `${added.length} added, ${removed.length} removed, ${changed.length} changed, ${moved.length} moved`;
}

function comparisonText(
  before: DiagramFile,
  after: DiagramFile,
  comparison: DiagramComparison,
  language: Language,
): string {
  const name = ({ checked }: DiagramFile, icon: string): string =>
    `[${shortText(icon, 20)}] ${shortText(checked.diagram.icons.get(icon)?.text ?? "", 60)}`.trimEnd();
  return [
    counts(comparison, language),
    ...(comparison.sameMeaning
      ? [words.same[language]]
      : [`${words.risk[language]}: ${words[comparison.riskLevel][language]}`]),
    ...comparison.facts.map(({ text }) => `  ! ${shortText(text[language], 600)}`),
    ...comparison.added.map((icon) => `  + ${name(after, icon)}`),
    ...comparison.removed.map((icon) => `  − ${name(before, icon)}`),
    ...comparison.changed.map((one) => `  ~ ${name(before, one.before)} → ${name(after, one.after)}`),
    ...comparison.moved.map((one) => `  ↕ ${name(after, one.after)}`),
  ].join("\n");
}
