import { asFailure, Failure } from "../../base/failure.ts";
import { joined, type Text, verbatim } from "../../base/text.ts";
import { type ListedModel, listModels } from "../../garden/agents/model-list.ts";
import type { Garden } from "../../garden/core/garden.ts";
import type { Models } from "../../ports/models.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { example } from "../options.ts";
import { gardenCommand, type Subcommands } from "../subcommands.ts";
import { oneLine } from "../text-layout.ts";

/** A model did not answer. */
const EXIT_NO_ANSWER = 1;

const subcommands: Subcommands = {
  list: {
    usage: "",
    words: [0, 0],
    does: {
      en: "the models of the agents, what each needs and what is missing",
      uk: "моделі агентів: що кожній потрібно і чого бракує",
    },
    run: async (context, garden) => {
      const models = await listModels(garden, await modelsOf(context, garden));
      const text = models.length === 0 ? NO_MODELS : joined(models.map(modelText), "\n");
      return { text, json: { models }, asked: true };
    },
  },
  test: {
    usage: "[ID]",
    words: [0, 1],
    does: {
      en: "make one short call to a model, or to each model of an agent",
      uk: "зробити один короткий виклик моделі або кожної моделі агентів",
    },
    run: (context, garden, [id]) => testModels(context, garden, id),
  },
};

export const modelCommand = gardenCommand({
  name: "model",
  summary: {
    en: "language models: what is missing, and a test call",
    uk: "мовні моделі: чого бракує, і пробний виклик",
  },
  usual: "list",
  subcommands,
  options: {},
  examples: [example("bloom model test local/qwen3:8b", "does it answer?", "чи вона відповідає?")],
});

async function modelsOf(context: CommandContext, garden: Garden): Promise<Models> {
  const models = await context.machine.models?.(garden);
  if (models) return models;
  throw new Failure("UPSTREAM_UNAVAILABLE", {
    en: "this bloom cannot ask models",
    uk: "цей bloom не може питати моделей",
    details: { part: "models" },
  });
}

async function testModels(context: CommandContext, garden: Garden, id: string | undefined): Promise<CommandReport> {
  const models = await modelsOf(context, garden);
  const ids = id === undefined ? (await listModels(garden, models)).map((each) => each.id) : [id];
  const lines: Text[] = [];
  const results: object[] = [];
  let isAnswered = true;
  for (const each of ids) {
    context.progress.at({ en: `asking ${each}`, uk: `запит до ${each}` });
    try {
      const { ms, text } = await models.test(each);
      lines.push(verbatim(`✓ ${each}  ${ms} ms  ${oneLine(text)}`.trimEnd()));
      results.push({ id: each, ok: true, ms, text });
    } catch (error) {
      const { code, text, hint } = asFailure(error);
      isAnswered = false;
      lines.push({
        en: `✗ ${text.en}${hint ? `\n→ ${hint.en}` : ""}`,
        uk: `✗ ${text.uk}${hint ? `\n→ ${hint.uk}` : ""}`,
      });
      results.push({ id: each, ok: false, code, error: text, ...(hint && { hint }) });
    }
  }
  context.progress.end();
  const text = ids.length === 0 ? NO_MODELS : joined(lines, "\n");
  return { text, json: { results }, asked: true, exit: isAnswered ? 0 : EXIT_NO_ANSWER };
}

function modelText({ id, agents, host, variables, trouble, hint }: ListedModel): Text {
  const needs = [...(host === undefined ? [] : [host]), ...variables].join(", ");
  const head = `${trouble ? "✗" : "✓"} ${id}  ${agents.join(", ")}${needs === "" ? "" : `  (${needs})`}`;
  if (!trouble) return verbatim(head);
  return {
    en: `${head}\n  ${trouble.en}${hint ? `\n  → ${hint.en}` : ""}`,
    uk: `${head}\n  ${trouble.uk}${hint ? `\n  → ${hint.uk}` : ""}`,
  };
}

const NO_MODELS: Text = { en: "No agents, so no models.", uk: "Агентів немає, тож і моделей." };
