import { createHash } from "node:crypto";
import { stringify } from "yaml";
import { Failure } from "../../../base/failure.ts";
import { joined } from "../../../base/text.ts";
import { contractFile } from "../../../domain/contract/contract-file.ts";
import { skillProblems } from "../../../domain/import/skill-rules.ts";
import { behaviourId } from "../../../drakon/canonical.ts";
import { readDiagram } from "../../../drakon/diagram/diagram.ts";
import { drawDiagram } from "../../../drakon/draw/draw.ts";
import type { Garden } from "../../core/garden.ts";
import { originFile, readDiagrams } from "../../records/agents/agent-diagrams.ts";
import { readAgent } from "../../records/agents/read-agent.ts";
import { packAgent } from "../lifecycle/agent-package.ts";

/** A skill folder as other products load it. */
export interface SkillFolder {
  /** The name of the folder, which the format wants to be the skill's. */
  readonly name: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export const AGENT_ASSET = "assets/agent.json";
const MOST_BODY_LINES = 480;

/**
 * An agent as a skill (I-4): its instructions with the procedure, its diagrams as pictures, version and behaviour in the metadata. The
 * agent's own files go along as one asset, so that a garden restores it without a loss.
 */
export async function exportSkill(garden: Pick<Garden, "store" | "world">, slug: string): Promise<SkillFolder> {
  const { contract, text } = await readAgent(garden.store, slug);
  const name = slug.replaceAll(/-{2,}/g, "-");
  const files = new Map<string, Uint8Array>();
  const diagrams = await readDiagrams(garden.store, slug);
  for (const { file, text: json, checked } of diagrams) {
    const { svg } = drawDiagram(readDiagram(json).diagram, { language: "en", name: checked.tree?.name ?? file });
    files.set(`references/${file.replace(/\.drakon\.json$/i, "")}.svg`, Buffer.from(svg));
  }
  const main = diagrams.find(
    ({ file }) => contract.generated_from !== undefined && file === originFile(contract.generated_from),
  );
  const body = text.slice(contractFile(text)!.bodyStart).trim();
  const isLong = body.split("\n").length > MOST_BODY_LINES;
  if (isLong) files.set("references/instructions.md", Buffer.from(`${body}\n`));
  const shown = isLong ? "Read [the instructions](references/instructions.md) and follow them." : body;
  const pictures = [...files.keys()].filter((path) => path.endsWith(".svg")).map((path) => `- [${path}](${path})`);
  const rest = pictures.length === 0 ? "" : `\n\n## Diagrams\n\n${pictures.join("\n")}`;
  const instructions = `${shown}${rest}\n`;
  // The same agent gives the same bytes: no time of the export.
  const packed = { ...(await packAgent(garden, slug)), exported_at: contract.updated_at };
  const asset = Buffer.from(`${JSON.stringify(packed, null, 2)}\n`);
  files.set(AGENT_ASSET, asset);
  const front = {
    name,
    description: contract.description,
    metadata: {
      version: contract.version,
      ...(main?.checked.tree && { behaviour: behaviourId(main.checked.tree) }),
      "garden-bloom": skillSeal(instructions, asset),
    },
  };
  files.set("SKILL.md", Buffer.from(`---\n${stringify(front, { lineWidth: 0 })}---\n\n${instructions}`));
  const problems = skillProblems(name, files);
  if (problems.length > 0) throw new Failure("VALIDATION_FAILED", { ...joined(problems, "\n"), details: { problems } });
  return { name, files };
}

/** A hash over the instructions and the asset: after an edit of either, the folder is an ordinary skill. */
export const skillSeal = (instructions: string, asset: Uint8Array): string =>
  createHash("sha256").update(instructions.trim()).update("\0").update(asset).digest("hex");
