import { z } from "zod";
import { asFailure } from "../../base/failure.ts";
import { modelChoices } from "../../domain/config/model-registry.ts";
import { listModels } from "../../garden/agents/model-list.ts";
import { type Route, route } from "../route.ts";
import { textShape } from "../shapes.ts";
import { engineOf } from "./runs.ts";

export const modelRoutes: readonly Route[] = [
  route("GET /models", {
    summary: {
      en: "the models of the agents, what each needs (host, variables with the key) and what is missing; makes no call",
      uk: "моделі агентів: що кожній потрібно (вузол, змінні з ключем) і чого бракує; викликів не робить",
    },
    allows: ["owner"],
    answer: z.object({
      /** Ids that can be chosen: the follower, the providers with an address here. */
      choices: z.array(z.string()),
      models: z.array(
        z.object({
          id: z.string(),
          agents: z.array(z.string()),
          host: z.string().optional(),
          variables: z.array(z.string()),
          ok: z.boolean(),
          trouble: textShape.optional(),
          hint: textShape.optional(),
        }),
      ),
    }),
    handle: async ({ garden, gateway }) => ({
      choices: modelChoices(garden.config.models),
      models: await listModels(garden, engineOf(gateway.runs).models),
    }),
  }),
  route("POST /models/test", {
    summary: { en: "makes one short call to a model", uk: "робить один короткий виклик моделі" },
    allows: ["owner"],
    body: z.strictObject({ id: z.string().min(1).max(200) }),
    answer: z.object({
      ok: z.boolean(),
      ms: z.number().optional(),
      text: z.string().optional(),
      error: textShape.optional(),
      hint: textShape.optional(),
    }),
    async handle({ gateway, body }) {
      try {
        return { ok: true, ...(await engineOf(gateway.runs).models.test(body.id)) };
      } catch (thrown) {
        const { text: error, hint } = asFailure(thrown);
        return { ok: false, error, ...(hint && { hint }) };
      }
    },
  }),
];
