import { verbatim } from "../../base/text.ts";
import { commandLineOwner, identityName } from "../../domain/identity.ts";
import { costOf } from "../../domain/run/price.ts";
import { isTerminal, type RunState, runStates } from "../../domain/run/run.ts";
import type { RunPlace } from "../../garden/core/flow/journal.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { cancelRun } from "../../garden/runs/cancel-run.ts";
import { forkRun } from "../../garden/runs/fork.ts";
import { requestsOf } from "../../garden/runs/hold.ts";
import { findRun, listRuns, readRun } from "../../garden/runs/read-runs.ts";
import { type Context, type Report, textOption } from "../command.ts";
import { wrongUse } from "../parse.ts";
import { numberOption } from "../proposals/propose-verbs.ts";
import { givenValues } from "./given-values.ts";
import { inBoth, runRows, runText, stepPage } from "./tell-run.ts";
import { watchRun } from "./watch-run.ts";
import { watchedReport, workAndWatch } from "./work-here.ts";

export async function listAll(context: Context, garden: Garden): Promise<Report> {
  const page = await listRuns(garden, {
    agent: textOption(context, "agent"),
    state: stateAsked(context),
    after: textOption(context, "after"),
    limit: numberOption(context, "limit"),
  });
  const { runs, next } = page;
  const text =
    runs.length === 0
      ? { en: "There are none.", uk: "Немає жодного." }
      : inBoth(
          (language) =>
            runRows(runs, context.style, language) +
            (next === undefined ? "" : `\n${language === "uk" ? "Далі" : "More"}: --after ${next}`),
        );
  return { text, json: page, asked: true };
}

export async function showOne(context: Context, garden: Garden, id: string): Promise<Report> {
  const place = await findRun(garden, id);
  const [report, asked] = [await readRun(garden, place), await requestsOf(garden.store, place)];
  const { card, request, manifest, steps } = report;
  const cost = manifest && costOf(garden.config.prices, manifest);
  return {
    text: runText(report, asked, cost, context.style),
    json: {
      run: card,
      request: request ?? null,
      manifest: manifest ?? null,
      cost: cost ?? null,
      steps,
      requests: asked,
    },
    asked: true,
  };
}

/** Everything that is on record, step by step; with `--follow` also what comes. */
export async function logsOf(context: Context, garden: Garden, id: string): Promise<Report> {
  const place = await findRun(garden, id);
  const report = await readRun(garden, place);
  const steps = stepAsked(context, report.steps);
  const text = inBoth((language) => steps.map((step) => stepPage(step, context.style, language)).join("\n"));
  if (context.options["follow"] !== true || isTerminal(report.card.state))
    return { text: steps.length === 0 ? NO_STEPS : text, json: { run: report.card, steps }, asked: true };
  context.say(text);
  const from = report.steps.at(-1)?.position ?? 0;
  const stopped = context.machine.stopRequested();
  return await watchedReport(context, garden, place, await watchRun(context, garden, place, { from, stopped }));
}

const NO_STEPS = { en: "Nothing is on record yet.", uk: "Ще нічого не записано." };

export async function cancelOne(context: Context, garden: Garden, id: string): Promise<Report> {
  const place = await findRun(garden, id);
  const why = textOption(context, "reason");
  await cancelRun(garden, place, { by: identityName(commandLineOwner), why });
  await endUnworked(context, garden, place);
  const { card } = await readRun(garden, place);
  return {
    text: isTerminal(card.state)
      ? verbatim(`${place.run}: ${card.state}`)
      : {
          en: `${place.run} will stop before its next step.`,
          uk: `${place.run} зупиниться перед наступним кроком.`,
        },
    json: { run: card },
  };
}

/** A run that nobody works on, not yet begun or held for a person, has nobody else to end it. One that is under way is left to its worker. */
async function endUnworked({ machine }: Context, garden: Garden, place: RunPlace): Promise<void> {
  const engine = await machine.startRuns?.(garden, place);
  try {
    await engine?.settled();
  } finally {
    await engine?.close();
  }
}

export async function forkOne(context: Context, garden: Garden, id: string): Promise<Report> {
  const place = await findRun(garden, id);
  const at = numberOption(context, "at");
  if (at === undefined) {
    throw wrongUse(
      { en: "runs fork: at which step?", uk: "runs fork: на якому кроці?" },
      {
        en: `\`bloom runs show ${id}\` numbers them; then --at N`,
        uk: `Номери покаже \`bloom runs show ${id}\`; далі --at N`,
      },
    );
  }
  const set = givenValues(context, "set");
  const forked = await forkRun(garden, { place, at, by: commandLineOwner, ...(set && { set }) });
  const to = { slug: place.slug, run: forked.run_id };
  if (context.options["wait"] === true) {
    context.say({ en: `${to.run}  fork of ${place.run} at step ${at}`, uk: `${to.run}  від ${place.run}, крок ${at}` });
    return await workAndWatch(context, garden, to);
  }
  return {
    text: {
      en: `${to.run} goes on alone from step ${at} of ${place.run}. \`bloom up\` works on it, or \`bloom runs resume ${to.run}\` does here.`,
      uk: `${to.run} іде далі сам із кроку ${at} запуску ${place.run}. Працюватиме \`bloom up\`, а тут — \`bloom runs resume ${to.run}\`.`,
    },
    json: { run: forked },
  };
}

export async function resumeOne(context: Context, garden: Garden, id: string): Promise<Report> {
  const place = await findRun(garden, id);
  const { card, steps } = await readRun(garden, place);
  if (isTerminal(card.state)) {
    throw wrongUse(
      { en: `${place.run} is over: ${card.state}`, uk: `${place.run} завершено: ${card.state}` },
      {
        en: `\`bloom runs fork ${place.run} --at N\` goes on from a step in a new run.`,
        uk: `\`bloom runs fork ${place.run} --at N\` продовжить із кроку в новому запуску.`,
      },
    );
  }
  return await workAndWatch(context, garden, place, steps.at(-1)?.position ?? 0);
}

function stepAsked<T extends { readonly position: number }>(context: Context, steps: readonly T[]): readonly T[] {
  const step = numberOption(context, "step");
  if (step === undefined) return steps;
  const found = steps.filter(({ position }) => position === step);
  if (found.length > 0) return found;
  throw wrongUse(
    { en: `there is no step ${step}`, uk: `немає кроку ${step}` },
    { en: `It has ${steps.length}.`, uk: `Усього: ${steps.length}.` },
  );
}

function stateAsked(context: Context): RunState | undefined {
  const text = textOption(context, "state");
  const state = runStates.find((each) => each === text);
  if (text === undefined || state) return state;
  throw wrongUse(
    { en: `no such state: ${text}`, uk: `немає такого стану: ${text}` },
    { en: `One of: ${runStates.join(", ")}.`, uk: `Один із: ${runStates.join(", ")}.` },
  );
}
