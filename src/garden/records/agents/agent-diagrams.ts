import { keys } from "../../../domain/layout.ts";
import { type Checked, checkText } from "../../../drakon/check.ts";
import { type Drift, driftOf } from "../../../drakon/export/agent-exporter.ts";
import { fileDiagramName } from "../../../drakon/insertions.ts";
import { renderingsOf } from "../../../drakon/text/renderings.ts";
import { everyKey, type Hash, type Store } from "../../../ports/store.ts";

/** A diagram of an agent, with the result of its checks. */
export interface AgentDiagram {
  readonly file: string;
  readonly text: string;
  readonly checked: Checked;
}

export const MAIN_DIAGRAM = "main-flow.drakon.json";
const ENDING = /\.drakon\.json$/i;

/** Every diagram of an agent, in order of names. */
export async function readDiagrams(store: Store, slug: string): Promise<AgentDiagram[]> {
  const folder = keys.diagram(slug, "");
  const diagrams: AgentDiagram[] = [];
  for await (const { key } of everyKey(store, folder)) {
    const stored = ENDING.test(key) ? await store.get(key) : undefined;
    if (stored) diagrams.push(diagramOf(key.slice(folder.length), stored.bytes));
  }
  return diagrams;
}

/** The files of an agent's diagrams with their hashes, unparsed. */
export async function diagramHashes(store: Store, slug: string): Promise<Readonly<Record<string, Hash>>> {
  const hashes: Record<string, Hash> = {};
  for await (const { key } of everyKey(store, keys.diagram(slug, ""))) {
    const stored = ENDING.test(key) ? await store.get(key) : undefined;
    if (stored) hashes[key] = stored.hash;
  }
  return hashes;
}

/** A diagram without a name gets the name of its file. */
export function diagramOf(file: string, bytes: Uint8Array): AgentDiagram {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const checked = checkText(text);
  const name = checked.diagram.name || fileDiagramName(file);
  return { file, text, checked: { ...checked, tree: checked.tree && { ...checked.tree, name } } };
}

/** The diagram file that a contract names in `generated_from`, without the mark of a hand edit. */
export const originFile = (generatedFrom: string): string => generatedFrom.replace(/ *# *modified manually$/, "");

/**
 * D-6: the places where the chain diagram → pseudocode.md → _agent.md is broken. Empty for a contract that was never generated.
 */
export async function driftIn(
  store: Store,
  agent: { readonly slug: string; readonly text: string; readonly generatedFrom: string | undefined },
): Promise<readonly Drift[]> {
  if (agent.generatedFrom === undefined) return [];
  const stored = await store.get(keys.diagram(agent.slug, originFile(agent.generatedFrom)));
  const tree = stored && diagramOf(originFile(agent.generatedFrom), stored.bytes).checked.tree;
  const pseudocode = await store.get(keys.pseudocode(agent.slug));
  return driftOf({
    rendered: tree ? renderingsOf(tree) : [],
    pseudocode: pseudocode && Buffer.from(pseudocode.bytes).toString(),
    agent: agent.text,
  });
}
