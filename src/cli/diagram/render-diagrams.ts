import { type Language, verbatim } from "../../base/text.ts";
import { behaviourId } from "../../drakon/canonical.ts";
import { renderPseudocode } from "../../drakon/text/render.ts";
import type { CommandReport } from "../command.ts";
import { brokenDiagrams, type DiagramFile } from "./diagram-files.ts";

/** The tree as JSON (`docs/tree.md`), or as pseudocode with the icons of each line. */
export function showTrees(diagrams: readonly DiagramFile[], language: Language): CommandReport {
  const trees = requireTrees(diagrams);
  const text = trees.map(({ tree }) => {
    const { text: lines, lines: icons } = renderPseudocode(tree, { language });
    const beside = new Map(icons.map(({ line, icons: ids }) => [line, ids.join(" ")]));
    const width = Math.min(16, Math.max(0, ...[...beside.values()].map((ids) => ids.length)));
    return lines
      .trimEnd()
      .split("\n")
      .map((line, index) => `${(beside.get(index + 1) ?? "").padStart(width)} │ ${line}`.trimEnd())
      .join("\n");
  });
  const json = trees.map(({ file, tree }) => ({ format: 1, file, behaviour: behaviourId(tree), tree }));
  return { text: verbatim(text.join("\n\n")), json: json.length === 1 ? json[0] : json, asked: true };
}

/** Pseudocode as in `pseudocode.md`. */
export function renderDiagrams(diagrams: readonly DiagramFile[], language: Language, numbered: boolean): CommandReport {
  const rendered = requireTrees(diagrams).map(({ file, tree }) => ({
    file,
    language,
    ...renderPseudocode(tree, { language, numbered }),
  }));
  return {
    text: verbatim(rendered.map(({ text }) => text.trimEnd()).join("\n\n")),
    json: rendered.length === 1 ? rendered[0] : rendered,
    asked: true,
  };
}

/** The diagrams with their trees; refused together if one of them has none. */
export function requireTrees(
  diagrams: readonly DiagramFile[],
): (DiagramFile & { tree: NonNullable<DiagramFile["checked"]["tree"]> })[] {
  const broken = diagrams.filter(({ checked }) => checked.tree === undefined);
  if (broken.length > 0) throw brokenDiagrams(broken);
  return diagrams.map((one) => ({ ...one, tree: one.checked.tree! }));
}
