import { Failure } from "../../base/failure.ts";
import { type Language, type Text, verbatim } from "../../base/text.ts";
import { isSlug } from "../../domain/contract/slug.ts";
import { type AgentConfiguration, agentExporter } from "../../drakon/export/agent-exporter.ts";
import { analyse } from "../../drakon/expression/analyse.ts";
import { renderPseudocode } from "../../drakon/text/render.ts";
import type { Tree } from "../../drakon/tree.ts";
import { type Context, type Report, textOption } from "../command.ts";
import { type NamedDiagram, nameOf, readFile, writeFile } from "./diagram-files.ts";
import { meanings } from "./tell-diagrams.ts";

/**
 * Diagram → `pseudocode.md` → `_agent.md`. Without `--out` the contract is printed and nothing is written; a contract named by
 * `--agent` keeps everything that the diagram does not own.
 */
export async function exportDiagram(context: Context, diagram: NamedDiagram, language: Language): Promise<Report> {
  const [{ tree }] = meanings([diagram]) as [ReturnType<typeof meanings>[number]];
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
    throw new Failure("VALIDATION_FAILED", exported.why, { details: { file: existing } });
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

/** A draft with what can be read off the diagram; the owner fills in the rest before activating it. */
function draftFor({ name, file }: NamedDiagram, tree: Tree): AgentConfiguration {
  const used = [...new Set(analyse(tree).calls.map((call) => call.name))];
  const slug = nameOf(file)
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
