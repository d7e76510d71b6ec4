import { z } from "zod";
import { identityName } from "../../domain/identity.ts";
import { emit } from "../../garden/runs/events.ts";
import { type Route, route } from "../route.ts";
import { engineOf } from "./runs.ts";

export const emitRoute: Route = route({
  method: "POST",
  path: "/events",
  summary: {
    en: "emits a named event (`mail/received`) to the agents that subscribe to it; idempotent by `id` or `X-Correlation-Id` (O-4)",
    uk: "повідомляє про іменовану подію (`mail/received`) агентів, що на неї чекають; той самий id або `X-Correlation-Id` — та сама подія (O-4)",
  },
  allows: ["owner"],
  rate: "change",
  status: 201,
  body: z.strictObject({
    name: z.string().min(3).max(260),
    id: z.string().min(1).max(200).optional(),
    /** A path or an address that the event is about. */
    subject: z.string().max(1000).optional(),
    payload: z.json().optional(),
  }),
  answer: z.object({ event: z.object({ name: z.string(), id: z.string(), at: z.string(), subject: z.string() }) }),
  async handle({ garden, gateway, body, identity, correlation }) {
    engineOf(gateway.runs);
    const { name, id = correlation.id, subject = "", payload } = body;
    return { event: await emit(garden, { name, id, subject, payload, by: identityName(identity) }) };
  },
});
