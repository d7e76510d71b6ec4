import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { commandLineOwner } from "../../../domain/identity.ts";
import { diagramFromTree } from "../../../drakon/from-tree/diagram-from-tree.ts";
import { parsePseudocode } from "../../../drakon/text/parse.ts";
import { changeAgentStatus } from "../../agents/lifecycle/change-status.ts";
import { createAgent } from "../../agents/lifecycle/create-agent.ts";
import { contractText } from "../../agents/testing/contract-text.ts";
import type { Garden, GardenPorts } from "../../core/garden.ts";
import { MAIN_DIAGRAM } from "../../records/agents/agent-diagrams.ts";

/** An agent as its owner provides it: a contract with a procedure and its diagram, or with prose. */
export interface PlantedAgent {
  readonly slug: string;
  readonly contract: Readonly<Record<string, string>>;
  readonly procedure?: string;
  readonly prose?: string;
  /** Procedures that the first one calls, each with its own diagram. */
  readonly called?: readonly string[];
}

/** Creates an agent through the verbs: from its folder, with logic v001, and activated after the checks. */
export async function plant(ground: GardenPorts, garden: Garden, agent: PlantedAgent): Promise<void> {
  const { slug, contract, procedure, prose = "Be brief.\n", called = [] } = agent;
  const dir = `${garden.dir}.${slug}`;
  const front = { ...contract, ...(procedure !== undefined && { generated_from: MAIN_DIAGRAM }) };
  const files = {
    "_agent.md": contractText(slug, front, procedure === undefined ? prose : `${prose}\n${procedure}`),
    ...(procedure !== undefined && {
      "pseudocode.md": procedure,
      [`drakon/${MAIN_DIAGRAM}`]: drawnFrom(procedure),
      ...Object.fromEntries(called.map((text) => [`drakon/${nameIn(text)}.drakon.json`, drawnFrom(text)])),
    }),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  try {
    const from = { kind: "folder", folder: ground.folders.at(dir) } as const;
    await createAgent(garden, { slug, by: commandLineOwner, language: "en", from });
    await changeAgentStatus(garden, { slug, to: "active", by: commandLineOwner });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function drawnFrom(procedure: string): string {
  const { tree, findings } = parsePseudocode(procedure);
  if (!tree) throw new Error(`${JSON.stringify(findings)}\n${procedure}`);
  return diagramFromTree(tree).source.text;
}

const nameIn = (procedure: string): string => /^BEGIN "([^"]+)"/m.exec(procedure)![1]!;
