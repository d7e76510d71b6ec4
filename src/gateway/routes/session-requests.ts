import { z } from "zod";
import { isOid } from "../../domain/git/git-names.ts";
import { slugField } from "../../domain/identity.ts";
import { runRequestId } from "../../domain/run/request.ts";
import { decideInSession, sessionRequests } from "../../garden/runs/session-requests.ts";
import { type Route, route } from "../route.ts";
import { personAnswerShape, personRequestShape } from "../run-shapes.ts";

/** Questions of sessions to people, and their decisions. */
export const sessionRequestRoutes: readonly Route[] = [
  route("GET /session-requests", {
    summary: {
      en: "open questions of all sessions to a person, oldest first (S-8)",
      uk: "що всі сесії питають у людини, найдавніші перші (S-8)",
    },
    allows: ["owner"],
    answer: z.object({
      requests: z.array(z.object({ session: z.string(), head: z.string(), request: personRequestShape })),
    }),
    handle: async ({ garden }) => ({ requests: await sessionRequests(garden) }),
  }),
  route("POST /sessions/:name/decide", {
    summary: {
      en: "answers the open question of a session: a decision commit on its branch, then its run continues; `seen` is the commit that the decision is about (S-8)",
      uk: "відповідає на запитання сесії: коміт-рішення на її гілці, тоді запуск іде далі; `seen` — коміт, якого стосується рішення (S-8)",
    },
    allows: ["owner"],
    params: z.strictObject({ name: slugField }),
    body: z.strictObject({
      request: runRequestId.optional(),
      value: z.json(),
      note: z.string().min(1).max(20_000).optional(),
      seen: z.string().refine(isOid).optional(),
    }),
    answer: z.object({ request: personRequestShape, answer: personAnswerShape, repeated: z.boolean() }),
    async handle({ garden, gateway, params: { name }, body, identity }) {
      const { place, ...answered } = await decideInSession(garden, { session: name, ...body, by: identity });
      // The answer is durable by now: if the offer is lost, the engine finds it later.
      await gateway.runs?.offer(place);
      return answered;
    },
  }),
];
