import { z } from "zod";
import type { Json } from "../../base/canonical.ts";
import { identityName, slugField } from "../../domain/identity.ts";
import { type RunRequest, runStates } from "../../domain/run/run.ts";
import { runTriggers } from "../../domain/run/run-manifest.ts";
import { MAX_STEPS, type StepRecord } from "../../domain/run/run-step.ts";
import { valueGist } from "../../domain/run/value-gist.ts";
import { declaredParameters } from "../../garden/agents/declared-parameters.ts";
import { moveRun, newerVersionFor, planMove } from "../../garden/insight/replay/move-run.ts";
import { MAX_FIGURE_DAYS, runFigures } from "../../garden/insight/run-figures.ts";
import { MAIN_DIAGRAM, originFile, readDiagrams } from "../../garden/records/agents/agent-diagrams.ts";
import { readAgent } from "../../garden/records/agents/read-agent.ts";
import { stepsAfter } from "../../garden/records/runs/run-folders.ts";
import { cancelRun } from "../../garden/runs/cancel-run.ts";
import { noSuchRun } from "../../garden/runs/failures.ts";
import { forkRun } from "../../garden/runs/fork.ts";
import { requestsOf } from "../../garden/runs/hold.ts";
import { pricedSteps } from "../../garden/runs/priced-steps.ts";
import { findRun, listRuns, readRun, runCard, withCost } from "../../garden/runs/read-runs.ts";
import { askForRun } from "../../garden/runs/request-run.ts";
import { subRunCards } from "../../garden/runs/sub-agents/show-sub-runs.ts";
import { mayNotStart, noEngine } from "../failures.ts";
import { type Correlation, type GatewayRuns, type Route, type RouteCall, route, startsOf } from "../route.ts";
import {
  costShape,
  manifestShape,
  movePlanShape,
  personAnswerShape,
  personRequestShape,
  requestShape,
  runCardShape,
  runFiguresShape,
  runParams,
  stepCardShape,
  stepShape,
  subRunShape,
} from "../run-shapes.ts";
import { pageQuery, wholeNumber } from "../shapes.ts";

const input = z.record(z.string(), z.json()).optional();
type Input = { readonly [name: string]: Json } | undefined;
/** `askForRun` checks the slug and the input's names, with the same messages as on the command line. */
const anySlug = z.string();
const requested = z.object({ run: requestShape });

export const runRoutes: readonly Route[] = [
  route("POST /agents/run", {
    summary: { en: "requests a run of an active agent", uk: "замовляє запуск активного агента" },
    allows: ["owner"],
    status: 201,
    body: z.strictObject({ slug: anySlug, input }),
    answer: requested,
    handle: (call) => runAgentNow(call, call.body.slug, call.body.input),
  }),
  route("POST /agents/:slug/run", {
    summary: {
      en: "the same, with the agent in the address; an agent outside of the garden starts those that its token names",
      uk: "те саме, агента названо в адресі; агент поза садом запускає тих, кого називає його токен",
    },
    allows: ["owner", "agent"],
    status: 201,
    params: z.strictObject({ slug: anySlug }),
    body: z.strictObject({ input }),
    answer: requested,
    handle: (call) => runAgentNow(call, call.params.slug, call.body.input),
  }),
  route("GET /agents/:slug/parameters", {
    summary: {
      en: "the inputs that the agent's diagram declares, in order, each with its type or remark",
      uk: "входи, які оголошує діаграма агента, за порядком, кожен із типом чи приміткою",
    },
    allows: ["owner"],
    params: z.strictObject({ slug: slugField }),
    answer: z.object({ parameters: z.array(z.object({ name: z.string(), remark: z.string().optional() })) }),
    handle: async ({ garden, params: { slug } }) => ({ parameters: await declaredParameters(garden, slug) }),
  }),
  route("GET /agents/:slug/diagrams", {
    summary: {
      en: "every diagram of an agent as its file has it now: the main one, and those that it calls",
      uk: "усі діаграми агента, як вони є у файлах зараз: головна й ті, які вона викликає",
    },
    allows: ["owner"],
    params: z.strictObject({ slug: slugField }),
    /** `main`: the one that the contract follows. */
    answer: z.object({
      diagrams: z.array(z.object({ file: z.string(), name: z.string(), text: z.string(), main: z.boolean() })),
    }),
    async handle({ garden, params: { slug } }) {
      const { slug: known, contract } = await readAgent(garden.store, slug);
      const main = contract.generated_from === undefined ? MAIN_DIAGRAM : originFile(contract.generated_from);
      const found = await readDiagrams(garden.store, known);
      const diagrams = found.map(({ file, text, checked }) => {
        const name = checked.tree?.name ?? checked.diagram.name;
        return { file, name: name || file, text, main: file === main };
      });
      return { diagrams };
    },
  }),
  route("GET /runs", {
    summary: { en: "runs, newest first; an agent sees its own", uk: "запуски, найновіші перші; агент бачить свої" },
    allows: ["owner", "agent"],
    query: z.strictObject({
      ...pageQuery,
      agent: slugField.optional(),
      state: z.enum(runStates).optional(),
      trigger: z.enum(runTriggers).optional(),
      version: z
        .string()
        .regex(/^v\d{3}$/, { error: "version" })
        .optional(),
      outcome: z.enum(["effects", "noop", "blocked", "failed"]).optional(),
      /** Part of the input or of the outcome's reason. */
      text: z.string().max(200).optional(),
    }),
    answer: z.object({
      runs: z.array(runCardShape),
      /** A page of a rare kind can be short, or empty, and still have a next one. */
      next: z.string().optional(),
    }),
    async handle({ garden, query, identity }) {
      const own = identity.type === "agent" ? { agent: identity.slug } : {};
      const { runs, ...rest } = await listRuns(garden, { ...query, ...own });
      return { runs: runs.map((card) => withCost(garden.config.prices, card)), ...rest };
    },
  }),
  route("GET /runs/figures", {
    summary: {
      en: "runs of the last days by agent, day, logic version and model: ends, success with its interval, costs, the next time",
      uk: "запуски за останні дні за агентами, днями, версіями логіки й моделями: чим скінчилися, частка вдалих з інтервалом, витрати, наступний час",
    },
    allows: ["owner"],
    query: z.strictObject({ days: wholeNumber(14, MAX_FIGURE_DAYS) }),
    answer: runFiguresShape,
    handle: ({ garden, query }) => runFigures(garden, query),
  }),
  route("GET /runs/:run", {
    summary: {
      en: "one run: its state, request, steps, questions and manifest; an agent sees its own, and those that it started",
      uk: "один запуск: стан, хто замовив, кроки, запитання, маніфест; агент бачить свої й ті, які замовив",
    },
    allows: ["owner", "agent"],
    params: runParams,
    answer: z.object({
      run: runCardShape,
      request: requestShape.nullable(),
      manifest: manifestShape.nullable(),
      /** The cost of the recorded steps, if `garden.yaml` has the price of the model. */
      cost: costShape.nullable(),
      /** O-3a: the run is held under another logic version than this current one. */
      newer_version: z.string().nullable(),
      steps: z.array(stepCardShape),
      requests: z.array(z.object({ request: personRequestShape, answer: personAnswerShape.optional() })),
      /** The sub-agents that the run asked for, in order. */
      sub_agents: z.array(subRunShape),
    }),
    async handle({ garden, params: { run }, language, identity }) {
      const place = await findRun(garden, run);
      const { card, request, manifest, steps } = await readRun(garden, place);
      if (identity.type === "agent" && ![place.slug, request?.by].includes(identity.slug)) throw noSuchRun(run);
      const priced = pricedSteps(garden.config.prices, steps, manifest);
      return {
        run: { ...card, ...priced.pinned },
        request: request ?? null,
        manifest: manifest ?? null,
        cost: priced.cost ?? null,
        newer_version: (card.state === "waiting" ? await newerVersionFor(garden, place) : undefined) ?? null,
        steps: priced.steps.map((step) => ({ ...step, gist: valueGist(step.output ?? null, language) })),
        requests: await requestsOf(garden.store, place),
        sub_agents: await subRunCards(garden, place),
      };
    },
  }),
  route("GET /runs/:run/steps", {
    summary: {
      en: "the steps after a position, with input and output; for clients that do not listen to /events",
      uk: "кроки після позиції, з отриманим і відданим: для тих, хто не слухає /events",
    },
    allows: ["owner"],
    params: runParams,
    query: z.strictObject({
      after: z
        .string()
        .regex(/^\d{1,4}$/, { error: "number" })
        .transform(Number)
        .optional(),
      limit: wholeNumber(100, MAX_STEPS),
    }),
    answer: z.object({ run: runCardShape, steps: z.array(stepShape), next: z.string().optional() }),
    async handle({ garden, params: { run }, query: { after = 0, limit } }) {
      const place = await findRun(garden, run);
      const card = await runCard(garden, place);
      const found = await stepsAfter(garden.store, place, after);
      const steps = within(found.slice(0, limit));
      return { run: card, steps, ...(found.length > steps.length && { next: String(steps.at(-1)!.position) }) };
    },
  }),
  route("POST /runs/:run/cancel", {
    summary: { en: "stops a run before its next step", uk: "зупиняє запуск перед наступним кроком" },
    allows: ["owner"],
    params: runParams,
    body: z.strictObject({ why: z.string().min(1).max(2000).optional() }),
    answer: z.object({ run: runCardShape }),
    async handle({ garden, gateway, params: { run }, body: { why }, identity }) {
      const place = await findRun(garden, run);
      if (gateway.runs) await gateway.runs.cancel(place, identityName(identity), why);
      else await cancelRun(garden, place, { by: identityName(identity), why });
      return { run: await runCard(garden, place) };
    },
  }),
  route("POST /runs/:run/fork", {
    summary: {
      en: "forks a run: the copy shares the journal up to a step; its proposals are marked and always wait for a person; with `what_if` they go to the sandbox (O-7, S-7)",
      uk: "копія, що має спільний журнал до кроку й далі йде сама; її пропозиції позначено, і вони чекають на людину; з `what_if` вони йдуть до пісочниці (O-7, S-7)",
    },
    allows: ["owner"],
    status: 201,
    params: runParams,
    body: z.strictObject({ at: z.int().min(1).max(MAX_STEPS), set: input, what_if: z.boolean().optional() }),
    answer: requested,
    async handle({ garden, gateway, params: { run }, body: { at, set, what_if }, identity, correlation }) {
      const engine = engineOf(gateway.runs);
      const place = await findRun(garden, run);
      const forked = await forkRun(garden, {
        place,
        at,
        by: identity,
        set,
        whatIf: what_if === true ? {} : undefined,
        correlation: broughtId(correlation),
      });
      await engine.offer({ slug: place.slug, run: forked.run_id });
      return { run: forked };
    },
  }),
  route("GET /runs/:run/move", {
    summary: {
      en: "the replay check of a held run against the current logic version; changes nothing (O-3a)",
      uk: "чи йдуть записані кроки запуску, що чекає, тим самим шляхом за поточною версією логіки; нічого не змінює (O-3a)",
    },
    allows: ["owner"],
    params: runParams,
    answer: z.object({ check: movePlanShape }),
    handle: async ({ garden, params: { run } }) => ({ check: await planMove(garden, await findRun(garden, run)) }),
  }),
  route("POST /runs/:run/move", {
    summary: {
      en: "moves a held run to the current logic version: a new run continues from its recorded steps; 409 if they take another path there (O-3a)",
      uk: "переносить запуск, що чекає, на поточну версію логіки: новий запуск продовжує від записаних кроків; 409, якщо шлях там інший (O-3a)",
    },
    allows: ["owner"],
    status: 201,
    params: runParams,
    body: z.strictObject({}),
    answer: requested,
    async handle({ garden, gateway, params: { run }, identity, correlation }) {
      const engine = engineOf(gateway.runs);
      const place = await findRun(garden, run);
      const moved = await moveRun(garden, { place, by: identity, correlation: broughtId(correlation) });
      await engine.offer({ slug: place.slug, run: moved.run_id });
      return { run: moved };
    },
  }),
];

async function runAgentNow(
  { garden, gateway, identity, visitor, correlation }: RouteCall,
  slug: string,
  given: Input,
): Promise<{ run: RunRequest }> {
  if (identity.type !== "owner" && !startsOf(visitor).includes(slug)) throw mayNotStart(slug, startsOf(visitor));
  const engine = engineOf(gateway.runs);
  const run = await askForRun(garden, { slug, by: identity, input: given, correlation: broughtId(correlation) });
  await engine.offer({ slug, run: run.run_id });
  return { run };
}

/** Only an id that the caller sent makes a request idempotent; the gateway's own is new each time. */
export const broughtId = ({ id, brought }: Correlation): string | undefined => (brought ? id : undefined);

/** Maximum size of a page. A page has at least one step, however large. */
const PAGE_CHARACTERS = 4_000_000;

function within(steps: readonly StepRecord[]): StepRecord[] {
  let size = 0;
  const kept: StepRecord[] = [];
  for (const step of steps) {
    size += JSON.stringify([step.input, step.output ?? null]).length;
    if (kept.length > 0 && size > PAGE_CHARACTERS) break;
    kept.push(step);
  }
  return kept;
}

/** The engine of this process. Throws UPSTREAM_UNAVAILABLE if it has none. */
export function engineOf(runs: GatewayRuns | undefined): GatewayRuns {
  if (runs) return runs;
  throw noEngine();
}
