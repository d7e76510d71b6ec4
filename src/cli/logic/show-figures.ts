import type { Language, Text } from "../../base/text.ts";
import { heatMeasures } from "../../domain/logic/icon-heat.ts";
import { isLogicVersion, type LogicVersion } from "../../domain/logic/logic-version.ts";
import type { Garden } from "../../garden/core/garden.ts";
import {
  heatPicture,
  type LogicHeatReport,
  logicHeat,
  type NamedIconHeat,
} from "../../garden/insight/learning/logic-heat.ts";
import { logicPerformance } from "../../garden/insight/learning/logic-performance.ts";
import type { PooledFigures } from "../../garden/runs/tools/logic/logic-insight.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { shortText, writeFile } from "../diagram/diagram-files.ts";
import { themeOption } from "../diagram/draw-diagrams.ts";
import { usageError } from "../failures.ts";
import { choiceOption, listOption, numberOption, textOption } from "../options.ts";
import { alignColumns, inBothLanguages, oneLine } from "../text-layout.ts";
import { figureWords, formatNumber, formatRate, trendWords } from "./print-figures.ts";

/** Runs, success, decisions and tokens by version, then the trend with its basis. */
export async function showPerformance(context: CommandContext, garden: Garden, slug: string): Promise<CommandReport> {
  const found = await logicPerformance(garden, { slug, versions: versionsOption(context) });
  const { style } = context;
  const text = inBothLanguages((language) => {
    const head = [
      figureWords.version,
      figureWords.runs,
      figureWords.success,
      figureWords.good,
      figureWords.acceptance,
      figureWords.decided,
      figureWords.tokens,
    ];
    const lines = Object.entries(found.versions)
      .toSorted(([a], [b]) => (a < b ? 1 : -1))
      .map(([version, figures]) => figuresRow(version, figures));
    const [first, ...rest] = alignColumns([head.map((word) => word[language]), ...lines]);
    return [
      style.dim(first!),
      ...rest,
      "",
      `${style.bold(trendWords[found.trend][language])}: ${found.recommendation[language]}`,
      style.dim(figureWords.legend[language]),
    ].join("\n");
  });
  return { text, json: found, asked: true };
}

function figuresRow(version: LogicVersion, figures: PooledFigures): string[] {
  const { accepted, edited, rejected, reverted, open } = figures.proposals;
  const same = figures.pooledWith.length === 0 ? "" : ` (= ${figures.pooledWith.join(", ")})`;
  return [
    `${version}${same}`,
    String(figures.totalRuns),
    formatRate(figures.success_rate, figures.success_interval),
    `${formatRate(figures.good_rate, figures.good_interval)}${figures.judgedRuns === figures.totalRuns ? "" : ` /${figures.judgedRuns}`}`,
    formatRate(figures.acceptance_rate, figures.acceptance_interval),
    `${accepted} ${edited} ${rejected} ${reverted} ${open}`,
    formatNumber(figures.avg_tokens),
  ];
}

/** `--versions v005,v006`. */
function versionsOption(context: CommandContext): LogicVersion[] | undefined {
  const asked = listOption(context, "versions");
  for (const version of asked ?? []) if (!isLogicVersion(version)) throw notAVersion(version);
  return asked;
}

/** Heat of the icons as a table; with `--svg` as a picture too. */
export async function showHeat(context: CommandContext, garden: Garden, slug: string): Promise<CommandReport> {
  const version = textOption(context, "version");
  if (version !== undefined && !isLogicVersion(version)) throw notAVersion(version);
  const by = choiceOption(context, "by", heatMeasures) ?? "visits";
  const { heat, diagrams, mainFile } = await logicHeat(garden, {
    slug,
    version,
    most: numberOption(context, "runs"),
    factsOnly: context.options["facts"] === true,
  });
  const out = textOption(context, "svg");
  if (out !== undefined) {
    const { language } = context;
    const picture = { by, language, theme: themeOption(context) };
    await writeFile(context, out, heatPicture(heat, mainFile, diagrams.get(mainFile)!, picture));
  }
  const { style } = context;
  const text = inBothLanguages((language) => {
    const head = [
      figureWords.visits,
      figureWords.failures,
      figureWords.tokens,
      figureWords.time,
      figureWords.decided,
      figureWords.good,
      figureWords.icon,
    ];
    const named = heat.icons.filter((icon) => icon.text !== "" || icon.failures > 0);
    const lines = named.flatMap((icon) => [
      heatRow(icon, shortText(icon.text || icon.icon, 60)),
      ...icon.branches.map((branch) => heatRow(branch, `  ${answerText(branch.answer, language)}`)),
    ]);
    const [first, ...rest] = alignColumns([head.map((word) => word[language]), ...lines]);
    return [
      `${style.bold(`${oneLine(slug)} ${heat.logicVersion}`)}  ${runsText(heat)[language]}`,
      style.dim(first!),
      ...rest,
      ...heat.runs.unreadable.slice(0, 5).map(({ run, why }) => style.dim(`${run}: ${oneLine(why[language])}`)),
      ...(out === undefined ? [] : [`→ ${out}`]),
    ].join("\n");
  });
  return { text, json: { ...heat, ...(out !== undefined && { svg: out }) }, asked: true };
}

function heatRow(heat: Omit<NamedIconHeat, "text" | "icon" | "diagram" | "branches">, name: string): string[] {
  const { accepted, edited, rejected, reverted, open } = heat.proposals;
  const judged = heat.good + heat.bad;
  return [
    `${heat.visits}${heat.claimed > 0 ? ` (${heat.claimed} ≈)` : ""}`,
    String(heat.failures),
    String(heat.tokens),
    `${(heat.ms / 1000).toFixed(1)} s`,
    `${accepted} ${edited} ${rejected} ${reverted} ${open}`,
    judged === 0 ? "–" : `${heat.good}/${judged}`,
    name,
  ];
}

const answerText = (answer: boolean | number | null, language: Language): string =>
  typeof answer === "boolean"
    ? { uk: { true: "так", false: "ні" }, en: { true: "yes", false: "no" } }[language][`${answer}`]
    : answer === null
      ? { uk: "жоден", en: "none" }[language]
      : `№ ${answer + 1}`;

const runsText = ({ runs: { fact, claim, unknown, unreadable } }: LogicHeatReport): Text => ({
  en: `${fact} runs recorded, ${claim} claimed by the model (≈), ${unknown} unknown, ${unreadable.length} unreadable`,
  uk: `запусків: відомих ${fact}, зі слів моделі (≈) ${claim}, невідомих ${unknown}, нечитаних ${unreadable.length}`,
});

export const notAVersion = (written: string): Error =>
  usageError(
    { en: `not a logic version: ${oneLine(written)}`, uk: `це не версія: ${oneLine(written)}` },
    { en: "Write it as v007.", uk: "Запишіть як v007." },
  );
