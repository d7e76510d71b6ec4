import { heatMeasures } from "../../domain/logic/icon-heat.ts";
import { themes } from "../../drakon/draw/paint/theme.ts";
import { noticeRevert } from "../../garden/changes/logic/notice-revert.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { watchVersions } from "../../garden/insight/learning/watch-versions.ts";
import { recordStatistics } from "../../garden/insight/learning/statistics.ts";
import type { Command } from "../command.ts";
import { tellHeat, tellPerformance } from "../logic/figures-verbs.ts";
import { diffLogic, listVersions, rollBack, showLogic, tellChangelog, tellRationale } from "../logic/read-verbs.ts";
import { option, runVerb, type Verbs, verbExamples } from "../verbs.ts";

const verbs: Verbs = {
  show: {
    usage: "AGENT [--version V] [--format pseudo|drakon]",
    words: [1, 1],
    does: { en: "what the agent follows, and how that does", uk: "чого агент дотримується і як це йде" },
    run: (context, garden, [slug]) => showLogic(context, garden, slug!),
  },
  versions: {
    usage: "AGENT",
    words: [1, 1],
    does: { en: "every version: since when, how it did, why it came", uk: "усі версії: відколи, як ішло, чому" },
    run: (context, garden, [slug]) => listVersions(context, garden, slug!),
  },
  diff: {
    usage: "AGENT [FROM] [TO]",
    words: [1, 3],
    does: {
      en: "two versions, or a version and a proposal; usually the last change",
      uk: "дві версії або версія й пропозиція; зазвичай остання зміна",
    },
    run: diffLogic,
  },
  performance: {
    usage: "AGENT [--versions V,V]",
    words: [1, 1],
    does: {
      en: "figures of each version, what people decided, and the trend if there are enough runs",
      uk: "показники кожної версії, рішення людей і тенденція, якщо запусків досить",
    },
    run: (context, garden, [slug]) => tellPerformance(context, garden, slug!),
  },
  heat: {
    usage: "AGENT [--version V] [--by MEASURE] [--svg FILE]",
    words: [1, 1],
    does: {
      en: "where runs went, failed, spent and were turned down, icon by icon",
      uk: "де запуски проходили, падали, витрачали й діставали відмову, ікона за іконою",
    },
    run: (context, garden, [slug]) => tellHeat(context, garden, slug!),
  },
  changelog: {
    usage: "AGENT [--all]",
    words: [1, 1],
    does: { en: "what changed when and why, with what came of it", uk: "що, коли й чому змінено і що з того вийшло" },
    run: (context, garden, [slug]) => tellChangelog(context, garden, slug!),
  },
  rationale: {
    usage: "AGENT [VERSION]",
    words: [1, 2],
    does: { en: "why a version was adopted, with its evidence", uk: "чому версію прийнято, з доказами" },
    run: tellRationale,
  },
  rollback: {
    usage: "AGENT VERSION --reason TEXT",
    words: [2, 2],
    does: { en: "propose to go back to a version", uk: "запропонувати повернення до версії" },
    run: rollBack,
  },
};

/** Before a person looks: what people did to logic in git, what runs came to, what was promised. Costs what is new. */
async function bringUpToDate(garden: Garden): Promise<void> {
  await noticeRevert(garden);
  await recordStatistics(garden);
  await watchVersions(garden);
}

export const logic: Command = {
  name: "logic",
  summary: {
    en: "versions of an agent's logic: read, compare, measure, go back",
    uk: "версії логіки агента: читати, порівнювати, міряти, повертати",
  },
  usage: `${Object.keys(verbs).join("|")} AGENT`,
  words: [1, 4],
  options: {
    version: option("V", "show, heat: of this version", "show, heat: цієї версії"),
    versions: option("V,V", "performance: only these", "performance: лише ці"),
    format: option("pseudo|drakon", "show, diff: as text or as a diagram", "show, diff: текстом чи діаграмою"),
    by: option(heatMeasures.join("|"), "heat: what the picture shows", "heat: що показує рисунок"),
    svg: option("FILE", "heat: draw it into this file", "heat: нарисувати в цей файл"),
    theme: option(themes.join("|"), "heat: colours of the picture", "heat: кольори рисунка"),
    runs: option("N", "heat: the newest so many (500)", "heat: стільки найновіших (500)"),
    facts: {
      type: "boolean",
      about: { en: "heat: without what models only claimed", uk: "heat: без того, що моделі лише стверджують" },
    },
    all: {
      type: "boolean",
      about: { en: "changelog: all entries, not the last 10", uk: "changelog: усі записи, не лише 10" },
    },
    reason: option("TEXT", "rollback: why", "rollback: чому"),
    evidence: option("RUN,RUN", "rollback: runs that show it", "rollback: запуски, що це показують"),
  },
  examples: verbExamples("logic", verbs),
  run: (context) => runVerb("logic", verbs, "show", context, bringUpToDate),
};
