import { z } from "zod";
import { runRequestId } from "../../domain/run/request.ts";
import { runStates } from "../../domain/run/run.ts";
import { sandboxId } from "../../domain/run/sandbox.ts";
import { compareRunEnds, fileDifferences } from "../../garden/runs/compare-ends.ts";
import { findRun } from "../../garden/runs/read-runs.ts";
import {
  discardSandboxed,
  openSandbox,
  promoteSandboxed,
  type SandboxedProposal,
  showSandboxed,
} from "../../garden/runs/sandbox.ts";
import { whatIfAnswered } from "../../garden/runs/what-if.ts";
import { type Route, route } from "../route.ts";
import { requestShape, runParams } from "../run-shapes.ts";
import { broughtId, engineOf } from "./runs.ts";
import { effectAnswer, trialEffect } from "./trials.ts";

const step = z
  .object({ position: z.int(), name: z.string(), icon: z.string().optional(), line: z.int().optional() })
  .nullable();
const ending = z
  .object({
    run: z.string(),
    agent: z.string(),
    state: z.enum(runStates),
    is_experiment: z.boolean(),
    outcome: z.looseObject({ kind: z.string() }).nullable(),
    error: z.string().nullable(),
    result: z.json(),
    text: z.string().nullable(),
    answers: z.array(z.object({ request: z.string(), question: z.string(), value: z.json() })),
    proposals: z.array(
      z.object({ id: z.string(), action: z.string(), target: z.string(), summary: z.string(), status: z.string() }),
    ),
    steps: z.int(),
    tokens: z.int(),
    session: z.object({ name: z.string(), head: z.string() }).nullable(),
    parts_at: step,
  })
  .meta({ id: "RunEnding" });

const entryShape = z
  .object({
    id: z.string(),
    run_id: z.string(),
    agent_slug: z.string(),
    step: z.int(),
    action: z.string(),
    target: z.string(),
    summary: z.string(),
    reasoning: z.string().optional(),
    made_at: z.string(),
  })
  .meta({ id: "SandboxEntry" });
const endShape = z.object({
  verdict: z.enum(["promoted", "discarded"]),
  proposal: z.string().optional(),
  by: z.string(),
  at: z.string(),
});
const sandboxParams = z.strictObject({ id: sandboxId });
const decided = z.object({ entry: entryShape, end: endShape });
const asDecided = ({ entry, end }: SandboxedProposal): z.input<typeof decided> => ({ entry, end: end! });

/** S-7: experiments: what if a question had been answered otherwise, both ends side by side, and the sandbox. */
export const experimentRoutes: readonly Route[] = [
  route("POST /requests/:id/what-if", {
    summary: {
      en: "an experiment: a copy of the run from before this question, with another answer; what it would propose goes to the sandbox (S-7)",
      uk: "експеримент: копія запуску від цього запитання з іншою відповіддю; її пропозиції йдуть до пісочниці (S-7)",
    },
    allows: ["owner"],
    status: 201,
    params: z.strictObject({ id: runRequestId }),
    body: z.strictObject({ value: z.json(), note: z.string().min(1).max(20_000).optional() }),
    answer: z.object({ run: requestShape }),
    async handle({ garden, gateway, params: { id }, body: { value, note }, identity, correlation }) {
      const engine = engineOf(gateway.runs);
      const wish = { request: id, value, note, by: identity, correlation: broughtId(correlation) };
      const forked = await whatIfAnswered(garden, wish);
      await engine.offer({ slug: forked.agent_slug, run: forked.run_id });
      return { run: forked };
    },
  }),
  route("GET /runs/:run/compare", {
    summary: {
      en: "two runs side by side (`with`): the last step that both have, answers, results, proposals, files of their branches (S-7)",
      uk: "два запуски поруч (`with`): останній спільний крок, відповіді, результати, пропозиції, файли їхніх гілок (S-7)",
    },
    allows: ["owner"],
    params: runParams,
    query: z.strictObject({ with: z.string().min(3).max(60) }),
    answer: z.object({
      shared: z.int(),
      ends: z.array(ending),
      files: z.array(z.object({ path: z.string(), change: z.enum(fileDifferences) })).nullable(),
    }),
    async handle({ garden, params: { run }, query: { with: other } }) {
      const { shared, ends, files } = await compareRunEnds(
        garden,
        await findRun(garden, run),
        await findRun(garden, other),
      );
      return { shared, ends: [...ends] as z.input<typeof ending>[], files: files && [...files] };
    },
  }),
  route("GET /sandbox", {
    summary: {
      en: "what experiments would have proposed and nobody has promoted or discarded, oldest first (S-7)",
      uk: "що пропонували б експерименти і про що ще не вирішено, найдавніше перше (S-7)",
    },
    allows: ["owner"],
    answer: z.object({ entries: z.array(entryShape) }),
    handle: async ({ garden }) => ({ entries: [...(await openSandbox(garden))] }),
  }),
  route("GET /sandbox/:id", {
    summary: {
      en: "one entry of the sandbox, and what it would change now (S-7)",
      uk: "один запис пісочниці й те, що він змінив би зараз (S-7)",
    },
    allows: ["owner"],
    params: sandboxParams,
    answer: z.object({ entry: entryShape, end: endShape.optional(), effect: trialEffect }),
    async handle({ garden, params: { id } }) {
      const { entry, end, preview } = await showSandboxed(garden, id);
      return { entry, ...(end && { end }), effect: effectAnswer(preview) };
    },
  }),
  route("POST /sandbox/:id/promote", {
    summary: {
      en: "makes a real proposal of an entry: it passes the gate now and waits for a decision; no rule approves it (S-7)",
      uk: "робить із запису справжню пропозицію: вона проходить перевірки зараз і чекає на рішення; правила її не схвалюють (S-7)",
    },
    allows: ["owner"],
    params: sandboxParams,
    answer: decided,
    handle: async ({ garden, params: { id }, identity }) =>
      asDecided(await promoteSandboxed(garden, { id, by: identity })),
  }),
  route("POST /sandbox/:id/discard", {
    summary: {
      en: "takes an entry out of the list; it stays with its run (S-7)",
      uk: "прибирає запис зі списку; він лишається при своєму запуску (S-7)",
    },
    allows: ["owner"],
    params: sandboxParams,
    answer: decided,
    handle: async ({ garden, params: { id }, identity }) =>
      asDecided(await discardSandboxed(garden, { id, by: identity })),
  }),
];
