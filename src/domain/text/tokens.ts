/**
 * All tokens are counted by one tokenizer (M-2a): o200k. Its large table is loaded on first use, and most limits are
 * decided without it, because a token has at least one byte.
 */
export const TOKENIZER = "o200k";

export async function countTokens(text: string): Promise<number> {
  const { countTokens: count } = await import("gpt-tokenizer/encoding/o200k_base");
  let tokens = 0;
  for (const piece of pieces(text)) tokens += count(piece, { disallowedSpecial: new Set() });
  return tokens;
}

/** True if a text has at most `most` tokens. */
export async function fitsTokens(text: string, most: number): Promise<boolean> {
  const bytes = Buffer.byteLength(text);
  if (bytes <= most) return true;
  if (bytes > most * LONGEST_TOKEN_BYTES) return false;
  return (await countTokens(text)) <= most;
}

/** The longest entry of the table has 128 spaces. */
const LONGEST_TOKEN_BYTES = 128;
const LONGEST_RUN = 1000;
const RUN = new RegExp(`\\S{${LONGEST_RUN}}(?=\\S)|\\s{${LONGEST_RUN}}(?=\\s)`, "gu");

/**
 * Merging is quadratic in the length of a word: runs of more than a thousand characters without a break are counted
 * in pieces. All other text is one piece, and its count is exact.
 */
function* pieces(text: string): Generator<string> {
  let from = 0;
  for (const { index, 0: run } of text.matchAll(RUN)) {
    yield text.slice(from, index + run.length);
    from = index + run.length;
  }
  yield text.slice(from);
}

/**
 * As many complete lines as fit into `most` tokens, from the beginning or the end. The cost depends on the result,
 * not on the length of the text.
 */
export async function withinTokens(
  text: string,
  most: number,
  keep: "first" | "last" = "first",
): Promise<{ readonly text: string; readonly tokens: number }> {
  if (await fitsTokens(text, most)) return { text, tokens: await countTokens(text) };
  const lines = keep === "first" ? text.matchAll(LINE) : [...text.matchAll(LINE)].toReversed();
  const kept: string[] = [];
  let tokens = 0;
  for (const { 0: line } of lines) {
    const more = (await fitsTokens(line, most - tokens)) ? await countTokens(line) : most + 1;
    if (tokens + more > most) break;
    kept.push(line);
    tokens += more;
  }
  return { text: (keep === "first" ? kept : kept.toReversed()).join(""), tokens };
}

const LINE = /[^\n]*\n|[^\n]+$/g;
