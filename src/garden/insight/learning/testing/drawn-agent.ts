import { keys } from "../../../../domain/layout.ts";
import { diagramFromTree } from "../../../../drakon/from-tree/diagram-from-tree.ts";
import { parsePseudocode } from "../../../../drakon/text/parse.ts";
import { renderPseudocode } from "../../../../drakon/text/render.ts";
import type { Garden } from "../../../core/garden.ts";
import { MAIN_DIAGRAM } from "../../../records/agents/agent-diagrams.ts";
import { activeAgent } from "../../../runs/testing/agent-ground.ts";

/** The diagram file of a procedure. */
export const drawnFrom = (pseudocode: string): string => diagramFromTree(parsePseudocode(pseudocode).tree!).source.text;

/** Creates an active agent with this procedure in its diagram and contract. */
export async function drawnAgent(
  garden: Garden,
  slug: string,
  pseudocode: string,
  over: Readonly<Record<string, string | undefined>> = {},
): Promise<{ readonly diagram: string }> {
  const { tree, language } = parsePseudocode(pseudocode);
  const diagram = drawnFrom(pseudocode);
  const body = renderPseudocode(tree!, { language: language ?? "en" }).text;
  await garden.store.create(keys.diagram(slug, MAIN_DIAGRAM), Buffer.from(diagram));
  await garden.store.create(keys.pseudocode(slug), Buffer.from(body));
  await activeAgent(garden, slug, { generated_from: MAIN_DIAGRAM, ...over }, body);
  return { diagram };
}
