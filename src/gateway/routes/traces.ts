import { z } from "zod";
import { rebindTraces } from "../../garden/sessions/rebind-traces.ts";
import { commitTraces } from "../../garden/sessions/traces.ts";
import { type Route, route } from "../route.ts";
import { traceShape } from "../session-shapes.ts";

/** Traces of commits. */
export const traceRoutes: readonly Route[] = [
  route("GET /traces/:commit", {
    summary: {
      en: "what was recorded with a commit, and every binding of traces to it, newest first; `notes` shows those of an earlier binding (S-6)",
      uk: "що записано з комітом і всі прив'язки слідів до нього, найновіші перші; `notes` показує сліди давнішої прив'язки (S-6)",
    },
    allows: ["owner"],
    params: z.strictObject({ commit: z.string().min(4).max(40) }),
    query: z.strictObject({ notes: z.string().min(4).max(40).optional() }),
    answer: z.object({
      commit: z.string(),
      traces: z.array(traceShape),
      history: z.array(
        z.object({
          id: z.string().nullable(),
          at: z.iso.datetime(),
          by: z.string(),
          why: z.string(),
          notes: z.string(),
        }),
      ),
    }),
    handle: ({ garden, params, query }) => commitTraces(garden, params.commit, query.notes),
  }),
  route("POST /traces/rebind", {
    summary: {
      en: "binds traces again after a rebase, squash or cherry-pick by hand (S-6)",
      uk: "прив'язує сліди знову після rebase, squash чи cherry-pick вручну (S-6)",
    },
    allows: ["owner"],
    answer: z.object({
      bound: z.array(z.object({ commit: z.string(), from: z.array(z.string()) })),
      orphans: z.array(z.string()),
    }),
    handle: ({ garden }) => rebindTraces(garden),
  }),
];
