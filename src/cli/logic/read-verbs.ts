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
import type { Garden } from "../../garden/core/garden.ts";
import { logicPerformance } from "../../garden/insight/learning/logic-performance.ts";
import { proposeRollback } from "../../garden/insight/learning/propose-rollback.ts";
import { type Context, type Report, textOption } from "../command.ts";
import { wrongUse } from "../parse.ts";
import { printable } from "../printable.ts";
import { listOption } from "../proposals/propose-verbs.ts";
import { notAVersion } from "./figures-verbs.ts";
import { inBoth, numberText, oneLine, rateText, table, trends, words } from "./logic-words.ts";

/** What the agent follows, and how that has been doing. */
export async function showLogic(context: Context, garden: Garden, slug: string): Promise<Report> {
  const version = textOption(context, "version");
  if (version !== undefined && !isLogicVersion(version)) throw notAVersion(version);
  const logic = await readLogic(garden, { slug, version, format: formatAsked(context) });
  const found = await logicPerformance(garden, { slug });
  const { style } = context;
  const figures = found.versions[logic.logicVersion];
  const text = inBoth((language) => {
    const row = (label: keyof typeof words, value: string): string =>
      `${style.dim(words[label][language].padEnd(13))} ${value}`;
    const isCurrent = logic.logicVersion === logic.meta.logicVersion;
    return [
      `${style.bold(`${oneLine(slug)} ${logic.logicVersion}`)}${isCurrent ? `  ${words.current[language]}` : ""}`,
      ...(isCurrent ? [row("since", logic.meta.activeSince), row("source", oneLine(logic.meta.sourceProposal))] : []),
      ...(figures
        ? [
            row("runs", String(figures.totalRuns)),
            row("success", rateText(figures.success_rate, figures.success_interval)),
            row("acceptance", rateText(figures.acceptance_rate, figures.acceptance_interval)),
            row("tokens", numberText(figures.avg_tokens)),
          ]
        : []),
      row("trend", `${trends[found.trend][language]}: ${found.recommendation[language]}`),
      "",
      printable(logic.content).trimEnd(),
    ].join("\n");
  });
  return { text, json: { ...logic, figures: figures ?? null, trend: found.trend }, asked: true };
}

/** Every version, newest first: since when, how it did, why it came. */
export async function listVersions(context: Context, garden: Garden, slug: string): Promise<Report> {
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
  const text = inBoth((language) => {
    const head = [words.version, words.since, words.runs, words.good, words.why].map((word) => word[language]);
    const lines = json.map(({ version, current, date, reason, figures }) => [
      `${version}${current ? " *" : ""}`,
      date?.slice(0, 10) ?? "–",
      numberText(figures?.totalRuns ?? null),
      rateText(figures?.good_rate ?? null, figures?.good_interval ?? null),
      [
        ...(figures && figures.pooledWith.length > 0 ? [`= ${figures.pooledWith.join(", ")}`] : []),
        oneLine(reason ?? ""),
      ].join("  "),
    ]);
    const [first, ...rest] = table([head, ...lines]);
    return [style.dim(first!), ...rest].join("\n");
  });
  return { text, json: { agentId: slug, versions: json, trend: found.trend }, asked: true };
}

/** Two versions, or a version and a proposal; without words, the one before against the current. */
export async function diffLogic(
  context: Context,
  garden: Garden,
  [slug, from, to]: readonly string[],
): Promise<Report> {
  const versions = (await logicVersions(garden, slug!)).map(({ version }) => version);
  const before = from ?? versions[1] ?? versions[0]!;
  const diff = await logicDiff(garden, {
    slug: slug!,
    from: before,
    to: to ?? "current",
    format: formatAsked(context),
  });
  const { style } = context;
  const coloured = printable(diff.diff)
    .trimEnd()
    .split("\n")
    .map((line) => (line.startsWith("+") ? style.green(line) : line.startsWith("-") ? style.red(line) : line));
  const text = inBoth((language) =>
    [
      `${style.bold(`${diff.fromVersion} → ${diff.toVersion}`)}  ${diff.summary[language]}  (${RISK[language]}: ${diff.riskLevel})`,
      ...diff.reasons.map((reason) => `  ${reason[language]}`),
      ...(diff.diff === "" ? [] : coloured),
    ].join("\n"),
  );
  return { text, json: diff, asked: true };
}

const RISK = { en: "risk", uk: "ризик" };

export async function tellChangelog(context: Context, garden: Garden, slug: string): Promise<Report> {
  const all = context.options["all"] === true;
  const entries = await logicChangelog(garden, slug, all ? Number.POSITIVE_INFINITY : CHANGELOG_ENTRIES);
  const json = entries.map(({ fields, ...entry }) => ({ ...entry, fields: Object.fromEntries(fields) }));
  return {
    text: verbatim(entries.map(({ text }) => printable(text).trimEnd()).join("\n\n")),
    json: { agentId: slug, entries: json },
    asked: true,
  };
}

/** Why a version was adopted. */
export async function tellRationale(_: Context, garden: Garden, [slug, version]: readonly string[]): Promise<Report> {
  if (version !== undefined && !isLogicVersion(version)) throw notAVersion(version);
  const found = await logicRationale(garden, slug!, version);
  return { text: verbatim(printable(found.text).trimEnd()), json: found, asked: true };
}

/** A proposal to go back: it waits for the owner, like any change of logic. */
export async function rollBack(context: Context, garden: Garden, [slug, to]: readonly string[]): Promise<Report> {
  if (!isLogicVersion(to!)) throw notAVersion(to!);
  const reason = textOption(context, "reason");
  if (reason === undefined)
    throw wrongUse(
      { en: "logic rollback: why?", uk: "logic rollback: чому?" },
      { en: "Say it with --reason TEXT.", uk: "Вкажіть --reason ТЕКСТ." },
    );
  const evidence = listOption(context, "evidence");
  const received = await proposeRollback(garden, { slug: slug!, to, by: commandLineOwner, reason, evidence });
  if (received.kind === "refused") throw received.failure;
  const { id, digest } = received.proposal;
  return {
    text: {
      en: `Proposed ${id}: ${slug} as it was in ${to}\n→ bloom proposals show ${id.split("_").at(-1)}`,
      uk: `Запропоновано ${id}: ${slug}, як у ${to}\n→ bloom proposals show ${id.split("_").at(-1)}`,
    },
    json: { proposal: id, digest, toVersion: to },
  };
}

function formatAsked(context: Context): LogicFormat {
  const asked = textOption(context, "format") ?? "pseudo";
  if (asked === "pseudo" || asked === "drakon") return asked;
  throw wrongUse(
    { en: `--format: not a format: ${oneLine(asked)}`, uk: `--format: це не формат: ${oneLine(asked)}` },
    { en: "Use pseudo or drakon.", uk: "Є pseudo і drakon." },
  );
}
