import type { Text } from "../../base/text.ts";
import { hunksBetween } from "../../domain/note/line-hunks.ts";
import { quotedInBoth } from "./target-names.ts";

/** Texts up to this length are shown whole. */
const MAX_WHOLE = 36;
/** Letters shown before and behind a difference. */
const CONTEXT = 12;
/** Up to this length the differences are shown as one. */
const MAX_ONE = 80;
/** Differences that are shown one by one, and the length of one side of each. */
const MAX_PARTS = 3;
const MAX_SIDE = 60;

/**
 * Two texts as `was → is`. Of longer texts only the parts that differ are shown, each with some letters around it; both sides of
 * the first three differences are always visible. Spaces, line breaks and letters that look alike are made visible where the
 * texts differ by nothing else.
 */
export const changedText = (was: string, is: string): Text => quotedInBoth(textDifference(was, is), Infinity);

function textDifference(was: string, is: string): string {
  const [x, y] = distinguishable(was, is).map((text) => [...(text === "" ? "∅" : text)]) as [string[], string[]];
  if (x.length <= MAX_WHOLE && y.length <= MAX_WHOLE) return `${x.join("")} → ${y.join("")}`;
  const whole = around(x, y);
  if (whole.length <= MAX_ONE) return whole;
  const words = wordsOf(x.join(""));
  const hunks = hunksBetween(words, wordsOf(y.join("")));
  const parts = hunks.slice(0, MAX_PARTS).map(({ at, removed, added }) => {
    const [above, below] = [words.slice(0, at), words.slice(at + removed.length)].map((all) => [...all.join("")]);
    const head = `${above!.length > CONTEXT ? "…" : ""}${above!.slice(-CONTEXT).join("")}`;
    const tail = `${below!.slice(0, CONTEXT).join("")}${below!.length > CONTEXT ? "…" : ""}`;
    const side = (changed: readonly string[]): string => `${head}${clipped(changed.join(""))}${tail}`;
    return `${side(removed)} → ${side(added)}`;
  });
  return [...parts, ...(hunks.length > MAX_PARTS ? ["…"] : [])].join("; ");
}

/** From shortly before the first difference to shortly after the last one. */
function around(x: readonly string[], y: readonly string[]): string {
  const shorter = Math.min(x.length, y.length);
  let start = 0;
  while (start < shorter && x[start] === y[start]) start++;
  let end = 0;
  while (end < shorter - start && x[x.length - 1 - end] === y[y.length - 1 - end]) end++;
  const [from, kept] = [Math.max(0, start - CONTEXT), Math.max(0, end - CONTEXT)];
  const part = (text: readonly string[]): string =>
    `${from > 0 ? "…" : ""}${text.slice(from, text.length - kept).join("")}${kept > 0 ? "…" : ""}`;
  return `${part(x)} → ${part(y)}`;
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}_-]+|\s+|[^\p{L}\p{M}\p{N}_\s-]/gu) ?? [];

function clipped(text: string): string {
  const letters = [...text];
  return letters.length > MAX_SIDE ? `${letters.slice(0, MAX_SIDE).join("")}…` : text;
}

const inOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Both texts in one line each, in the first spelling in which they look different. */
function distinguishable(was: string, is: string): readonly [string, string] {
  const [x, y] = [inOneLine(was), inOneLine(is)];
  if (looks(x) !== looks(y)) return [x, y];
  if (x !== y) return [spelled(x), spelled(y)];
  return [spaced(was), spaced(is)];
}

/** Letters of other alphabets that look like Latin ones, in the same order. */
const TWINS = "асеорхуіјѕАВЕКМНОРСТХІЈЅ";
const LATIN = "aceopxyijsABEKMHOPCTXIJS";
const TWIN = new RegExp(`[${TWINS}]`, "g");
/** Combining marks, and characters without a shape. */
const UNSEEN = /[\p{M}\p{Cf}]/gu;

const looks = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/\p{Cf}/gu, "")
    .replace(TWIN, (letter) => LATIN[TWINS.indexOf(letter)]!);

const spelled = (text: string): string =>
  text.replace(UNSEEN, codeOf).replace(TWIN, (letter) => `${letter}${codeOf(letter)}`);
const codeOf = (letter: string): string => `\\u{${letter.codePointAt(0)!.toString(16)}}`;

const SPACES: Readonly<Record<string, string>> = { " ": "␣", "\n": "⏎", "\t": "⇥" };
const spaced = (text: string): string => text.replace(/\s/g, (space) => SPACES[space] ?? codeOf(space));
