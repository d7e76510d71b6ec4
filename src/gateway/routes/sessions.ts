import { z } from "zod";
import { slugField } from "../../domain/identity.ts";
import { sessionsWithStates } from "../../garden/runs/session-states.ts";
import { showSession } from "../../garden/sessions/session-views.ts";
import { sessionTraces } from "../../garden/sessions/traces.ts";
import { type Route, route } from "../route.ts";
import { sessionCommit, sessionShape, sessionTraceShape } from "../session-shapes.ts";

const sessionParams = z.strictObject({ name: slugField });

/** Sessions as branches: reading them. */
export const sessionRoutes: readonly Route[] = [
  route("GET /sessions", {
    summary: {
      en: "all sessions with their states and newest commits, and how they are related (S-4)",
      uk: "усі сесії зі станами й найновішими комітами і зв'язки між ними (S-4)",
    },
    allows: ["owner"],
    answer: z.object({
      sessions: z.array(
        z.object({
          name: z.string(),
          head: sessionCommit,
          state: z.enum(["waiting", "running", "merged", "open"]),
          run: z.string().optional(),
          proposal: z.string().optional(),
        }),
      ),
      edges: z.array(z.object({ kind: z.string(), from: z.string(), to: z.string() })),
    }),
    handle: ({ garden }) => sessionsWithStates(garden),
  }),
  route("GET /sessions/:name", {
    summary: {
      en: "a session: its goal and its own commits, newest first (S-4)",
      uk: "сесія: її мета і власні коміти, найновіші перші (S-4)",
    },
    allows: ["owner"],
    params: sessionParams,
    answer: sessionShape,
    handle: ({ garden, params: { name } }) => showSession(garden, name),
  }),
  route("GET /sessions/:name/traces", {
    summary: {
      en: "what was recorded with each commit of a session, newest first (S-6)",
      uk: "що записано з кожним комітом сесії, найновіші перші (S-6)",
    },
    allows: ["owner"],
    params: sessionParams,
    answer: sessionTraceShape,
    handle: async ({ garden, params: { name } }) => ({ traces: await sessionTraces(garden.repo, name) }),
  }),
];
