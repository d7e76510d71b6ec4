import type { Language } from "../../base/text.ts";

/**
 * How the text of a run states its outcome (R-5a): a line that begins with one of these words, in either language,
 * followed by the reason. A text without such a line states no outcome.
 */
export type OutcomeWord = "noop" | "blocked" | "failed";

export const outcomeWordOf: Readonly<Record<OutcomeWord, Readonly<Record<Language, string>>>> = {
  noop: { en: "NOOP", uk: "БЕЗ ЗМІН" },
  blocked: { en: "BLOCKED", uk: "ЗАБЛОКОВАНО" },
  failed: { en: "FAILED", uk: "НЕ ВДАЛОСЯ" },
};

const LINE = new RegExp(
  `^[ \\t>*_\`]*(${Object.values(outcomeWordOf)
    .flatMap((words) => Object.values(words))
    .join("|")})[*_\`]*[ \\t]*:[ \\t]*(.*)$`,
  "gimu",
);

/** The last such line of a text, with its reason; undefined if there is none, or it has no reason. */
export function statedOutcome(text: string): { readonly kind: OutcomeWord; readonly reason: string } | undefined {
  const found = [...text.slice(-MOST_READ).matchAll(LINE)].at(-1);
  if (!found) return undefined;
  const [, said = "", reason = ""] = found;
  const kind = (Object.keys(outcomeWordOf) as OutcomeWord[]).find((one) =>
    Object.values(outcomeWordOf[one]).some((word) => word.toLowerCase() === said.toLowerCase()),
  );
  const bare = reason.replace(/[*_`]+$/, "").trim();
  return kind && bare !== "" ? { kind, reason: bare } : undefined;
}

const MOST_READ = 20_000;

export const outcomeLine = (kind: OutcomeWord, language: Language, reason: string): string =>
  `${outcomeWordOf[kind][language]}: ${reason.replace(/\s*\n\s*/g, " ")}`;
