/**
 * Brackets and quotation marks (`"` and the backtick) inside a line. A text in quotation marks ends on its line, and hides the
 * brackets in it; a mark that is not closed on its line is an ordinary character (`5" pipe`), as is an apostrophe (`пам'ять`).
 */

const OPENING = "([{";
const CLOSING = ")]}";
const MARKS = '"`';

/** How many brackets are still open at the end of a line, if so many were open before it. */
export function openBrackets(line: string, before = 0): number {
  if (before === 0 && !/[([{]/.test(line)) return 0;
  let open = before;
  let unpaired = "";
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (MARKS.includes(character) && !unpaired.includes(character)) {
      const end = closingQuote(line, at);
      // Behind a mark without a partner no other such mark on its line has one either.
      if (end === undefined) unpaired += character;
      else at = end;
    } else if (OPENING.includes(character)) open++;
    else if (CLOSING.includes(character) && open > 0) open--;
  }
  return open;
}

/** Where the text in quotation marks that begins here ends; undefined if it does not on this line. */
export function closingQuote(text: string, opening: number): number | undefined {
  const mark = text[opening];
  for (let at = opening + 1; at < text.length; at++) {
    const character = text[at];
    if (character === mark) return at;
    if (character === "\n") return undefined;
    if (character === "\\" && text[at + 1] !== "\n") at++;
  }
  return undefined;
}

/**
 * For every bracket and quotation mark that has a partner, where that is; computed once for a text, so that looking for
 * partners in a text of nothing but brackets takes no longer than reading it.
 */
export function partners(text: string): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const open: number[] = [];
  let unpaired = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === "\n") unpaired = "";
    if (MARKS.includes(character) && !unpaired.includes(character)) {
      const end = closingQuote(text, at);
      if (end === undefined) unpaired += character;
      else {
        found.set(at, end);
        at = end;
      }
    } else if (OPENING.includes(character)) open.push(at);
    else if (CLOSING.includes(character)) {
      const last = open.at(-1);
      if (last === undefined || OPENING.indexOf(text[last]!) !== CLOSING.indexOf(character)) continue;
      open.pop();
      found.set(last, at);
      found.set(at, last);
    }
  }
  return found;
}

/** Whether every bracket and quotation mark has its partner, so that nothing around the text can be drawn into it. */
export function isSelfContained(text: string): boolean {
  if (!/["`()[\]{}]/.test(text)) return true;
  const pairs = partners(text);
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (!'"`()[]{}'.includes(character)) continue;
    const partner = pairs.get(at);
    if (partner === undefined) return false;
    if (MARKS.includes(character)) at = partner;
  }
  return true;
}

/** Whether all of a text is in one pair of brackets: `(a) and (b)` is not. */
export const isInBrackets = (text: string): boolean =>
  text.startsWith("(") && partners(text).get(0) === text.length - 1;
