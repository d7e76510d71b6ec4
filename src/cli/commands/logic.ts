import { heatMeasures } from "../../domain/logic/icon-heat.ts";
import { themes } from "../../drakon/draw/paint/theme.ts";
import { noticeRevert } from "../../garden/changes/logic/notice-revert.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { recordStatistics } from "../../garden/insight/learning/statistics.ts";
import { watchVersions } from "../../garden/insight/learning/watch-versions.ts";
import { showHeat, showPerformance } from "../logic/show-figures.ts";
import { diffLogic, listVersions, rollBack, showChangelog, showLogic, showRationale } from "../logic/show-logic.ts";
import { flag, option } from "../options.ts";
import { gardenCommand, type Subcommands } from "../subcommands.ts";

const subcommands: Subcommands = {
  show: {
    usage: "AGENT [--version V] [--format pseudo|drakon]",
    words: [1, 1],
    does: { en: "print the logic and its figures", uk: "чого агент дотримується і як це йде" },
    run: (context, garden, [slug]) => showLogic(context, garden, slug!),
  },
  versions: {
    usage: "AGENT",
    words: [1, 1],
    does: { en: "list all versions with date, figures and reason", uk: "усі версії: відколи, як ішло, чому" },
    run: (context, garden, [slug]) => listVersions(context, garden, slug!),
  },
  diff: {
    usage: "AGENT [FROM] [TO]",
    words: [1, 3],
    does: {
      en: "compare two versions, or a version and a proposal (default: the last change)",
      uk: "дві версії або версія й пропозиція; зазвичай остання зміна",
    },
    run: diffLogic,
  },
  performance: {
    usage: "AGENT [--versions V,V]",
    words: [1, 1],
    does: {
      en: "figures and decisions by version, and the trend if there are enough runs",
      uk: "показники кожної версії, рішення людей і тенденція, якщо запусків досить",
    },
    run: (context, garden, [slug]) => showPerformance(context, garden, slug!),
  },
  heat: {
    usage: "AGENT [--version V] [--by MEASURE] [--svg FILE]",
    words: [1, 1],
    does: {
      en: "visits, failures, cost and rejections by icon",
      uk: "де запуски проходили, падали, витрачали й діставали відмову, ікона за іконою",
    },
    run: (context, garden, [slug]) => showHeat(context, garden, slug!),
  },
  changelog: {
    usage: "AGENT [--all]",
    words: [1, 1],
    does: { en: "list the changes with date, reason and effect", uk: "що, коли й чому змінено і що з того вийшло" },
    run: (context, garden, [slug]) => showChangelog(context, garden, slug!),
  },
  rationale: {
    usage: "AGENT [VERSION]",
    words: [1, 2],
    does: { en: "print why a version was adopted, with evidence", uk: "чому версію прийнято, з доказами" },
    run: showRationale,
  },
  rollback: {
    usage: "AGENT VERSION --reason TEXT",
    words: [2, 2],
    does: { en: "propose to return to an earlier version", uk: "запропонувати повернення до версії" },
    run: rollBack,
  },
};

/** Records manual changes of logic, statistics of finished runs, and checks of new versions. Incremental. */
async function updateLogicRecords(garden: Garden): Promise<void> {
  await noticeRevert(garden);
  await recordStatistics(garden);
  await watchVersions(garden);
}

export const logicCommand = gardenCommand({
  name: "logic",
  summary: {
    en: "inspect, compare and roll back versions of an agent's logic",
    uk: "версії логіки агента: читати, порівнювати, міряти, повертати",
  },
  usual: "show",
  subcommands,
  before: updateLogicRecords,
  options: {
    version: option("V", "show, heat: this version (default: the current one)", "show, heat: цієї версії"),
    versions: option("V,V", "performance: only these versions", "performance: лише ці"),
    format: option("pseudo|drakon", "show, diff: as text or as a diagram", "show, diff: текстом чи діаграмою"),
    by: option(heatMeasures.join("|"), "heat: measure of the picture", "heat: що показує рисунок"),
    svg: option("FILE", "heat: write a picture to this file", "heat: нарисувати в цей файл"),
    theme: option(themes.join("|"), "heat: colours of the picture", "heat: кольори рисунка"),
    runs: option("N", "heat: number of newest runs (default: 500)", "heat: стільки найновіших (500)"),
    facts: flag("heat: without paths that only the model claimed", "heat: без того, що моделі лише стверджують"),
    all: flag("changelog: all entries, not only the last 10", "changelog: усі записи, не лише 10"),
    reason: option("TEXT", "rollback: reason", "rollback: чому"),
    evidence: option("RUN,RUN", "rollback: runs as evidence", "rollback: запуски, що це показують"),
  },
});
