import type { RendererObject, TokenizerAndRendererExtension, TokenizerObject } from "marked";
import { WIKI_LINK } from "../../../src/domain/note/link-syntax.ts";

/**
 * Marks at the beginning of an address. The lexer writes whatever needs the garden or a drawing as a link with such an address; after
 * the sanitiser has run, `resolvePlaces` turns it into elements. A note that forges such an address gets only what the syntax gives it.
 */
export const PLACE = {
  name: "[[",
  embed: "![[",
  footnote: "[^",
  inlineFootnote: "^[",
  tag: "[#",
  task: "[ ]",
  done: "[x]",
  formula: "[$",
  formulaBlock: "[$$",
  mermaid: "[~",
} as const;

const SIGNS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign]!);
/** A lone surrogate cannot be percent-encoded. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
const place = (mark: string, inside: string, words = ""): string =>
  `<a href="${mark}${encoded(inside)}">${escaped(words)}</a>`;

/** Obsidian shows `A#B` as `A > B`. */
const shownName = (written: string): string =>
  written
    .split("#")
    .filter((part) => part.trim() !== "")
    .join(" > ");

const wiki = (name: string, mark: string): TokenizerAndRendererExtension => ({
  name,
  level: "inline",
  start: (source) => source.indexOf(mark),
  tokenizer(source) {
    if (!source.startsWith(mark)) return undefined;
    const from = mark.length - PLACE.name.length;
    WIKI_LINK.lastIndex = from;
    const match = WIKI_LINK.exec(source);
    if (!match || match[1]!.trim() === "") return undefined;
    const words = match[2] ?? (from > 0 ? "" : shownName(match[1]!));
    return { type: name, raw: source.slice(0, WIKI_LINK.lastIndex), target: match[1]!, words };
  },
  renderer: ({ target, words }) => place(mark, (target as string).trim(), (words as string).trim()),
});

/** An inline element of a pattern that begins with `mark`; `html` gets the text as written. */
const inline = (
  name: string,
  mark: string,
  pattern: RegExp,
  html: (inside: string) => string,
): TokenizerAndRendererExtension => ({
  name,
  level: "inline",
  start: (source) => source.indexOf(mark),
  tokenizer(source) {
    const match = pattern.exec(source);
    return match ? { type: name, raw: match[0], inside: match[1] ?? "" } : undefined;
  },
  renderer: (token) => html(token["inside"] as string),
});

/** A block of a pattern that begins a line. */
const block = (
  name: string,
  start: RegExp,
  pattern: RegExp,
  html: (inside: string) => string,
): TokenizerAndRendererExtension => ({
  name,
  level: "block",
  start: (source) => start.exec(source)?.index,
  tokenizer(source) {
    const match = pattern.exec(source);
    return match ? { type: name, raw: match[0], inside: match[1] ?? "" } : undefined;
  },
  renderer: (token) => html(token["inside"] as string),
});

const highlight: TokenizerAndRendererExtension = {
  name: "mark",
  level: "inline",
  start: (source) => source.indexOf("=="),
  tokenizer(source) {
    const match = /^==(?=\S)([^\n]*?\S)==/.exec(source);
    return match ? { type: "mark", raw: match[0], tokens: this.lexer.inlineTokens(match[1]!) } : undefined;
  },
  renderer(token) {
    return `<mark>${this.parser.parseInline(token.tokens ?? [])}</mark>`;
  },
};

const TAG = /^(\s?)#([\p{L}\p{M}\p{N}\p{Extended_Pictographic}_/-]{1,100})/u;

/** `#tag` at the beginning of a text or after a space; the space belongs to the token, because the lexer cannot look back. */
const tag: TokenizerAndRendererExtension = {
  name: "tag",
  level: "inline",
  start: (source) => {
    const at = source.search(/\s#[\p{L}\p{M}\p{N}\p{Extended_Pictographic}_/-]/u);
    return at < 0 ? undefined : at;
  },
  tokenizer(source, before) {
    const match = TAG.exec(source);
    if (!match || (match[1] === "" && before.length > 0) || !/[^\d/]/.test(match[2]!)) return undefined;
    return { type: "tag", raw: match[0], space: match[1]!, tag: match[2]! };
  },
  renderer: (token) => `${token["space"]}${place(PLACE.tag, token["tag"] as string, `#${token["tag"]}`)}`,
};

/** Diagrams, and the boxes of tasks, which as form fields would be removed. */
export const obsidianRenderer: RendererObject = {
  code: ({ lang, text }) => (lang?.trim().toLowerCase() === "mermaid" ? place(PLACE.mermaid, text) : false),
  // The space keeps the box and the words apart in copied and spoken text.
  checkbox: ({ checked }) => `${place(checked ? PLACE.done : PLACE.task, "")} `,
};

/** One tilde is no strike-through in Obsidian: `H~2~O`. */
export const obsidianTokenizer: TokenizerObject = {
  del: (source) => (source.startsWith("~~") ? false : undefined),
};

/** A footnote's text with its continuation lines. The list of footnotes shows it, not the place where it is written. */
export const FOOTNOTE = /^\[\^([^\]\s]{1,100})\]:[ \t]*([^\n]*(?:\n(?: {2,}|\t)[^\n]+)*)(?:\n|$)/;

/** Obsidian's additions to Markdown for the lexer, which excludes code by itself. */
export const obsidianExtensions: TokenizerAndRendererExtension[] = [
  wiki("embed", PLACE.embed),
  wiki("wiki", PLACE.name),
  highlight,
  tag,
  inline("mathLine", "$$", /^\$\$((?:\\.|[^\\$\n]){1,2000}?)\$\$/, (inside) => place(PLACE.formulaBlock, inside)),
  inline("math", "$", /^\$(?![\s$])((?:\\.|[^\\$\n]){0,2000}?)(?<![\s\\])\$(?!\d)/, (inside) =>
    place(PLACE.formula, inside),
  ),
  block("mathBlock", /(?:^|\n) {0,3}\$\$/, /^ {0,3}\$\$([\s\S]+?)\$\$[ \t]*(?:\n|$)/, (inside) =>
    place(PLACE.formulaBlock, inside.trim()),
  ),
  inline("comment", "%%", /^%%[\s\S]*?%%/, () => ""),
  block("comments", /(?:^|\n)%%/, /^%%[\s\S]*?%%(?:[ \t]*(?:\n|$))/, () => ""),
  inline("footnote", "[^", /^\[\^([^\]\s]{1,100})\](?!:)/, (inside) => place(PLACE.footnote, inside)),
  inline("inlineFootnote", "^[", /^\^\[([^\]\n]{1,2000})\]/, (inside) => place(PLACE.inlineFootnote, inside)),
  block("footnotes", /(?:^|\n)\[\^[^\]\s]+\]:/, FOOTNOTE, () => ""),
  inline("block", " ^", /^ \^[A-Za-z0-9-]+(?=\n|$)/, () => ""),
  block("blockId", /(?:^|\n)\^[A-Za-z0-9-]+[ \t]*(?:\n|$)/, /^\^[A-Za-z0-9-]+[ \t]*(?:\n|$)/, () => ""),
];
