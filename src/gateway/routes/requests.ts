import { z } from "zod";
import { slugField } from "../../domain/identity.ts";
import { runRequestId } from "../../domain/run/request.ts";
import { answerRequest } from "../../garden/runs/answer.ts";
import { openRequests } from "../../garden/runs/hold.ts";
import { type Route, route } from "../route.ts";
import { personAnswerShape, personRequestShape } from "../run-shapes.ts";

export const requestRoutes: readonly Route[] = [
  route("GET /requests", {
    summary: {
      en: "open questions of runs to a person, oldest first",
      uk: "що запуски питають у людини, найдавніші перші",
    },
    allows: ["owner"],
    query: z.strictObject({ agent: slugField.optional() }),
    answer: z.object({ requests: z.array(personRequestShape) }),
    async handle({ garden, query: { agent } }) {
      const open = await openRequests(garden);
      return { requests: agent === undefined ? open : open.filter(({ agent_slug }) => agent_slug === agent) };
    },
  }),
  route("POST /requests/:id/answer", {
    summary: {
      en: "answers a question in its form: {text}, {number}, {choice}, {decision: approve or reject, comment?}; the run continues",
      uk: "відповідає на запитання за його формою: {text}, {number}, {choice}, {decision: approve чи reject, comment?}; запуск іде далі",
    },
    allows: ["owner"],
    params: z.strictObject({ id: runRequestId }),
    body: z.strictObject({ value: z.json(), note: z.string().min(1).max(20_000).optional() }),
    answer: z.object({ request: personRequestShape, answer: personAnswerShape, repeated: z.boolean() }),
    async handle({ garden, gateway, params: { id }, body: { value, note }, identity }) {
      const { place, ...answered } = await answerRequest(garden, { request: id, value, by: identity, note });
      // The answer is durable by now: if the offer is lost, the engine finds it later.
      await gateway.runs?.offer(place);
      return answered;
    },
  }),
];
