import { keys } from "../../domain/layout.ts";
import { declarationsOf, type ParameterDeclaration } from "../../drakon/expression/parameters.ts";
import type { Garden } from "../core/garden.ts";
import { diagramOf, MAIN_DIAGRAM, originFile } from "../records/agents/agent-diagrams.ts";
import { readAgent } from "../records/agents/read-agent.ts";

/** The inputs that the diagram of an agent declares; none for an agent without one. Throws NOT_FOUND for an unknown agent. */
export async function declaredParameters(
  { store }: Pick<Garden, "store">,
  slug: string,
): Promise<ParameterDeclaration[]> {
  const { contract } = await readAgent(store, slug);
  const file = contract.generated_from === undefined ? MAIN_DIAGRAM : originFile(contract.generated_from);
  const stored = await store.get(keys.diagram(slug, file));
  return stored ? declarationsOf(diagramOf(file, stored.bytes).checked.diagram.params) : [];
}
