import { splitFrontMatter } from "../note/front-matter.ts";
import { markdownLines } from "../note/markdown-lines.ts";

/** A sentence or list item of a Markdown text, verbatim, for quoting. */
export interface Passage {
  readonly text: string;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
  /** Set if it is the first passage of the text, or of the part under its heading. */
  readonly opens: "text" | "part" | "nothing";
  /** Offset of its first character in the text. */
  readonly at: number;
}

const MAX_PASSAGES = 20_000;
const MAX_PASSAGE = 1000;

/** Every passage in order, without front matter, headings, code, rules and table borders. */
export function passagesIn(text: string): Passage[] {
  const passages: Passage[] = [];
  let opens: Passage["opens"] = "text";
  for (const { start, end, headings, first } of blocksIn(text)) {
    if (first && opens === "nothing") opens = "part";
    for (const [from, to] of sentencesIn(text.slice(start, end))) {
      if (passages.length >= MAX_PASSAGES) return passages;
      const quote = text.slice(start + from, start + to);
      if (!/[\p{L}\p{N}]/u.test(quote)) continue;
      passages.push({ text: quote, headings, opens, at: start + from });
      opens = "nothing";
    }
  }
  return passages;
}

/** The title of a note: its first heading, or the title in its front matter; undefined if it has neither. */
export function titleIn(text: string): string | undefined {
  const front = splitFrontMatter(text);
  const named = /^title[ \t]*:[ \t]*(["']?)(\S.*?)\1[ \t]*$/m.exec(front?.yaml ?? "")?.[2];
  if (named !== undefined) return named;
  const heading = markdownLines(front?.body ?? text).find(
    (line) => line.heading !== undefined && line.heading.title !== "",
  );
  return heading?.heading?.title;
}

interface Block {
  readonly start: number;
  readonly end: number;
  readonly headings: readonly string[];
  /** First under its heading. */
  readonly first: boolean;
}

/** Marks that begin a block: an item, a quotation, a row. The mark is not part of the block. */
const MARK = /^[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|>[ \t]?|\|[ \t]*)/;
const BORDER = /^[ \t]*(?:[-*_=][ \t]*){3,}$|^[ \t|:-]+$/;

function* blocksIn(text: string): Generator<Block> {
  const front = splitFrontMatter(text);
  let at = front ? text.length - front.body.length : 0;
  const headings: (string | undefined)[] = [];
  let first = true;
  let open: { start: number; end: number } | undefined;
  const close = function* (): Generator<Block> {
    if (!open) return;
    yield { ...open, headings: headings.filter((title) => title !== undefined), first };
    first = false;
    open = undefined;
  };
  for (const line of markdownLines(front?.body ?? text)) {
    const start = at;
    at += line.text.length + line.end.length;
    if (line.heading) {
      yield* close();
      headings.length = Math.min(headings.length, line.heading.level - 1);
      headings[line.heading.level - 1] = line.heading.title;
      first = true;
    } else if (line.code || line.text.trim() === "" || BORDER.test(line.text)) yield* close();
    else {
      const mark = MARK.exec(line.text)?.[0].length ?? 0;
      if (mark > 0) yield* close();
      open = { start: open?.start ?? start + mark, end: start + line.text.trimEnd().length };
    }
  }
  yield* close();
}

/** Abbreviations: a full stop after one of these does not end a sentence. */
const SHORTENED =
  /(?:^|[\s(«"])(?:\p{L}|т|ін|др|пр|див|рис|табл|напр|ст|стор|с|р|рр|вул|м|ім|св|проф|акад|гр|тис|млн|млрд|грн|поч|кін|бл|e\.g|i\.e|cf|vs|mr|mrs|ms|dr|prof|st|no|vol|pp?|fig|etc)\.$/iu;
const BREAK = /[.!?…]+["»”’)\]*_]*(?=\s+["«“‘([*_—–-]*[\p{Lu}\p{N}])/gu;

/** Ranges of sentences in a block, without surrounding white space. */
function* sentencesIn(block: string): Generator<readonly [from: number, to: number]> {
  let from = 0;
  for (const { index, 0: mark } of block.matchAll(BREAK)) {
    if (mark === "." && SHORTENED.test(block.slice(Math.max(from, index - 12), index + 1))) continue;
    yield* pieces(block, from, index + mark.length);
    from = index + mark.length;
  }
  yield* pieces(block, from, block.length);
}

/** Splits a long range between words. */
function* pieces(block: string, from: number, to: number): Generator<readonly [number, number]> {
  let start = from;
  while (start < to) {
    while (start < to && /\s/.test(block[start]!)) start++;
    let end = to;
    if (end - start > MAX_PASSAGE) {
      const space = block.lastIndexOf(" ", start + MAX_PASSAGE);
      end = space > start ? space : start + MAX_PASSAGE;
      if (/[\ud800-\udbff]/.test(block[end - 1]!)) end--;
    }
    const last = end;
    while (end > start && /\s/.test(block[end - 1]!)) end--;
    if (end > start) yield [start, end];
    start = last;
  }
}
