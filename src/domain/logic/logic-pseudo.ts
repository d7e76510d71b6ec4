import type { LogicVersion } from "./logic-version.ts";

/**
 * `current.pseudo.md`: the header of source 000 §2.2, always in Ukrainian, followed by the procedure (or, for an
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

const MAIN_FLOW = "## Головний потік";

export const pseudoText = ({ agentId, version, updated, proposal, procedure }: LogicPseudo): string =>
  [
    `# Псевдокод: ${agentId}`,
    `**Версія логіки:** ${version}`,
    `**Оновлено:** ${updated}`,
    `**На основі Proposal:** ${proposal}`,
    "",
    MAIN_FLOW,
    "",
    `${procedure.trimEnd()}\n`,
  ].join("\n");

const HEADER =
  /^\ufeff?# Псевдокод: (.*)\r?\n\*\*Версія логіки:\*\* (.*)\r?\n\*\*Оновлено:\*\* (.*)\r?\n\*\*На основі Proposal:\*\* (.*)\r?\n\s*## Головний потік[ \t]*\r?\n/;

/** The parts of the file; undefined if the header was removed: then the whole file is the procedure. */
export function readPseudo(text: string): LogicPseudo | undefined {
  const match = HEADER.exec(text);
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
