import { Failure } from "../../base/failure.ts";
import { type Text, verbatim } from "../../base/text.ts";
import { isSlug } from "../../domain/contract/slug.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { contractKey, MAIN_REF, memoryFolder } from "../../domain/layout.ts";
import { type RecallMode, recallLimits, recallModes } from "../../domain/memory/memory-limits.ts";
import { memoryFacts } from "../../garden/agents/memory/memory-facts.ts";
import { type MemoryChange, memoryHistory } from "../../garden/agents/memory/memory-history.ts";
import { recall } from "../../garden/agents/memory/recall.ts";
import { searchMemory } from "../../garden/agents/memory/search-memory.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { commitAtMoment, memoryDiff } from "../../garden/records/memory/memory-diff.ts";
import { readReport } from "../../garden/records/memory/run-reports.ts";
import { usageError } from "../failures.ts";
import { choiceOption, numberOption, textOption } from "../options.ts";
import { printable } from "../printable.ts";
import type { Subcommand } from "../subcommands.ts";
import { formatTime, inBothLanguages } from "../text-layout.ts";

const USUAL_CHANGES = 20;
const USUAL_HITS = 20;

/** The head of main. Throws NOT_FOUND if there is neither such an agent nor memory of a deleted one. */
export async function requireMemory({ repo, store }: Garden, slug: string): Promise<Oid> {
  const head = await repo.resolve(MAIN_REF);
  const known = isSlug(slug) && head !== undefined;
  if (known && ((await store.get(contractKey(slug))) || (await repo.list(head, memoryFolder(slug))).length > 0))
    return head;
  throw new Failure("NOT_FOUND", {
    en: `no agent ${slug}, and no memory of a deleted one`,
    uk: `немає ані агента ${slug}, ані його пам'яті`,
    hint: { en: "All agents: `bloom agent list`.", uk: "Усі агенти: `bloom agent list`." },
    details: { agent: slug },
  });
}

/** The memory as the agent reads it, now or at a past commit or date. */
export const showMemory: Subcommand["run"] = async (context, garden, [slug]) => {
  const head = await requireMemory(garden, slug!);
  const written = textOption(context, "at");
  const at = written === undefined ? head : await commitAtMoment(garden.repo, head, written);
  if (at === undefined) throw noCommitYet(written!);
  const mode: RecallMode = choiceOption(context, "mode", recallModes) ?? "wide";
  const period = { from: textOption(context, "from"), to: textOption(context, "to") };
  const found = await recall(garden.repo, at, slug!, mode, period);
  const { style } = context;
  const values = Object.entries(found.values).map(([name, value]) => `${printable(name)}: ${JSON.stringify(value)}`);
  const parts = Object.entries(found.parts).filter(([, text]) => text.trim() !== "");
  const body = [
    ...(values.length > 0 ? [style.dim("— values —"), ...values] : []),
    ...parts.flatMap(([name, text]) => [style.dim(`— ${name} —`), printable(text).trimEnd()]),
  ];
  const size = `${found.tokens}/${recallLimits[mode]}`;
  const cut = found.cut.join(", ");
  const title: Text = {
    en: `${slug}  version ${found.version}  ${mode}: ${size} tokens${cut && `; cut: ${cut}`}`,
    uk: `${slug}  версія ${found.version}  ${mode}: токенів ${size}${cut && `; скорочено: ${cut}`}`,
  };
  const text = inBothLanguages((language) => [style.bold(title[language]), ...body].join("\n"));
  return { text, json: { agentId: slug, commit: at, ...found, limit: recallLimits[mode] }, asked: true };
};

export const listFacts: Subcommand["run"] = async (context, garden, [slug]) => {
  const facts = await memoryFacts(garden, await requireMemory(garden, slug!), slug!);
  const { style } = context;
  const list = inBothLanguages((language) => {
    const lines = facts.map(({ id, text, since, author, byHand, lastUsed, stale }) => {
      const who = `${printable(author)}${byHand ? ` (${KIND.hand[language]})` : ""}`;
      const used = `${USED[language]} ${lastUsed ?? "—"}${stale ? ` · ${STALE[language]}` : ""}`;
      return `${printable(text)}\n  ${style.dim(`${id}  ${since}  ${who}  ${used}`)}`;
    });
    return lines.join("\n") || NO_FACTS[language];
  });
  return { text: list, json: { agentId: slug, facts }, asked: true };
};

export const diffMemory: Subcommand["run"] = async (context, garden, words) => {
  const [slug, from = textOption(context, "from"), to = textOption(context, "to")] = words;
  if (from === undefined)
    throw usageError(
      { en: "memory diff: missing start", uk: "memory diff: відколи?" },
      verbatim(`bloom memory diff ${slug} 2026-02-01`),
    );
  const found = await memoryDiff(garden.repo, { slug: slug!, from, to, at: await requireMemory(garden, slug!) });
  const same: Text = { en: "No changes.", uk: "Нічого не змінилося." };
  const text = found.files.length === 0 ? same : verbatim(printable(found.diff).trimEnd());
  return { text, json: { ...found, from: found.from ?? null }, asked: true };
};

export const showMemoryHistory: Subcommand["run"] = async (context, garden, [slug]) => {
  const limit = Math.max(1, numberOption(context, "limit") ?? USUAL_CHANGES);
  const changes = await memoryHistory(garden.repo, await requireMemory(garden, slug!), slug!, { limit });
  const { style } = context;
  const text = inBothLanguages((language) => {
    const lines = changes.map((change) => {
      const files = change.files.map(({ file, added, removed }) => `${printable(file)} +${added} −${removed}`);
      const head = `${style.cyan(change.commit.slice(0, 10))}  ${formatTime(change.at)}  v${change.version}`;
      const who = `${printable(change.author)} (${KIND[change.by][language]})`;
      return `${head}  ${who}  ${printable(change.subject)}\n  ${style.dim(files.join(", "))}`;
    });
    return lines.join("\n") || NO_CHANGES[language];
  });
  return { text, json: { agentId: slug, changes }, asked: true };
};

export const searchAgentMemory: Subcommand["run"] = async (context, garden, words) => {
  const [slug, ...query] = words;
  const found = await searchMemory(garden.repo, await requireMemory(garden, slug!), slug!, {
    query: query.join(" "),
    limit: Math.max(1, numberOption(context, "limit") ?? USUAL_HITS),
    deep: context.options["deep"] === true,
  });
  const { style } = context;
  const lines = found.hits.map(({ file, section, text }) => {
    const place = section === null ? file : `${file} · ${printable(section)}`;
    return `${printable(text)}\n  ${style.dim(place)}`;
  });
  const none: Text = { en: "No matches.", uk: "Нічого не знайдено." };
  return {
    text: lines.length === 0 ? none : verbatim(lines.join("\n")),
    json: { agentId: slug, ...found },
    asked: true,
  };
};

/** The report of a run, from git or, once archived, from the store. */
export const showRunReport: Subcommand["run"] = async (_, garden, [slug, run]) => {
  const report = await readReport(garden, await requireMemory(garden, slug!), slug!, run!);
  return { text: verbatim(printable(report.text).trimEnd()), json: report, asked: true };
};

const KIND: Readonly<Record<MemoryChange["by"], Text>> = {
  proposal: { en: "proposal", uk: "пропозиція" },
  hand: { en: "by hand", uk: "власноруч" },
  bookkeeping: { en: "bookkeeping", uk: "облік" },
};

const USED: Text = { en: "used", uk: "востаннє" };
const STALE: Text = { en: "stale", uk: "давно не потрібен" };
const NO_FACTS: Text = { en: "No facts yet.", uk: "Фактів ще немає." };
const NO_CHANGES: Text = { en: "No memory yet.", uk: "Ще нічого не запам'ятовано." };
const noCommitYet = (at: string): Failure =>
  new Failure("NOT_FOUND", { en: `no commit before ${at}`, uk: `на ${at} ще не було комітів` });
