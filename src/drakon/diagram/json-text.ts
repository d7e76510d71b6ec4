/**
 * Positions in JSON text, for changing a file and keeping the rest of it byte for byte. `JSON.parse` and `JSON.stringify` would
 * reorder keys that look like numbers, lose how `1.0` was written, and reformat the rest. The functions here expect text that
 * `JSON.parse` accepts.
 */
export interface ObjectSpan {
  /** Offset of the opening brace; `end` is after the closing one. */
  readonly start: number;
  readonly end: number;
  readonly members: readonly Member[];
}

export interface Member {
  readonly key: string;
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** Replaces `remove` at offset `at` of the old text. */
export interface Splice {
  readonly at: number;
  readonly remove: string;
  readonly insert: string;
}

/** The object at this offset, after white space; undefined if there is none. */
export function objectAt(text: string, from: number): ObjectSpan | undefined {
  const start = afterSpace(text, from);
  if (text[start] !== "{") return undefined;
  const members: Member[] = [];
  let at = afterSpace(text, start + 1);
  while (text[at] === '"') {
    const keyEnd = afterString(text, at);
    const valueStart = afterSpace(text, afterSpace(text, keyEnd) + 1);
    const valueEnd = afterValue(text, valueStart);
    members.push({ key: JSON.parse(text.slice(at, keyEnd)) as string, keyStart: at, valueStart, valueEnd });
    at = afterSpace(text, valueEnd);
    if (text[at] === ",") at = afterSpace(text, at + 1);
  }
  return { start, end: at + 1, members };
}

/** The last member with this key: with duplicate keys, `JSON.parse` takes the last too. */
export const lastMember = (span: ObjectSpan, key: string): Member | undefined =>
  span.members.findLast((member) => member.key === key);

export function afterSpace(text: string, from: number): number {
  let at = from;
  while (" \n\r\t\ufeff".includes(text[at] ?? "x")) at++;
  return at;
}

function afterString(text: string, from: number): number {
  for (let at = from + 1; ; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22 || Number.isNaN(code)) return at + 1;
  }
}

/** The end of a value. Counts brackets instead of recursing, so depth does not matter. */
function afterValue(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return afterString(text, from);
  if (first !== "{" && first !== "[") {
    let at = from;
    while (at < text.length && !",]} \n\r\t".includes(text[at]!)) at++;
    return at;
  }
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') at = afterString(text, at) - 1;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Applies splices, which must be sorted and must not overlap. Undefined if they were made for another text. */
export function applySplices(text: string, splices: readonly Splice[]): string | undefined {
  const parts: string[] = [];
  let at = 0;
  for (const splice of splices) {
    if (splice.at < at || !text.startsWith(splice.remove, splice.at)) return undefined;
    parts.push(text.slice(at, splice.at), splice.insert);
    at = splice.at + splice.remove.length;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** The splices that restore the old text from the new one, byte for byte. */
export function invertSplices(splices: readonly Splice[]): Splice[] {
  let shift = 0;
  return splices.map(({ at, remove, insert }) => {
    const inverse = { at: at + shift, remove: insert, insert: remove };
    shift += insert.length - remove.length;
    return inverse;
  });
}
