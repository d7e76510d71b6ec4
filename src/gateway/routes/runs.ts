import { z } from "zod";
import { Failure } from "../../base/failure.ts";
import { slugField } from "../../domain/identity.ts";
import { type Route, route } from "../route.ts";

/** The places of runs, which say that there are none yet. */
const later = (): Promise<never> =>
  Promise.reject(
    new Failure(
      "UPSTREAM_UNAVAILABLE",
      {
        en: "this bloom cannot run agents yet: it has no orchestrator",
        uk: "цей bloom ще не вміє запускати агентів: у нього немає оркестратора",
      },
      { details: { part: "orchestrator" } },
    ),
  );

const runParams = z.strictObject({ run: z.string().regex(/^run_[0-9a-z_-]{1,60}$/, { error: "run" }) });
const notYet = z.object({});

export const runRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/agents/run",
    summary: { en: "runs an agent (not yet: 503)", uk: "запускає агента (ще ні: 503)" },
    allows: ["owner"],
    rate: "change",
    body: z.strictObject({ slug: slugField, input: z.json().optional() }),
    answer: notYet,
    handle: later,
  }),
  route({
    method: "GET",
    path: "/runs",
    summary: { en: "runs (not yet: 503)", uk: "запуски (ще ні: 503)" },
    allows: ["owner"],
    rate: "read",
    answer: notYet,
    handle: later,
  }),
  route({
    method: "GET",
    path: "/runs/:run",
    summary: { en: "one run (not yet: 503)", uk: "один запуск (ще ні: 503)" },
    allows: ["owner"],
    rate: "read",
    params: runParams,
    answer: notYet,
    handle: later,
  }),
];
