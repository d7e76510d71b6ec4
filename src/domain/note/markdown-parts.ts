/**
 * A long Markdown text in parts that can be shown or changed one by one: complete blocks where possible, in order.
 * Joined, the parts are the text.
 */
export interface MarkdownPart {
  readonly text: string;
  /** Line of its first character in the whole text, from 1. */
  readonly line: number;
  /** The line that opened the code fence in which the part begins; "" if it begins outside of code. */
  readonly inside: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
/** Lines that may continue the block above, also after an empty line: indented lines, list items, table rows. */
const GOES_ON = /^(?:[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t]|>|\|)/;
const HEADING = /^#{1,6}[ \t]/;

/** Parts of at least `size` characters, except the last, and at most twice as many. */
export function markdownParts(text: string, size: number): MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  let [start, line, inside] = [0, 1, ""];
  let fence: string | undefined;
  let opener = "";
  let number = 1;
  let isAfterEmpty = false;
  /** Ends a part here and returns the start of the next one. */
  const cut = (at: number): number => {
    parts.push({ text: text.slice(start, at), line, inside });
    [line, inside] = [number, fence === undefined ? "" : opener];
    return at;
  };
  for (let at = 0; at < text.length; number++) {
    const end = text.indexOf("\n", at);
    const next = end === -1 ? text.length : end + 1;
    if (at > start && at - start >= size && next - start > 2 * size) start = cut(at);
    else if (at - start >= size && fence === undefined) {
      const begin = text.slice(at, at + 12);
      if (HEADING.test(begin) || (isAfterEmpty && begin.trim() !== "" && !GOES_ON.test(begin))) start = cut(at);
    }
    // A very long line is cut between words.
    while (next - start > 2 * size) start = cut(placeWithin(text, start + size, start + 2 * size));
    const first = text.charCodeAt(at);
    // Most lines begin with neither ` nor ~ nor a space, so they are not fences.
    if (first === 0x60 || first === 0x7e || first === 0x20) {
      const mark = FENCE.exec(text.slice(at, Math.min(next, at + 200)).trimEnd());
      if (mark && fence === undefined && !(mark[1]!.startsWith("`") && mark[2]!.includes("`")))
        [fence, opener] = [mark[1]!, mark[0]];
      else if (mark && fence !== undefined && mark[1]!.startsWith(fence) && mark[2]!.trim() === "") fence = undefined;
    }
    isAfterEmpty = text.slice(at, Math.min(next, at + 200)).trim() === "";
    at = next;
  }
  if (start < text.length || parts.length === 0) cut(text.length);
  return parts;
}

function placeWithin(text: string, from: number, to: number): number {
  const space = text.lastIndexOf(" ", to - 1);
  const place = space >= from ? space + 1 : to;
  // Never cut a surrogate pair.
  return /[\ud800-\udbff]/.test(text[place - 1]!) ? place - 1 : place;
}
