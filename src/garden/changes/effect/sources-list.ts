import type { Citation } from "../../../domain/proposal/operation.ts";

/** What a text cites, as a list below it; empty if it cites nothing. Quotes are one line each, so that none can pose as text. */
export function sourcesList(citations: readonly Citation[]): string {
  if (citations.length === 0) return "";
  const lines = citations.map(({ source, line, quote }) => {
    const place = line === undefined ? source : `${source}:${line}`;
    const said = quote?.replaceAll(/\s+/g, " ").trim();
    return `- ${place}${said ? ` — “${said}”` : ""}`;
  });
  return `\n\n${lines.join("\n")}`;
}
