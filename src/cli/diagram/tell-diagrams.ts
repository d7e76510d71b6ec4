import { type Language, verbatim } from "../../base/text.ts";
import { behaviourId } from "../../drakon/canonical.ts";
import { renderPseudocode } from "../../drakon/text/render.ts";
import type { Report } from "../command.ts";
import { type NamedDiagram, refusal } from "./diagram-files.ts";

/** The tree: for programs as JSON (`docs/tree.md`), for people as numbered pseudocode with the icons beside it. */
export function showTrees(diagrams: readonly NamedDiagram[], language: Language): Report {
  const trees = meanings(diagrams);
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

/** Pseudocode, as it goes into `pseudocode.md`. */
export function renderDiagrams(diagrams: readonly NamedDiagram[], language: Language, numbered: boolean): Report {
  const rendered = meanings(diagrams).map(({ file, tree }) => ({
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
export function meanings(
  diagrams: readonly NamedDiagram[],
): (NamedDiagram & { tree: NonNullable<NamedDiagram["checked"]["tree"]> })[] {
  const broken = diagrams.filter(({ checked }) => checked.tree === undefined);
  if (broken.length > 0) throw refusal(broken);
  return diagrams.map((one) => ({ ...one, tree: one.checked.tree! }));
}
