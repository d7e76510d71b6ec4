import { type Language, languages } from "../../../base/text.ts";
import { costOf, type RunCost } from "../../../domain/run/price.ts";
import { parametersOf } from "../../../drakon/expression/parameters.ts";
import { diagramFromTree } from "../../../drakon/from-tree/diagram-from-tree.ts";
import { parsePseudocode } from "../../../drakon/text/parse.ts";
import type { Tree } from "../../../drakon/tree.ts";
import type { Garden } from "../../core/garden.ts";
import { noTemplate } from "../failures.ts";
import type { AgentTemplate } from "./template.ts";
import { agentTemplates, findTemplate } from "./templates.ts";

/** A template as the gallery shows it. */
export interface ListedTemplate extends Omit<AgentTemplate, "settings" | "role" | "procedure"> {
  readonly cron?: string;
  readonly events: readonly string[];
  readonly parameters: Readonly<Record<Language, readonly string[]>>;
  /** By the owner's prices; undefined if the model has none. */
  readonly cost?: RunCost;
}

export const listTemplates = ({ config }: Pick<Garden, "config">): readonly ListedTemplate[] =>
  agentTemplates.map(({ id, group, name, purpose, reads, needs, model, tokens, tools, safe_outputs, ...rest }) => {
    const { settings, procedure } = rest;
    const cost = tokens && costOf(config.prices, { model_used: model, tokens_used: tokens });
    const [uk, en] = languages.map((language) => parametersOf(treeOf(procedure[language]).params));
    return {
      id,
      group,
      name,
      purpose,
      reads,
      model,
      tools,
      safe_outputs,
      ...(needs && { needs }),
      ...(tokens && { tokens }),
      ...(settings.cron !== undefined && { cron: settings.cron }),
      events: settings.events ?? [],
      parameters: { uk: uk!, en: en! },
      ...(cost && { cost }),
    };
  });

/** Throws NOT_FOUND with the nearest name. */
export function templateDiagram(id: string, language: Language): { diagram: string; pseudocode: string } {
  const template = findTemplate(id);
  if (!template) throw noTemplate(id);
  const pseudocode = template.procedure[language];
  return { pseudocode, diagram: diagramFromTree(treeOf(pseudocode)).source.text };
}

const treeOf = (procedure: string): Tree => parsePseudocode(procedure).tree!;
