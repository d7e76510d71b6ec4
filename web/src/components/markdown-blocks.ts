import DOMPurify from "dompurify";
import { Marked, type Token, type TokensList } from "marked";
import type { MarkdownPart } from "../../../src/domain/note/markdown-parts.ts";
import { showCallouts } from "./callouts.ts";
import { type RenderContext, resolvePlaces } from "./obsidian-markdown.ts";
import { obsidianExtensions, obsidianRenderer, obsidianTokenizer } from "./obsidian-syntax.ts";

/** One block of a note: a paragraph, a list, a callout. */
export interface MarkdownBlock {
  /** Lines in the whole text, from 1, without the empty lines after it. */
  readonly first: number;
  readonly last: number;
  readonly html: string;
  /** The level of a heading; undefined for other blocks. */
  readonly level?: number;
}

const FRONT = /^---\r?\n[\s\S]*?\r?\n---(?:\r?\n|$)/;

const markdown = new Marked({
  async: false,
  gfm: true,
  extensions: obsidianExtensions,
  renderer: obsidianRenderer,
  tokenizer: obsidianTokenizer,
});

/** Renders one part of a text block by block. Each block is sanitised by itself, so that none can open what another one closes. */
export function blocksOf(
  { text, line, inside }: MarkdownPart,
  definitions: string,
  context: Omit<RenderContext, "render">,
): MarkdownBlock[] {
  const front = line === 1 ? (FRONT.exec(text)?.[0] ?? "") : "";
  const opener = inside === "" ? "" : `${inside}\n`;
  const end = text.endsWith("\n") ? "" : "\n";
  const tokens = markdown.lexer(`${opener}${text.slice(front.length)}${end}${definitions}`);
  let number = line + newLinesIn(front) - newLinesIn(opener);
  const last = line + newLinesIn(text);
  const blocks: MarkdownBlock[] = [];
  for (const group of groupsOf(tokens)) {
    const raw = group.map((token) => token.raw).join("");
    const [first, lines] = [number, newLinesIn(raw)];
    number += lines;
    if (first > last) break; // the definitions
    const html = htmlOf(group, context);
    if (html === "") continue;
    const [token] = group;
    blocks.push({
      first: Math.max(first, line),
      last: Math.min(first + newLinesIn(raw.trimEnd()), last),
      html,
      ...(token?.type === "heading" && { level: (token as { depth: number }).depth }),
    });
  }
  return blocks;
}

/** Tokens that are shown together: a block, or HTML that ends some blocks further down (`<details>`). */
function* groupsOf(tokens: TokensList): Generator<Token[]> {
  let open: Token[] = [];
  let depth = 0;
  for (const token of tokens) {
    if (token.type === "html") depth += htmlDepth(token.raw);
    open.push(token);
    if (depth > 0 && open.length < MOST_IN_HTML) continue;
    yield open;
    [open, depth] = [[], 0];
  }
  if (open.length > 0) yield open;
}

const MOST_IN_HTML = 200;
const htmlDepth = (html: string): number =>
  (html.match(/<(?:details|div|section|article|blockquote|center)\b/gi)?.length ?? 0) -
  (html.match(/<\/(?:details|div|section|article|blockquote|center)\s*>/gi)?.length ?? 0);

const newLinesIn = (text: string): number => text.split("\n").length - 1;

function htmlOf(tokens: readonly Token[], context: Omit<RenderContext, "render">): string {
  const html = markdown.parser(tokens as Token[]);
  if (html.trim() === "") return "";
  const holder = document.createElement("div");
  holder.append(cleanFragment(html, { ...context, render }));
  return holder.innerHTML;
}

/** One line of text without block elements: a footnote. */
export function inlineHtml(text: string, context: Omit<RenderContext, "render">): string {
  const holder = document.createElement("div");
  holder.append(cleanFragment(markdown.parseInline(text) as string, { ...context, render }));
  return holder.innerHTML;
}

const render = (text: string, context: RenderContext): DocumentFragment =>
  cleanFragment(markdown.parse(text) as string, context);

/** Everything that loads, submits, restyles or covers the page. */
const FORBIDDEN_TAGS = (
  "style form input button textarea select option datalist fieldset output label iframe object embed svg math " +
  "video audio source track picture map area dialog template slot link meta base"
).split(" ");

function cleanFragment(html: string, context: RenderContext): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    FORBID_TAGS: FORBIDDEN_TAGS,
    FORBID_ATTR: ["style", "id", "name", "class", "srcset", "target", "popover", "usemap", "background"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
  resolvePlaces(fragment, context);
  showCallouts(fragment);
  return fragment;
}
