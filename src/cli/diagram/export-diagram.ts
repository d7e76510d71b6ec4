import { Failure } from "../../base/failure.ts";
import { type Language, type Text, verbatim } from "../../base/text.ts";
import { isSlug } from "../../domain/contract/slug.ts";
import { type AgentConfiguration, agentExporter } from "../../drakon/export/agent-exporter.ts";
import { analyse } from "../../drakon/expression/analyse.ts";
import { renderPseudocode } from "../../drakon/text/render.ts";
import type { Tree } from "../../drakon/tree.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { textOption } from "../options.ts";
import { type DiagramFile, diagramNameOf, readFile, writeFile } from "./diagram-files.ts";
import { requireTrees } from "./render-diagrams.ts";

/**
 * Exports a diagram to `pseudocode.md` and `_agent.md`. Without `--out` the contract is printed and nothing is written. With
 * `--agent`, fields of that contract that do not come from the diagram are kept.
 */
export async function exportDiagram(
  context: CommandContext,
  diagram: DiagramFile,
  language: Language,
): Promise<CommandReport> {
  const [{ tree }] = requireTrees([diagram]) as [ReturnType<typeof requireTrees>[number]];
  const existing = textOption(context, "agent");
  const pseudocode = renderPseudocode(tree, { language }).text;
  const exported = agentExporter({
    pseudocode,
    generatedFrom: diagram.file === "-" ? "main-flow.drakon.json" : diagram.file.replace(/^.*[/\\]/, ""),
    language,
    at: new Date(context.ground.world.now()).toISOString().replace(/\.\d+Z$/, "Z"),
    agent: existing === undefined ? draftFor(diagram, tree) : Buffer.from(await readFile(context, existing)).toString(),
  });
  if (exported.kind === "refused")
    throw new Failure("VALIDATION_FAILED", { ...exported.why, details: { file: existing } });
  const out = textOption(context, "out");
  if (out === undefined) return { text: verbatim(exported.agentFile.trimEnd()), json: exported, asked: true };
  await writeFile(context, `${out}/pseudocode.md`, pseudocode);
  await writeFile(context, `${out}/_agent.md`, exported.agentFile);
  const said: Text = {
    en: `Wrote ${out}/pseudocode.md and ${out}/_agent.md (version ${exported.version})`,
    uk: `Записано ${out}/pseudocode.md і ${out}/_agent.md (версія ${exported.version})`,
  };
  return { text: said, json: exported };
}

/** A draft contract derived from the diagram; the owner completes it before activation. */
function draftFor({ name, file }: DiagramFile, tree: Tree): AgentConfiguration {
  const used = [...new Set(analyse(tree).calls.map((call) => call.name))];
  const slug = diagramNameOf(file)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 63);
  return {
    name: name || "agent",
    slug: isSlug(slug) ? slug : "agent",
    description: tree.description.split("\n")[0] || name || "…",
    model: "bloom/follower",
    tools: used.includes("create-proposal") ? used : [...used, "create-proposal"],
    safe_outputs: ["propose-note"],
    triggers: { manual: true },
    created_by: "owner",
  };
}
