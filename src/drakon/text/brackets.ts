/**
 * Brackets and quotation marks (`"` and the backtick) inside a line. Quoted text ends on its line, and brackets inside it do not
 * count; a mark that is not closed on its line is an ordinary character (`5" pipe`), as is an apostrophe (`пам'ять`).
 */

const OPENING = "([{";
const CLOSING = ")]}";
const MARKS = '"`';

/** Number of open brackets at the end of a line, given the number before it. */
export function openBrackets(line: string, before = 0): number {
  if (before === 0 && !/[([{]/.test(line)) return 0;
  let open = before;
  let unpaired = "";
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (MARKS.includes(character) && !unpaired.includes(character)) {
      const end = closingQuote(line, at);
      // After an unpaired mark, later marks of the same kind on the line are unpaired too.
      if (end === undefined) unpaired += character;
      else at = end;
    } else if (OPENING.includes(character)) open++;
    else if (CLOSING.includes(character) && open > 0) open--;
  }
  return open;
}

/** The offset of the closing quotation mark; undefined if it is not on this line. */
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

/** The partner of every paired bracket and quotation mark. Computed once per text, so that parsing stays linear. */
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

/** Every bracket and quotation mark has a partner, so that the text around cannot pair with them. */
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

/** The whole text is in one pair of brackets; `(a) and (b)` is not. */
export const isInBrackets = (text: string): boolean =>
  text.startsWith("(") && partners(text).get(0) === text.length - 1;
