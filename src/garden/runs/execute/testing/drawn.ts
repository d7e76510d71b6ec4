import { structure } from "../../../../drakon/structure/structure.ts";
import { jsonDiagram } from "../../../../drakon/testing/json-diagram.ts";
import { renderPseudocode } from "../../../../drakon/text/render.ts";

/** A diagram of steps one below the other, as its file and as pseudocode. Icons are numbered from 2. */
export function structuredTreeJson(
  name: string,
  steps: readonly string[],
  { params = "", insertion = [] }: { readonly params?: string; readonly insertion?: readonly number[] } = {},
): { readonly json: string; readonly pseudocode: string } {
  const items = Object.fromEntries([
    ["1", { type: "branch", branchId: 0, one: "2" }],
    ...steps.map((content, index) => [
      String(index + 2),
      { type: insertion.includes(index) ? "insertion" : "action", content, one: String(index + 3) },
    ]),
    [String(steps.length + 2), { type: "end" }],
  ]) as Record<string, unknown>;
  const json = { name, params, items };
  const tree = structure(jsonDiagram(json)).tree!;
  return { json: JSON.stringify(json), pseudocode: renderPseudocode(tree, { language: "en" }).text };
}
