import { verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { CHANGELOG_ENTRIES } from "../../domain/logic/logic-changelog.ts";
import { isLogicVersion } from "../../domain/logic/logic-version.ts";
import {
  type LogicFormat,
  logicChangelog,
  logicDiff,
  logicRationale,
  logicVersions,
  readLogic,
} from "../../garden/changes/logic/read-logic.ts";
import { listPending } from "../../garden/changes/proposals/list-proposals.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { logicPerformance } from "../../garden/insight/learning/logic-performance.ts";
import { proposeRollback } from "../../garden/insight/learning/propose-rollback.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { choiceOption, listOption, textOption } from "../options.ts";
import { printable } from "../printable.ts";
import type { Subcommand } from "../subcommands.ts";
import { alignColumns, inBothLanguages, oneLine } from "../text-layout.ts";
import { figureWords, formatNumber, formatRate, trendWords } from "./print-figures.ts";
import { notAVersion } from "./show-figures.ts";

/** The logic of an agent with its figures. */
export async function showLogic(context: CommandContext, garden: Garden, slug: string): Promise<CommandReport> {
  const version = textOption(context, "version");
  if (version !== undefined && !isLogicVersion(version)) throw notAVersion(version);
  const logic = await readLogic(garden, { slug, version, format: formatOption(context) });
  const found = await logicPerformance(garden, { slug });
  const { proposals: pending } = await listPending(garden, { target: `logic/${slug}` });
  const { style } = context;
  const figures = found.versions[logic.logicVersion];
  const text = inBothLanguages((language) => {
    const row = (label: keyof typeof figureWords, value: string): string =>
      `${style.dim(figureWords[label][language].padEnd(13))} ${value}`;
    const isCurrent = logic.logicVersion === logic.meta.logicVersion;
    return [
      `${style.bold(`${oneLine(slug)} ${logic.logicVersion}`)}${isCurrent ? `  ${figureWords.current[language]}` : ""}`,
      ...(isCurrent ? [row("since", logic.meta.activeSince), row("source", oneLine(logic.meta.sourceProposal))] : []),
      ...(figures
        ? [
            row("runs", String(figures.totalRuns)),
            row("success", formatRate(figures.success_rate, figures.success_interval)),
            row("acceptance", formatRate(figures.acceptance_rate, figures.acceptance_interval)),
            row("tokens", formatNumber(figures.avg_tokens)),
          ]
        : []),
      row("trend", `${trendWords[found.trend][language]}: ${found.recommendation[language]}`),
      ...pending.map(({ id, summary, source }) => row("pending", oneLine(`${id}  ${source.identity}: ${summary}`))),
      ...(pending[0] ? [row("review", `bloom logic diff ${oneLine(slug)} current ${pending[0].id}`)] : []),
      "",
      printable(logic.content).trimEnd(),
    ].join("\n");
  });
  return { text, json: { ...logic, figures: figures ?? null, trend: found.trend, pending }, asked: true };
}

/** All versions, newest first, with date, figures and reason. */
export async function listVersions(context: CommandContext, garden: Garden, slug: string): Promise<CommandReport> {
  const rows = await logicVersions(garden, slug);
  const found = await logicPerformance(garden, { slug });
  const { style } = context;
  const json = rows.map(({ version, current, meta, entry }) => ({
    version,
    current,
    date: entry?.date ?? meta?.activeSince ?? null,
    reason: entry?.fields.get("Причина") ?? null,
    figures: found.versions[version] ?? null,
  }));
  const text = inBothLanguages((language) => {
    const head = [figureWords.version, figureWords.since, figureWords.runs, figureWords.good, figureWords.why].map(
      (word) => word[language],
    );
    const lines = json.map(({ version, current, date, reason, figures }) => [
      `${version}${current ? " *" : ""}`,
      date?.slice(0, 10) ?? "–",
      formatNumber(figures?.totalRuns ?? null),
      formatRate(figures?.good_rate ?? null, figures?.good_interval ?? null),
      [
        ...(figures && figures.pooledWith.length > 0 ? [`= ${figures.pooledWith.join(", ")}`] : []),
        oneLine(reason ?? ""),
      ].join("  "),
    ]);
    const [first, ...rest] = alignColumns([head, ...lines]);
    return [style.dim(first!), ...rest].join("\n");
  });
  return { text, json: { agentId: slug, versions: json, trend: found.trend }, asked: true };
}

/** Compares two versions, or a version and a proposal. Default: the previous version with the current one. */
export const diffLogic: Subcommand["run"] = async (context, garden, [slug, from, to]) => {
  const versions = (await logicVersions(garden, slug!)).map(({ version }) => version);
  const before = from ?? versions[1] ?? versions[0]!;
  const diff = await logicDiff(garden, {
    slug: slug!,
    from: before,
    to: to ?? "current",
    format: formatOption(context),
  });
  const { style } = context;
  const coloured = printable(diff.diff)
    .trimEnd()
    .split("\n")
    .map((line) => (line.startsWith("+") ? style.green(line) : line.startsWith("-") ? style.red(line) : line));
  const text = inBothLanguages((language) =>
    [
      `${style.bold(`${diff.fromVersion} → ${diff.toVersion}`)}  ${diff.summary[language]}  (${RISK[language]}: ${diff.riskLevel})`,
      ...diff.reasons.map((reason) => `  ${reason[language]}`),
      ...(diff.diff === "" ? [] : coloured),
    ].join("\n"),
  );
  return { text, json: diff, asked: true };
};

const RISK = { en: "risk", uk: "ризик" };

export async function showChangelog(context: CommandContext, garden: Garden, slug: string): Promise<CommandReport> {
  const all = context.options["all"] === true;
  const entries = await logicChangelog(garden, slug, all ? Number.POSITIVE_INFINITY : CHANGELOG_ENTRIES);
  const json = entries.map(({ fields, ...entry }) => ({ ...entry, fields: Object.fromEntries(fields) }));
  return {
    text: verbatim(entries.map(({ text }) => printable(text).trimEnd()).join("\n\n")),
    json: { agentId: slug, entries: json },
    asked: true,
  };
}

/** The rationale of a version. */
export const showRationale: Subcommand["run"] = async (_, garden, [slug, version]) => {
  if (version !== undefined && !isLogicVersion(version)) throw notAVersion(version);
  const found = await logicRationale(garden, slug!, version);
  return { text: verbatim(printable(found.text).trimEnd()), json: found, asked: true };
};

/** Proposes to return to a version; the owner decides, as on any change of logic. */
export const rollBack: Subcommand["run"] = async (context, garden, [slug, to]) => {
  if (!isLogicVersion(to!)) throw notAVersion(to!);
  const reason = textOption(context, "reason");
  if (reason === undefined)
    throw usageError(
      { en: "logic rollback: missing option --reason", uk: "logic rollback: чому?" },
      { en: "Add --reason TEXT.", uk: "Вкажіть --reason ТЕКСТ." },
    );
  const evidence = listOption(context, "evidence");
  const received = await proposeRollback(garden, { slug: slug!, to, by: commandLineOwner, reason, evidence });
  if (received.kind === "refused") throw received.failure;
  const { id, digest } = received.proposal;
  return {
    text: {
      en: `Proposed ${id}: return ${slug} to ${to}\n→ bloom proposals show ${id.split("_").at(-1)}`,
      uk: `Запропоновано ${id}: ${slug}, як у ${to}\n→ bloom proposals show ${id.split("_").at(-1)}`,
    },
    json: { proposal: id, digest, toVersion: to },
  };
};

const formatOption = (context: CommandContext): LogicFormat =>
  choiceOption(context, "format", ["pseudo", "drakon"]) ?? "pseudo";
