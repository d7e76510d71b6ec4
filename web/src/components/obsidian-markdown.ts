import type { RendererObject, TokenizerAndRendererExtension, TokenizerObject } from "marked";
import { calloutIn, decodedPart, pictureSize, WIKI_LINK } from "../../../src/domain/note/link-syntax.ts";

/** The address of a link within the garden: a path, or the name in `[[name]]`, and its part. Undefined if it leads nowhere. */
export type LinkOf = (target: string, part: string, kind: "path" | "name") => string | undefined;

/** Returns the content of an embed: a picture, or the text of a note with its address. Undefined if there is nothing to show. */
export type EmbedOf = (
  target: string,
  part: string,
  kind: "path" | "name",
) => { readonly picture: string } | { readonly text: string; readonly address: string } | undefined;

/** Prefixes of the addresses of `[[links]]` and `![[embeds]]`, until they are resolved. */
const NAME = "[[";
const EMBED = "![[";

const SIGNS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign]!);

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
    const from = mark.length - NAME.length;
    WIKI_LINK.lastIndex = from;
    const match = WIKI_LINK.exec(source);
    if (!match || match[1]!.trim() === "") return undefined;
    const words = match[2] ?? (from > 0 ? "" : shownName(match[1]!));
    return { type: name, raw: source.slice(0, WIKI_LINK.lastIndex), target: match[1]!, words };
  },
  renderer: ({ target, words }) =>
    `<a href="${mark}${encodeURIComponent((target as string).trim())}">${escaped((words as string).trim())}</a>`,
});

/** An inline element of a pattern that begins with `mark`. */
const inline = (
  name: string,
  mark: string,
  pattern: RegExp,
  html: (inside: string) => string,
  isText = true,
): TokenizerAndRendererExtension => ({
  name,
  level: "inline",
  start: (source) => source.indexOf(mark),
  tokenizer(source) {
    const match = pattern.exec(source);
    if (!match) return undefined;
    return {
      type: name,
      raw: match[0],
      inside: match[1] ?? "",
      tokens: isText ? this.lexer.inlineTokens(match[1] ?? "") : [],
    };
  },
  renderer(token) {
    return html(isText ? this.parser.parseInline(token.tokens ?? []) : escaped(token["inside"] as string));
  },
});

/**
 * Formulas and diagrams are shown as their source, with the name of the language. A renderer would be larger than the app (Mermaid) or
 * need inline styles and fonts (KaTeX), which the content security policy refuses.
 */
const texInLine = (inside: string): string => `<code title="TeX">${inside}</code>`;
const sourceBlock = (language: string, source: string): string =>
  `<figure><figcaption>${language}</figcaption><pre><code>${escaped(source)}</code></pre></figure>\n`;

/** Code of a language that Obsidian draws, and the boxes of tasks, which as form fields would be removed. */
export const obsidianRenderer: RendererObject = {
  code: ({ lang, text }) => (lang?.trim().toLowerCase() === "mermaid" ? sourceBlock("Mermaid", text) : false),
  checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
};

/** One tilde is no strike-through in Obsidian: `H~2~O`. */
export const obsidianTokenizer: TokenizerObject = {
  del: (source) => (source.startsWith("~~") ? false : undefined),
};

/** Obsidian's additions to Markdown for the lexer, which excludes code by itself. */
export const obsidianExtensions: TokenizerAndRendererExtension[] = [
  wiki("embed", EMBED),
  wiki("wiki", NAME),
  inline("mark", "==", /^==(?=\S)([^\n]*?\S)==/, (inside) => `<mark>${inside}</mark>`),
  inline("math", "$", /^\$(?![\s$])((?:\\.|[^\\$\n]){0,2000}?)(?<![\s\\])\$(?!\d)/, texInLine, false),
  {
    name: "mathBlock",
    level: "block",
    start: (source) => /(?:^|\n) {0,3}\$\$/.exec(source)?.index,
    tokenizer(source) {
      const match = /^ {0,3}\$\$([\s\S]+?)\$\$[ \t]*(?:\n|$)/.exec(source);
      return match ? { type: "mathBlock", raw: match[0], inside: match[1]! } : undefined;
    },
    renderer: (token) => sourceBlock("TeX", (token["inside"] as string).trim()),
  },
  inline("comment", "%%", /^%%[\s\S]*?%%/, () => "", false),
  {
    name: "comments",
    level: "block",
    start: (source) => /(?:^|\n)%%/.exec(source)?.index,
    tokenizer(source) {
      const match = /^%%[\s\S]*?%%(?:[ \t]*(?:\n|$))/.exec(source);
      return match ? { type: "comments", raw: match[0] } : undefined;
    },
    renderer: () => "",
  },
  inline("footnote", "[^", /^\[\^([^\]\s]{1,100})\](?!:)/, (inside) => `<sup>[${inside}]</sup>`, false),
  inline("inlineFootnote", "^[", /^\^\[([^\]\n]{1,2000})\]/, (inside) => ` <small>(${inside})</small>`),
  {
    name: "footnotes",
    level: "block",
    start: (source) => /(?:^|\n)\[\^[^\]\s]+\]:/.exec(source)?.index,
    tokenizer(source) {
      const match = /^\[\^([^\]\s]{1,100})\]:[ \t]*([^\n]*(?:\n(?: {2,}|\t)[^\n]+)*)(?:\n|$)/.exec(source);
      if (!match) return undefined;
      return { type: "footnotes", raw: match[0], id: match[1]!, tokens: this.lexer.inlineTokens(match[2]!) };
    },
    renderer(token) {
      return `<p><small><sup>[${escaped(token["id"] as string)}]</sup> ${this.parser.parseInline(token.tokens ?? [])}</small></p>`;
    },
  },
  inline("block", " ^", /^ \^[A-Za-z0-9-]+(?=\n|$)/, () => "", false),
];

/** The address of a link or embed as written, resolved; `isEmbed` for `![[…]]`. */
export function readAddress(address: string): {
  readonly kind: "path" | "name";
  readonly isEmbed: boolean;
  readonly target: string;
  readonly part: string;
} {
  const isEmbed = address.startsWith(EMBED);
  const kind = isEmbed || address.startsWith(NAME) ? "name" : "path";
  const written =
    kind === "name" ? decodedPart(address.slice(isEmbed ? EMBED.length : NAME.length)) : address.replace(/\?[^#]*/, "");
  const [target = ""] = /^[^#]*/.exec(written) ?? [];
  const part = written.slice(target.length + 1);
  return kind === "name"
    ? { kind, isEmbed, target: target.trim(), part: part.trim() }
    : { kind, isEmbed, target: decodedPart(target), part: decodedPart(part) };
}

/** Shows a picture of the garden in an element's place; `words` are its size or its description. */
export function showPicture(place: Element, source: string, words: string): void {
  const picture = document.createElement("img");
  const [alt, size] = pictureSize(words) ? ["", words] : words.split("|");
  picture.src = source;
  picture.alt = alt?.trim() ?? "";
  picture.loading = "lazy";
  const measured = pictureSize(size ?? "");
  if (measured) picture.width = measured.width;
  if (measured?.height !== undefined) picture.height = measured.height;
  place.replaceWith(picture);
}

/** Removes the first line of a paragraph. Returns its elements behind the text node that it begins with: bold words of a title. */
function takeFirstLine(paragraph: Element, begin: ChildNode): Node[] {
  const title: Node[] = [document.createTextNode(" ")];
  for (let node = paragraph.firstChild; node; node = paragraph.firstChild) {
    const end = node.nodeType === Node.TEXT_NODE ? node.textContent!.indexOf("\n") : -1;
    if (end >= 0) {
      if (node !== begin) title.push(document.createTextNode(node.textContent!.slice(0, end)));
      node.textContent = node.textContent!.slice(end + 1);
      break;
    }
    node.remove();
    if (node !== begin) title.push(node);
  }
  return title.length > 1 ? title : [];
}

/** Turns quotations that begin with `[!type]` into callouts. The elements are made here, after the text was sanitised. */
export function showCallouts(fragment: DocumentFragment): void {
  for (const quotation of [...fragment.querySelectorAll("blockquote")].toReversed()) {
    const first = quotation.firstElementChild;
    const line = first?.tagName === "P" ? first.firstChild : null;
    if (line?.nodeType !== Node.TEXT_NODE) continue;
    const callout = calloutIn(line.textContent!.split("\n")[0]!);
    if (!callout) continue;
    const box = document.createElement(callout.fold ? "details" : "div");
    box.className = `callout callout-${callout.type}`;
    if (callout.fold === "open") box.setAttribute("open", "");
    const title = document.createElement(callout.fold ? "summary" : "p");
    title.className = "callout-title";
    title.append(callout.title, ...takeFirstLine(first!, line));
    if (first!.textContent.trim() === "" && first!.children.length === 0) first!.remove();
    box.append(title, ...quotation.childNodes);
    quotation.replaceWith(box);
  }
}
