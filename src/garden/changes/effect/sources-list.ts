import type { Citation } from "../../../domain/proposal/operation.ts";

/**
 * The citations of a text as a list below it; empty without citations. A quote is one line, so that it cannot pose as
 * text of the note.
 */
export function sourcesList(citations: readonly Citation[]): string {
  if (citations.length === 0) return "";
  const lines = citations.map(({ source, line, quote }) => {
    const place = line === undefined ? source : `${source}:${line}`;
    const said = quote?.replaceAll(/\s+/g, " ").trim();
    return `- ${place}${said ? ` — “${said}”` : ""}`;
  });
  return `\n\n${lines.join("\n")}`;
}
