import { type Language, languages } from "../../base/text.ts";
import type { LogicVersion } from "./logic-version.ts";

/**
 * `current.pseudo.md`: the header of source 000 §2.2 in the language of the garden, followed by the procedure (or, for an
 * agent without a diagram, its instructions).
 */
export interface LogicPseudo {
  readonly agentId: string;
  readonly version: LogicVersion;
  readonly updated: string;
  readonly proposal: string;
  /** Ends with a line break. */
  readonly procedure: string;
}

const heads = {
  uk: ["Псевдокод", "Версія логіки", "Оновлено", "На основі Proposal", "Головний потік"],
  en: ["Pseudocode", "Logic version", "Updated", "Based on proposal", "Main flow"],
} as const satisfies Record<Language, readonly string[]>;

export function pseudoText(
  { agentId, version, updated, proposal, procedure }: LogicPseudo,
  language: Language = "uk",
): string {
  const [title, logic, changed, based, flow] = heads[language];
  return [
    `# ${title}: ${agentId}`,
    `**${logic}:** ${version}`,
    `**${changed}:** ${updated}`,
    `**${based}:** ${proposal}`,
    "",
    `## ${flow}`,
    "",
    `${procedure.trimEnd()}\n`,
  ].join("\n");
}

/** Reads the header of either language. */
const HEADERS = languages.map((language) => {
  const [title, logic, changed, based, flow] = heads[language];
  const fields = [logic, changed, based].map((name) => `\\*\\*${name}:\\*\\* (.*)\\r?\\n`).join("");
  return new RegExp(`^\\ufeff?# ${title}: (.*)\\r?\\n${fields}\\s*## ${flow}[ \\t]*\\r?\\n`);
});

/** The parts of the file; undefined if the header was removed: then the whole file is the procedure. */
export function readPseudo(text: string): LogicPseudo | undefined {
  const match = HEADERS.map((header) => header.exec(text)).find((found) => found !== null);
  if (!match) return undefined;
  const [whole, agentId, version, updated, proposal] = match.map((part) => part.trim());
  void whole;
  return {
    agentId: agentId!,
    version: version!,
    updated: updated!,
    proposal: proposal!,
    procedure: `${text
      .slice(match[0].length)
      .replace(/^(?:[ \t]*\r?\n)+/, "")
      .trimEnd()}\n`,
  };
}

/** The procedure without the header. */
export const procedureOf = (text: string): string => readPseudo(text)?.procedure ?? `${text.trimEnd()}\n`;
