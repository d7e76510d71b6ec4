import { Failure } from "../../base/failure.ts";

/**
 * Trailers record the origin of a gateway commit: they survive rebase, cherry-pick and export, which commit headers
 * do not. Only the last paragraph of a message counts, and only if every line of it is a trailer.
 */
export type Trailer = readonly [name: string, value: string];

const LINE = /^([A-Za-z][A-Za-z0-9-]*): (.*)$/;

/** Appends a block of trailers. Values are one line: a line break inside a value could forge another trailer. */
export function messageWithTrailers(message: string, trailers: readonly Trailer[]): string {
  const body = message.replaceAll("\r\n", "\n").replace(/\s+$/, "");
  if (body === "" || body.includes("\0")) throw refused("an empty message, or one with a NUL");
  for (const [name, value] of trailers) {
    if (!LINE.test(`${name}: ${value}`) || /[\r\n\0]/.test(value)) throw refused(`the trailer ${JSON.stringify(name)}`);
  }
  if (trailers.length === 0) return `${body}\n`;
  return `${body}\n\n${trailers.map(([name, value]) => `${name}: ${value}`).join("\n")}\n`;
}

/** The trailers of a commit message; empty if its last paragraph contains anything else. Never throws. */
export function trailersOf(message: string): Trailer[] {
  const paragraphs = message
    .replaceAll("\r\n", "\n")
    .trimEnd()
    .split(/\n\s*\n/);
  if (paragraphs.length < 2) return [];
  const found: Trailer[] = [];
  for (const line of paragraphs.at(-1)!.split("\n")) {
    const match = LINE.exec(line);
    if (!match) return [];
    found.push([match[1]!, match[2]!.trim()]);
  }
  return found;
}

/** The value of a trailer (names ignore case); undefined if it is missing or occurs more than once. */
export function trailerOf(message: string, name: string): string | undefined {
  const values = trailersOf(message).filter(([found]) => found.toLowerCase() === name.toLowerCase());
  return values.length === 1 ? values[0]![1] : undefined;
}

const refused = (what: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `a commit message cannot hold ${what}`,
    uk: `повідомлення коміту не може містити: ${what}`,
  });
