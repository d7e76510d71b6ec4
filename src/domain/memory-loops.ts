import { blobId } from "../base/canonical.ts";
import { joinLines, markdownLines } from "./markdown-lines.ts";

/** An item of `open_loops.md`: a line of a list at the left edge that is not ticked off. */
export interface OpenLoop {
  readonly line: number;
  /** Without marker, box and name. */
  readonly text: string;
  /** `loop-1a2b3c`, where the line carries one (`^loop-1a2b3c` at its end, which Obsidian can link to). */
  readonly id: string | undefined;
}

const ITEM = /^[-*+][ \t]+(?:\[([ xX])\][ \t]+)?(.*?)(?:[ \t]+\^([a-z0-9-]{1,60}))?[ \t]*$/;

export function openLoops(file: string): OpenLoop[] {
  return markdownLines(file).flatMap(({ text, code }, line): OpenLoop[] => {
    const item = code ? null : ITEM.exec(text);
    if (!item || item[1]?.toLowerCase() === "x" || item[2] === "") return [];
    return [{ line, text: item[2]!, id: item[3] }];
  });
}

/** Items of lists at the left edge: facts and decisions are counted by these. */
export const listItems = (file: string): number =>
  markdownLines(file).filter(({ text, code }) => !code && /^[-*+][ \t]+\S/.test(text)).length;

export type MatchedLoop =
  | { readonly kind: "loop"; readonly loop: OpenLoop }
  | { readonly kind: "none" }
  | { readonly kind: "several"; readonly candidates: readonly OpenLoop[] };

/** By id (with or without `^`), else by exact text. */
export function matchLoop(file: string, wanted: string): MatchedLoop {
  const loops = openLoops(file);
  const name = wanted.trim().replace(/^\^/, "");
  const byId = loops.filter(({ id }) => id === name);
  const found = byId.length > 0 ? byId : loops.filter(({ text }) => text.normalize("NFC") === name.normalize("NFC"));
  if (found.length > 1) return { kind: "several", candidates: found };
  return found[0] ? { kind: "loop", loop: found[0] } : { kind: "none" };
}

/** The file without a loop, the lines that are indented under it included. */
export function withoutLoop(file: string, { line }: OpenLoop): string {
  const lines = markdownLines(file);
  let end = line + 1;
  while (end < lines.length && /^[ \t]+\S/.test(lines[end]!.text) && !lines[end]!.code) end++;
  return joinLines([...lines.slice(0, line), ...lines.slice(end)]);
}

/** A loop as a line of the file, with a name that no other line there has. It follows from the text and the file alone. */
export function loopLine(file: string, text: string): string {
  const taken = new Set(openLoops(file).map(({ id }) => id));
  for (let round = 0; ; round++) {
    const id = `loop-${blobId(Buffer.from(`${round} ${text.normalize("NFC")}`)).slice(0, 6)}`;
    if (!taken.has(id)) return `- [ ] ${text} ^${id}`;
  }
}
