import { afterSpace, type Member, type ObjectSpan, type Splice } from "./json-text.ts";

/** White space around the members of an object: before the first, before the others, around the colon, and at the end. */
export interface ObjectLayout {
  readonly first: string;
  readonly next: string;
  readonly colon: string;
  readonly tail: string;
}

/** The layout of an object; `otherwise` for one without members. */
export function layoutOf(text: string, span: ObjectSpan, otherwise: ObjectLayout): ObjectLayout {
  const [head, second] = span.members;
  if (!head) return otherwise;
  const first = text.slice(span.start + 1, head.keyStart);
  const colon = text.slice(keyEnd(text, head), head.valueStart);
  return {
    first,
    next: second ? text.slice(afterComma(text, head), second.keyStart) : nextAfter(first, colon),
    colon,
    tail: text.slice(span.members.at(-1)!.valueEnd, span.end - 1),
  };
}

/** The layout of an object one level deeper than one with this layout. */
export function deeperLayout({ first, colon, tail }: ObjectLayout): ObjectLayout {
  if (!first.includes("\n")) return { first, next: nextAfter(first, colon), colon, tail };
  const unit = first.startsWith(tail) ? first.slice(tail.length) : "  ";
  return { first: first + unit, next: first + unit, colon, tail: first };
}

/** The layout of a new file. */
export const FRESH_LAYOUT: ObjectLayout = { first: "\n  ", next: "\n  ", colon: ": ", tail: "\n" };

export function objectText(members: readonly (readonly [key: string, value: string])[], layout: ObjectLayout): string {
  if (members.length === 0) return "{}";
  const body = members.map(([key, value]) => `${key}${layout.colon}${value}`).join(`,${layout.next}`);
  return `{${layout.first}${body}${layout.tail}}`;
}

/** Removes members and adds new ones after the last; the text of the others does not change. */
export function memberSplices(
  text: string,
  span: ObjectSpan,
  gone: (member: Member) => boolean,
  added: readonly (readonly [key: string, value: string])[],
  layout: ObjectLayout,
): Splice[] {
  const cut = (from: number, to: number, insert = ""): Splice => ({ at: from, remove: text.slice(from, to), insert });
  const last = span.members.findLastIndex((member) => !gone(member));
  if (last < 0) return [cut(span.start, span.end, objectText(added, layout))];
  const splices: Splice[] = [];
  let kept = false;
  for (const [index, member] of span.members.entries()) {
    if (!gone(member)) kept = true;
    else if (kept) splices.push(cut(span.members[index - 1]!.valueEnd, member.valueEnd));
    else splices.push(cut(member.keyStart, span.members[index + 1]!.keyStart));
    if (index === last && added.length > 0) {
      const insert = added.map(([key, value]) => `,${layout.next}${key}${layout.colon}${value}`).join("");
      splices.push(cut(member.valueEnd, member.valueEnd, insert));
    }
  }
  return splices;
}

const keyEnd = (text: string, member: Member): number => member.keyStart + keyLength(text, member);

function keyLength(text: string, member: Member): number {
  for (let at = member.keyStart + 1; ; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1 - member.keyStart;
  }
}

const afterComma = (text: string, member: Member): number => afterSpace(text, member.valueEnd) + 1;

const nextAfter = (first: string, colon: string): string => (first !== "" ? first : /\s$/.test(colon) ? " " : "");
