import type { Language, Text } from "../../base/text.ts";
import { type HeatMeasure, heatMeasures } from "../../domain/logic/icon-heat.ts";
import { isLogicVersion, type LogicVersion } from "../../domain/logic/logic-version.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { heatPicture, type LogicHeatReport, logicHeat, type NamedIconHeat } from "../../garden/insight/learning/logic-heat.ts";
import { logicPerformance } from "../../garden/insight/learning/logic-performance.ts";
import type { PooledFigures } from "../../garden/runs/tools/logic-insight.ts";
import { type Context, type Report, textOption } from "../command.ts";
import { shortText, writeFile } from "../diagram/diagram-files.ts";
import { themeOf } from "../diagram/draw-diagrams.ts";
import { wrongUse } from "../parse.ts";
import { listOption, numberOption } from "../proposals/propose-verbs.ts";
import { inBoth, numberText, oneLine, rateText, table, trends, words } from "./logic-words.ts";

/** Per version: runs, what completed, what people decided, tokens; then the trend and what it rests on. */
export async function tellPerformance(context: Context, garden: Garden, slug: string): Promise<Report> {
  const found = await logicPerformance(garden, { slug, versions: versionsAsked(context) });
  const { style } = context;
  const text = inBoth((language) => {
    const head = [words.version, words.runs, words.success, words.good, words.acceptance, words.decided, words.tokens];
    const lines = Object.entries(found.versions)
      .toSorted(([a], [b]) => (a < b ? 1 : -1))
      .map(([version, figures]) => figuresRow(version, figures));
    const [first, ...rest] = table([head.map((word) => word[language]), ...lines]);
    return [
      style.dim(first!),
      ...rest,
      "",
      `${style.bold(trends[found.trend][language])}: ${found.recommendation[language]}`,
      style.dim(words.legend[language]),
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
    rateText(figures.success_rate, figures.success_interval),
    `${rateText(figures.good_rate, figures.good_interval)}${figures.judgedRuns === figures.totalRuns ? "" : ` /${figures.judgedRuns}`}`,
    rateText(figures.acceptance_rate, figures.acceptance_interval),
    `${accepted} ${edited} ${rejected} ${reverted} ${open}`,
    numberText(figures.avg_tokens),
  ];
}

/** `--versions v005,v006`. */
function versionsAsked(context: Context): LogicVersion[] | undefined {
  const asked = listOption(context, "versions");
  for (const version of asked ?? []) if (!isLogicVersion(version)) throw notAVersion(version);
  return asked;
}

/** Where runs went: as a table, and as a picture where one is wanted. */
export async function tellHeat(context: Context, garden: Garden, slug: string): Promise<Report> {
  const version = textOption(context, "version");
  if (version !== undefined && !isLogicVersion(version)) throw notAVersion(version);
  const by = measureAsked(context);
  const { heat, diagrams, mainFile } = await logicHeat(garden, {
    slug,
    version,
    most: numberOption(context, "runs"),
    factsOnly: context.options["facts"] === true,
  });
  const out = textOption(context, "svg");
  if (out !== undefined) {
    const { language } = context;
    const picture = { by, language, theme: themeOf(context) };
    await writeFile(context, out, heatPicture(heat, mainFile, diagrams.get(mainFile)!, picture));
  }
  const { style } = context;
  const text = inBoth((language) => {
    const head = [words.visits, words.failures, words.tokens, words.time, words.decided, words.good, words.icon];
    const named = heat.icons.filter((icon) => icon.text !== "" || icon.failures > 0);
    const lines = named.flatMap((icon) => [
      heatRow(icon, shortText(icon.text || icon.icon, 60)),
      ...icon.branches.map((branch) => heatRow(branch, `  ${answerText(branch.answer, language)}`)),
    ]);
    const [first, ...rest] = table([head.map((word) => word[language]), ...lines]);
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
  en: `${fact} runs known, ${claim} claimed by a model (≈), ${unknown} unknown, ${unreadable.length} unreadable`,
  uk: `запусків: відомих ${fact}, зі слів моделі (≈) ${claim}, невідомих ${unknown}, нечитаних ${unreadable.length}`,
});

function measureAsked(context: Context): HeatMeasure {
  const asked = textOption(context, "by") ?? "visits";
  const measure = heatMeasures.find((one) => one === asked);
  if (measure) return measure;
  throw wrongUse(
    { en: `--by: no such measure: ${asked}`, uk: `--by: немає такої міри: ${asked}` },
    { en: `Use ${heatMeasures.join(", ")}.`, uk: `Є такі: ${heatMeasures.join(", ")}.` },
  );
}

export const notAVersion = (written: string): Error =>
  wrongUse(
    { en: `not a version: ${oneLine(written)}`, uk: `це не версія: ${oneLine(written)}` },
    { en: "Write it as v007.", uk: "Запишіть як v007." },
  );
