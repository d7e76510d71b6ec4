import type { Text } from "../../base/text.ts";
import { behaviourId } from "../../drakon/canonical.ts";
import { type Analysis, analyse } from "../../drakon/expression/analyse.ts";
import type { Finding } from "../../drakon/finding.ts";
import { checkInsertions } from "../../drakon/insertions.ts";
import { meaningErrors } from "../../drakon/meaning.ts";
import type { CommandReport } from "../command.ts";
import { inBothLanguages } from "../text-layout.ts";
import { type DiagramFile, shortText } from "./diagram-files.ts";

/**
 * All findings of the diagrams; exit code 1 if there is an error. With `ofOneAgent`, every diagram that an insertion calls must
 * be among them (D-7).
 */
export function checkDiagrams(diagrams: readonly DiagramFile[], ofOneAgent: boolean): CommandReport {
  const insertions = ofOneAgent
    ? checkInsertions(diagrams.map(({ file, checked }) => ({ file, diagram: checked.diagram }))).findings
    : [];
  const checkedFiles = diagrams.map(({ file, name, checked }) => {
    const analysis = checked.tree && analyse(checked.tree);
    const errors = checked.tree ? meaningErrors(checked.tree) : [];
    const warnings = (analysis?.findings ?? []).filter(({ severity }) => severity === "warning");
    return {
      file,
      name,
      ok: checked.tree !== undefined && errors.length === 0 && !insertions.some((one) => one.file === file),
      icons: checked.diagram.icons.size,
      ...(checked.tree && { behaviour: behaviourId(checked.tree) }),
      ...(analysis && { tools: toolsOf(analysis) }),
      findings: [...checked.findings, ...errors, ...warnings, ...insertions.filter((one) => one.file === file)],
    };
  });
  const text = inBothLanguages((language) =>
    checkedFiles
      .flatMap(({ file, ok, icons, findings }) => [
        ...findings.map((one) => `${file}: ${findingLine(one, language)}`),
        ...(ok ? [`${file}: ${language === "uk" ? `гаразд, ікон: ${icons}` : `valid, ${icons} icons`}`] : []),
      ])
      .join("\n"),
  );
  return {
    text,
    json: checkedFiles,
    asked: true,
    exit: checkedFiles.every(({ ok }) => ok) ? 0 : 1,
  };
}

const words: Readonly<Record<Finding["severity"], Text>> = {
  error: { en: "error", uk: "помилка" },
  warning: { en: "warning", uk: "застереження" },
};

export function findingLine({ code, severity, icon, iconText, message }: Finding, language: "uk" | "en"): string {
  const text = shortText(iconText ?? "", 40);
  const about = icon === undefined ? "" : ` [${shortText(icon, 20)}${text === "" ? "" : ` “${text}”`}]`;
  return `${words[severity][language]} ${code}${about}: ${message[language]}`;
}

const toolsOf = (analysis: Analysis): string[] => [...new Set(analysis.calls.map(({ name }) => name))];
