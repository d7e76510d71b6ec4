import { type Text, verbatim } from "../../base/text.ts";
import { commandLineOwner, identityName } from "../../domain/identity.ts";
import { isExperiment, isTerminal, type RunRequest, runStates } from "../../domain/run/run.ts";
import { runTriggers } from "../../domain/run/run-manifest.ts";
import type { RunPlace } from "../../garden/core/flow/journal.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { planInWords } from "../../garden/insight/replay/move-failures.ts";
import { moveRun, planMove } from "../../garden/insight/replay/move-run.ts";
import { runFigures } from "../../garden/insight/run-figures.ts";
import { cancelRun } from "../../garden/runs/cancel-run.ts";
import { forkRun } from "../../garden/runs/fork.ts";
import { requestsOf } from "../../garden/runs/hold.ts";
import { pricedSteps } from "../../garden/runs/priced-steps.ts";
import { findRun, listRuns, readRun, withCost } from "../../garden/runs/read-runs.ts";
import { subRunCards } from "../../garden/runs/sub-agents/show-sub-runs.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { choiceOption, numberOption, textOption } from "../options.ts";
import { inBothLanguages } from "../text-layout.ts";
import { parseValues } from "./parse-values.ts";
import { figuresText } from "./print-figures.ts";
import { runTable, runText, stepPage } from "./print-run.ts";
import { watchRun } from "./watch-run.ts";
import { watchReport, workAndWatch } from "./work-and-watch.ts";

const OUTCOMES = ["effects", "noop", "blocked", "failed"] as const;

export async function printRuns(context: CommandContext, garden: Garden): Promise<CommandReport> {
  const page = await listRuns(garden, {
    agent: textOption(context, "agent"),
    state: choiceOption(context, "state", runStates),
    trigger: choiceOption(context, "trigger", runTriggers),
    version: textOption(context, "version"),
    outcome: choiceOption(context, "outcome", OUTCOMES),
    text: textOption(context, "text"),
    after: textOption(context, "after"),
    limit: numberOption(context, "limit"),
  });
  const { next } = page;
  const runs = page.runs.map((card) => withCost(garden.config.prices, card));
  const text =
    runs.length === 0
      ? { en: "No runs yet.", uk: "Немає жодного." }
      : inBothLanguages(
          (language) =>
            runTable(runs, context.style, language) +
            (next === undefined ? "" : `\n${language === "uk" ? "Далі" : "More"}: --after ${next}`),
        );
  return { text, json: { ...page, runs }, asked: true };
}

/** Runs and costs of the last days, by agent. */
export async function printFigures(context: CommandContext, garden: Garden): Promise<CommandReport> {
  const figures = await runFigures(garden, { days: numberOption(context, "days") ?? 14 });
  return { text: figuresText(figures, context.style), json: figures, asked: true };
}

export async function showRun(context: CommandContext, garden: Garden, id: string): Promise<CommandReport> {
  const place = await findRun(garden, id);
  const [report, asked] = [await readRun(garden, place), await requestsOf(garden.store, place)];
  const { card, request, manifest } = report;
  const below = await subRunCards(garden, place);
  const { cost, steps, pinned } = pricedSteps(garden.config.prices, report.steps, manifest);
  return {
    text: runText(report, { asked, below }, cost, context.style),
    json: {
      run: { ...card, ...pinned },
      request: request ?? null,
      manifest: manifest ?? null,
      cost: cost ?? null,
      steps,
      requests: asked,
      sub_agents: below,
    },
    asked: true,
  };
}

/** All recorded steps; with `--follow` also new ones until the run ends. */
export async function showRunLogs(context: CommandContext, garden: Garden, id: string): Promise<CommandReport> {
  const place = await findRun(garden, id);
  const report = await readRun(garden, place);
  const steps = selectedSteps(context, report.steps);
  const text = inBothLanguages((language) => steps.map((step) => stepPage(step, context.style, language)).join("\n"));
  if (context.options["follow"] !== true || isTerminal(report.card.state))
    return { text: steps.length === 0 ? NO_STEPS : text, json: { run: report.card, steps }, asked: true };
  context.say(text);
  const from = report.steps.at(-1)?.position ?? 0;
  const stopped = context.machine.stopRequested();
  return await watchReport(context, garden, place, await watchRun(context, garden, place, { from, stopped }));
}

const NO_STEPS = { en: "No steps recorded yet.", uk: "Ще нічого не записано." };

export async function cancelRunCommand(context: CommandContext, garden: Garden, id: string): Promise<CommandReport> {
  const place = await findRun(garden, id);
  const why = textOption(context, "reason");
  await cancelRun(garden, place, { by: identityName(commandLineOwner), why });
  await endUnworked(context, garden, place);
  const { card } = await readRun(garden, place);
  return {
    text: isTerminal(card.state)
      ? verbatim(`${place.run}: ${card.state}`)
      : { en: `${place.run} will stop before its next step.`, uk: `${place.run} зупиниться перед наступним кроком.` },
    json: { run: card },
  };
}

/** Ends a run without a worker (queued, or waiting for a person). A run in progress is left to its worker. */
async function endUnworked({ machine }: CommandContext, garden: Garden, place: RunPlace): Promise<void> {
  const engine = await machine.startRuns?.(garden, place);
  try {
    await engine?.settled();
  } finally {
    await engine?.close();
  }
}

export const forkRunCommand = async (context: CommandContext, garden: Garden, id: string): Promise<CommandReport> =>
  forkAt(context, garden, await findRun(garden, id));

/** Forks a run at `--at`; with `--what-if` as an experiment (S-7). */
export async function forkAt(context: CommandContext, garden: Garden, place: RunPlace): Promise<CommandReport> {
  const id = place.run;
  const at = numberOption(context, "at");
  if (at === undefined) {
    throw usageError(
      { en: "runs fork: missing option --at", uk: "runs fork: на якому кроці?" },
      { en: `Step numbers: \`bloom runs show ${id}\`.`, uk: `Номери покаже \`bloom runs show ${id}\`; далі --at N` },
    );
  }
  const set = parseValues(context, "set");
  const whatIf = context.options["what-if"] === true ? {} : undefined;
  const forked = await forkRun(garden, { place, at, by: commandLineOwner, whatIf, ...(set && { set }) });
  return await showFork(context, garden, place, forked);
}

const experimentText = (origin: string, run: string): Text => ({
  en: `${run} is an experiment: what it would propose goes to \`bloom sandbox\`. A running \`bloom up\` executes it; to run it here: \`bloom runs resume ${run}\`. Both ends: \`bloom runs compare ${origin} ${run}\`.`,
  uk: `${run} — експеримент: його пропозиції підуть до \`bloom sandbox\`. Працюватиме \`bloom up\`, а тут — \`bloom runs resume ${run}\`. Обидва кінці: \`bloom runs compare ${origin} ${run}\`.`,
});

/** Says which run was made, or works on it here. */
export async function showFork(
  context: CommandContext,
  garden: Garden,
  place: RunPlace,
  forked: RunRequest,
): Promise<CommandReport> {
  const at = forked.forked_from?.step ?? 0;
  const to = { slug: place.slug, run: forked.run_id };
  if (context.options["wait"] === true) {
    context.say({ en: `${to.run}  fork of ${place.run} at step ${at}`, uk: `${to.run}  від ${place.run}, крок ${at}` });
    return await workAndWatch(context, garden, to);
  }
  return {
    text: isExperiment(forked)
      ? experimentText(place.run, to.run)
      : {
          en: `${to.run} is a fork of ${place.run} at step ${at}. A running \`bloom up\` executes it; to run it here: \`bloom runs resume ${to.run}\`.`,
          uk: `${to.run} іде далі сам із кроку ${at} запуску ${place.run}. Працюватиме \`bloom up\`, а тут — \`bloom runs resume ${to.run}\`.`,
        },
    json: { run: forked },
  };
}

export async function moveRunCommand(context: CommandContext, garden: Garden, id: string): Promise<CommandReport> {
  const place = await findRun(garden, id);
  if (context.options["check"] === true) {
    const plan = await planMove(garden, place);
    const text = inBothLanguages(
      (language) => `${place.run}: ${plan.from ?? "–"} → ${plan.to ?? "–"}: ${planInWords(plan, language)}.`,
    );
    return { text, json: { check: plan }, asked: true };
  }
  const moved = await moveRun(garden, { place, by: commandLineOwner });
  await endUnworked(context, garden, place);
  const to = moved.run_id;
  return {
    text: {
      en: `${to} continues ${place.run} under the current logic version and asks its question again. A running \`bloom up\` executes it; to run it here: \`bloom runs resume ${to}\`.`,
      uk: `${to} продовжує ${place.run} за поточною версією логіки й поставить запитання знову. Працюватиме \`bloom up\`, а тут — \`bloom runs resume ${to}\`.`,
    },
    json: { run: moved },
  };
}

export async function resumeRun(context: CommandContext, garden: Garden, id: string): Promise<CommandReport> {
  const place = await findRun(garden, id);
  const { card, steps } = await readRun(garden, place);
  if (isTerminal(card.state)) {
    throw usageError(
      { en: `${place.run} has already ended: ${card.state}`, uk: `${place.run} завершено: ${card.state}` },
      {
        en: `To continue from a step in a new run: \`bloom runs fork ${place.run} --at N\`.`,
        uk: `\`bloom runs fork ${place.run} --at N\` продовжить із кроку в новому запуску.`,
      },
    );
  }
  return await workAndWatch(context, garden, place, steps.at(-1)?.position ?? 0);
}

function selectedSteps<T extends { readonly position: number }>(
  context: CommandContext,
  steps: readonly T[],
): readonly T[] {
  const step = numberOption(context, "step");
  if (step === undefined) return steps;
  const found = steps.filter(({ position }) => position === step);
  if (found.length > 0) return found;
  throw usageError(
    { en: `no step ${step}`, uk: `немає кроку ${step}` },
    { en: `The run has ${steps.length} steps.`, uk: `Усього: ${steps.length}.` },
  );
}
