import type { Language } from "../../base/text.ts";
import { joinLines, lineEndOf, type MarkdownLine, markdownLines } from "../note/markdown-lines.ts";
import { isLogicVersion, type LogicVersion } from "./logic-version.ts";

/** One entry of `changelog.md` (source 000 §2.2). Values are one line each, so that a proposer's text cannot forge an entry. */
export interface ChangelogEntry {
  readonly version: LogicVersion;
  /** `2026-02-10` */
  readonly date: string;
  /** In the heading: `v008 — rollback до v006` (source 000 §3.4). */
  readonly rollbackTo?: LogicVersion | undefined;
  readonly proposal: string;
  readonly initiator: string;
  readonly reason: string;
  readonly change: string;
}

/** L-1a: maximum number of entries loaded. */
export const CHANGELOG_ENTRIES = 10;
const MAX_LINE = 1000;

/**
 * Adds an entry above all others. Text of people stays: the entry goes before the first version heading, after any
 * preface; a file without a title gets one.
 */
export function withEntry(
  text: string | undefined,
  agentId: string,
  entry: ChangelogEntry,
  language: Language = "uk",
): string {
  return withBlock(text, agentId, entryLines(entry, language));
}

/** Restores entries from an older text of the file, for versions without an entry. */
export function withLostEntries(text: string | undefined, agentId: string, older: string): string {
  const known = new Set(changelogEntries(text ?? "", Number.POSITIVE_INFINITY).map(({ version }) => version));
  const lost = changelogEntries(older, Number.POSITIVE_INFINITY).filter(({ version }) => !known.has(version));
  let result = text;
  // Oldest first, because each is put on top. A revert removes the newest entries, so they belong on top.
  for (const { text: block } of lost.toReversed())
    result = withBlock(result, agentId, block.replace(/(?:\r?\n)+$/, "").split(/\r?\n/));
  return result ?? "";
}

const RESULT = /^\*\*(?:Результат після \d+ запуск(?:у|ів)|Result after \d+ runs?):\*\* /;

/** True if the entry has a measured result (L-9). */
export const hasResult = ({ text }: ReadEntry): boolean => markdownLines(text).some((line) => RESULT.test(line.text));

/** The measured result of an entry, as `resultLine` wrote it, without the marks; undefined if there is none. */
export const resultOf = ({ text }: ReadEntry): string | undefined =>
  markdownLines(text)
    .find((line) => RESULT.test(line.text))
    ?.text.replaceAll("**", "")
    .trim();

/** `**Результат після 143 запусків:** success_rate 0.87 → 0.94` (source 000 §2.2), or `**Result after 143 runs:** …`. */
export const resultLine = (runs: number, result: string, language: Language = "uk"): string => {
  const uk = `Результат після ${runs} ${runs % 10 === 1 && runs % 100 !== 11 ? "запуску" : "запусків"}`;
  const en = `Result after ${runs} ${runs === 1 ? "run" : "runs"}`;
  return `**${language === "en" ? en : uk}:** ${oneLine(result)}  `;
};

/** Adds the measured result after the last field of a version's entry; unchanged if there is no such entry or it has a result. */
export function withResult(text: string, version: LogicVersion, line: string): string {
  const lines = markdownLines(text);
  const start = lines.findIndex((one) => versionOf(one) === version);
  if (start < 0) return text;
  const next = lines.findIndex(({ heading }, index) => index > start && heading !== undefined && heading.level <= 2);
  const block = lines.slice(start, next < 0 ? lines.length : next);
  if (block.some((one) => RESULT.test(one.text))) return text;
  const last = block.findLastIndex((one) => /^\*\*.+?:\*\*/.test(one.text));
  const at = start + Math.max(0, last) + 1;
  const end = lineEndOf(text);
  const before = lines.slice(0, at).map((one, index) => (index === at - 1 && one.end === "" ? { ...one, end } : one));
  return joinLines([...before, { text: line, end }, ...lines.slice(at)]);
}

/** Removes all measured results. */
export const withoutResults = (text: string): string =>
  joinLines(markdownLines(text).filter((line) => !RESULT.test(line.text)));

export interface ReadEntry {
  readonly version: LogicVersion;
  /** The last date in the heading, if there is one. */
  readonly date: string | undefined;
  /** The entry's text, heading included. */
  readonly text: string;
  /** `Proposal`, `Причина`, … → their values; English names are read as the Ukrainian ones. */
  readonly fields: ReadonlyMap<string, string>;
}

/** Entries in the order of the file (newest first); other text is skipped. */
export function changelogEntries(text: string, limit: number = CHANGELOG_ENTRIES): ReadEntry[] {
  const lines = markdownLines(text);
  const starts = lines.flatMap((line, index) => (versionOf(line) ? [index] : []));
  return starts.slice(0, limit).map((start) => {
    const rest = lines.findIndex(({ heading }, index) => index > start && heading !== undefined && heading.level <= 2);
    const block = lines.slice(start, rest < 0 ? lines.length : rest);
    const title = block[0]!.heading!.title;
    return {
      version: versionOf(block[0]!)!,
      date: title.match(/\d{4}-\d{2}-\d{2}/g)?.at(-1),
      text: joinLines(block),
      fields: new Map(
        block.flatMap(({ text: line }) => {
          const field = /^\*\*(.+?):\*\*\s*(.*?)\s*$/.exec(line);
          return field ? [[HEADS.get(field[1]!) ?? field[1]!, field[2]!] as const] : [];
        }),
      ),
    };
  });
}

const titleOf = (agentId: string): string => `# Logic Changelog: ${agentId}`;

/** Names of the fields: English to those of source 000 §2.2. */
const HEADS: ReadonlyMap<string, string> = new Map([
  ["Initiator", "Ініціатор"],
  ["Reason", "Причина"],
  ["Change", "Зміна"],
]);

const entryLines = (entry: ChangelogEntry, language: Language): string[] => {
  const isEnglish = language === "en";
  const back = isEnglish ? "rollback to" : "rollback до";
  const what = entry.rollbackTo === undefined ? "" : ` — ${back} ${entry.rollbackTo}`;
  return [
    `## ${entry.version}${what} — ${entry.date}`,
    `**Proposal:** ${oneLine(entry.proposal)}  `,
    `**${isEnglish ? "Initiator" : "Ініціатор"}:** ${oneLine(entry.initiator)}  `,
    `**${isEnglish ? "Reason" : "Причина"}:** ${oneLine(entry.reason)}  `,
    `**${isEnglish ? "Change" : "Зміна"}:** ${oneLine(entry.change)}  `,
  ];
};

function withBlock(text: string | undefined, agentId: string, block: readonly string[]): string {
  if (text === undefined || text.trim() === "") return `${[titleOf(agentId), "", ...block].join("\n")}\n`;
  const end = lineEndOf(text);
  const added = block.map((line): Pick<MarkdownLine, "text" | "end"> => ({ text: line, end }));
  const blank = { text: "", end };
  const lines = markdownLines(text);
  const titled = lines.some(({ heading }) => heading?.level === 1);
  const title = titled ? [] : [{ text: titleOf(agentId), end }, blank];
  const first = lines.findIndex((line) => versionOf(line) !== undefined);
  if (first >= 0) return joinLines([...title, ...lines.slice(0, first), ...added, blank, ...lines.slice(first)]);
  if (!titled) return joinLines([...title, ...added, blank, ...lines]);
  const complete = text.endsWith("\n") ? lines : [...lines.slice(0, -1), { ...lines.at(-1)!, end }];
  const spaced = complete.at(-1)!.text.trim() === "" ? [] : [blank];
  return joinLines([...complete, ...spaced, ...added]);
}

function versionOf({ heading }: MarkdownLine): LogicVersion | undefined {
  const version = heading?.level === 2 ? /^(v\d{3})(?!\d)/.exec(heading.title)?.[1] : undefined;
  return version !== undefined && isLogicVersion(version) ? version : undefined;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line === "" ? "—" : line.length > MAX_LINE ? `${[...line].slice(0, MAX_LINE).join("")}…` : line;
}
