import { z } from "zod";
import { languages } from "../../base/text.ts";
import { agentFilePath, contractKey } from "../../domain/layout.ts";
import { actions } from "../../domain/proposal/action.ts";
import { packAgent } from "../../garden/agents/lifecycle/agent-package.ts";
import { createAgent } from "../../garden/agents/lifecycle/create-agent.ts";
import { listTemplates, templateDiagram } from "../../garden/agents/templates/list-templates.ts";
import { templateGroups } from "../../garden/agents/templates/template.ts";
import { type Route, route } from "../route.ts";
import { costShape } from "../run-shapes.ts";
import { slugParams, textShape } from "../shapes.ts";

/** Agents that come into being, and leave as a file. */
export const newAgentRoutes: readonly Route[] = [
  route("GET /agent-templates", {
    summary: {
      en: "the gallery of agents that can be created as they are: purpose, what each reads and may propose, model, price of a run (U-1b)",
      uk: "галерея агентів, яких можна створити як є: мета, що читає і що може пропонувати, модель, ціна запуску (U-1b)",
    },
    allows: ["owner"],
    answer: z.object({
      templates: z.array(
        z.object({
          id: z.string(),
          group: z.enum(templateGroups),
          name: textShape,
          purpose: textShape,
          reads: textShape,
          needs: textShape.optional(),
          model: z.string(),
          tools: z.array(z.string()),
          safe_outputs: z.array(z.enum(actions)),
          cron: z.string().optional(),
          events: z.array(z.string()),
          /** Parameters that the diagram declares, by language. */
          parameters: z.object({ uk: z.array(z.string()), en: z.array(z.string()) }),
          /** Tokens of an ordinary run; absent for a run without a language model, which is free. */
          tokens: z.object({ input: z.int(), output: z.int() }).optional(),
          /** By the owner's prices; absent if the model has none. */
          cost: costShape.optional(),
        }),
      ),
    }),
    handle: ({ garden }) => Promise.resolve({ templates: listTemplates(garden) }),
  }),
  route("GET /agent-templates/:id", {
    summary: {
      en: "the diagram and the procedure of one template, in the language of the garden unless `language` names one",
      uk: "діаграма й процедура одного шаблону, мовою саду, якщо `language` не називає іншої",
    },
    allows: ["owner"],
    params: z.object({ id: z.string().max(100) }),
    query: z.strictObject({ language: z.enum(languages).optional() }),
    answer: z.object({ id: z.string(), diagram: z.string(), pseudocode: z.string() }),
    handle: ({ garden, params: { id }, query: { language } }) =>
      Promise.resolve({ id, ...templateDiagram(id, language ?? garden.config.language ?? "uk") }),
  }),
  route("POST /agents", {
    summary: {
      en: "creates an agent as a draft: from a template, an empty drawing, pseudocode, a diagram, prose, or an exported file (C-6, U-1b)",
      uk: "створює агента-чернетку: із шаблону, порожнього креслення, псевдокоду, діаграми, словами або з експортованого файлу (C-6, U-1b)",
    },
    allows: ["owner"],
    bodySize: "submission",
    body: z.strictObject({
      slug: z.string().max(100),
      name: z.string().max(200).optional(),
      description: z.string().max(2000).optional(),
      model: z.string().max(200).optional(),
      language: z.enum(languages).optional(),
      from: z
        .discriminatedUnion("kind", [
          z.strictObject({ kind: z.literal("template"), template: z.string().max(100).optional() }),
          z.strictObject({ kind: z.literal("drawing") }),
          z.strictObject({ kind: z.literal("pseudocode"), text: z.string() }),
          z.strictObject({ kind: z.literal("prose") }),
          z.strictObject({ kind: z.literal("diagram"), file: z.string().min(1).max(200), text: z.string() }),
          z.strictObject({ kind: z.literal("file"), text: z.string() }),
        ])
        .default({ kind: "template" }),
    }),
    status: 201,
    answer: z.object({
      slug: z.string(),
      /** The path of the contract in the garden. */
      file: z.string(),
      contract: z.record(z.string(), z.unknown()),
      hash: z.string(),
    }),
    async handle({ garden, body: { from, language, ...wish }, identity }) {
      const source = from.kind === "diagram" ? { ...from, bytes: Buffer.from(from.text) } : from;
      const { slug, contract, hash } = await createAgent(garden, {
        ...wish,
        from: source,
        by: identity,
        language: language ?? garden.config.language ?? "uk",
      });
      return { slug, file: agentFilePath(garden.config.agents_root, contractKey(slug))!, contract, hash };
    },
  }),
  route("GET /agents/:slug/export", {
    summary: {
      en: "the owner's files of one agent as one document, which POST /agents takes in another garden; runs and memory stay",
      uk: "файли агента, які писав власник, одним документом, що його прийме POST /agents іншого саду; запуски й пам'ять лишаються",
    },
    allows: ["owner"],
    params: slugParams,
    answer: z.object({
      format: z.string(),
      version: z.int(),
      slug: z.string(),
      exported_at: z.string(),
      files: z.array(z.object({ path: z.string(), text: z.string().optional(), base64: z.string().optional() })),
    }),
    handle: ({ garden, params: { slug } }) => packAgent(garden, slug),
  }),
];
