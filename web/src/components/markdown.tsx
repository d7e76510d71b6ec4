import { useRouter } from "@tanstack/react-router";
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import { type MarkdownPart, markdownParts } from "../../../src/domain/note/markdown-parts.ts";
import {
  type EmbedOf,
  type LinkOf,
  obsidianExtensions,
  obsidianRenderer,
  obsidianTokenizer,
  readAddress,
  showCallouts,
  showPicture,
} from "./obsidian-markdown.ts";
import "../style/markdown.css";

/**
 * Renders untrusted Markdown. Scripts, styles, forms and remote pictures are removed. A long text is rendered part by part as it comes
 * near the viewport; until then a part is shown as source, so that the browser's search finds its words. With `line`, the block with
 * this line is rendered first, marked and scrolled to.
 */
export function Markdown(props: {
  readonly text: string;
  readonly linkOf?: LinkOf;
  readonly embedOf?: EmbedOf;
  readonly line?: number | undefined;
}) {
  const { text, linkOf, embedOf, line } = props;
  const router = useRouter();
  const parts = useMemo(() => partsToShow(text, line), [text, line]);
  const definitions = useMemo(() => (parts.length > 1 ? definitionsIn(text) : NO_DEFINITIONS), [text, parts]);
  const follow = (event: MouseEvent): void => {
    const href = (event.target as Element).closest("a")?.getAttribute("href");
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!plain || !href?.startsWith(router.basepath)) return;
    event.preventDefault();
    router.history.push(href);
  };
  return (
    // The links are reached by keyboard; this only makes a click on them use the router.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className={parts.length > 1 ? "prose long" : "prose"} onClick={follow}>
      {parts.map((part, index) => (
        <Part
          // oxlint-disable-next-line no-array-index-key -- parts of one text keep their order
          key={index}
          part={part}
          isFirst={index === 0}
          isOnly={parts.length === 1}
          definitions={definitions}
          linkOf={linkOf}
          embedOf={embedOf}
        />
      ))}
    </div>
  );
}

interface ShownPart extends MarkdownPart {
  /** It holds the requested line. */
  readonly isTarget: boolean;
}

/** Minimum length of a part. A text shorter than two parts is rendered at once. */
const PART = 24_000;

function partsToShow(text: string, line: number | undefined): ShownPart[] {
  const parts = text.length <= 2 * PART ? [{ text, line: 1, inside: "" }] : markdownParts(text, PART);
  const meant = line === undefined ? undefined : parts.findLastIndex((part) => part.line <= line);
  return parts.flatMap((part, index) => (index === meant ? aroundLine(part, line!) : [{ ...part, isTarget: false }]));
}

/** Splits a part into the text before the block with this line, the block, and the text after it. */
function aroundLine(part: MarkdownPart, line: number): ShownPart[] {
  if (part.inside !== "") return [{ ...part, isTarget: true }];
  const front = part.line === 1 ? (FRONT.exec(part.text)?.[0] ?? "") : "";
  let [at, number] = [front.length, part.line + newLinesIn(front)];
  for (const raw of blocksIn(part.text.slice(front.length))) {
    const [end, after] = [at + raw.length, number + newLinesIn(raw)];
    if (line < after || end >= part.text.length) {
      const cut = (from: number, to: number, first: number, isTarget: boolean): ShownPart[] =>
        to > from ? [{ text: part.text.slice(from, to), line: first, inside: "", isTarget }] : [];
      return [
        ...cut(0, at, part.line, false),
        ...cut(at, end, number, true),
        ...cut(end, part.text.length, after, false),
      ];
    }
    [at, number] = [end, after];
  }
  return [{ ...part, isTarget: true }];
}

/** The blocks of a text, each with the empty lines after it. Joined they are as long as the text. */
function blocksIn(text: string): string[] {
  const blocks: string[] = [];
  for (const { type, raw } of markdown.lexer(text.replaceAll("\r\n", " \n")))
    if (type === "space" && blocks.length > 0) blocks[blocks.length - 1] += raw;
    else blocks.push(raw);
  return blocks;
}

const newLinesIn = (text: string): number => text.split("\n").length - 1;

function Part(props: {
  readonly part: ShownPart;
  readonly isFirst: boolean;
  readonly isOnly: boolean;
  readonly definitions: ReadonlyMap<string, string>;
  readonly linkOf: LinkOf | undefined;
  readonly embedOf: EmbedOf | undefined;
}) {
  const { part, isFirst, isOnly, definitions, linkOf, embedOf } = props;
  const shown = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(isFirst || part.isTarget);
  useEffect(() => {
    if (isNear) return undefined;
    const watch = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: "1000px" },
    );
    watch.observe(shown.current!);
    return () => watch.disconnect();
  }, [isNear]);
  useEffect(() => {
    if (!part.isTarget) return;
    shown.current!.scrollIntoView({ block: "center" });
    shown.current!.focus({ preventScroll: true });
  }, [part.isTarget]);
  const { text, inside } = part;
  const html = useMemo(() => {
    if (!isNear) return undefined;
    const whole = inside === "" ? text : `${inside}\n${text}`;
    return clean((isFirst ? whole.replace(FRONT, "") : whole) + definitionsFor(text, definitions), linkOf, embedOf);
  }, [isNear, isFirst, text, inside, definitions, linkOf, embedOf]);
  const height = `auto ${Math.ceil(text.length / CHARACTERS_OF_A_LINE) * LINE_PX}px`;
  const style = isOnly ? {} : { style: { containIntrinsicSize: height } };
  if (html === undefined)
    return (
      <div ref={shown} className="part raw" {...style}>
        {text}
      </div>
    );
  return (
    <div
      ref={shown}
      className={part.isTarget ? "part meant" : "part"}
      {...style}
      {...(part.isTarget && { tabIndex: -1 })}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

/** For estimating the height of a part that is not rendered yet. */
const CHARACTERS_OF_A_LINE = 60;
const LINE_PX = 25;

const NO_DEFINITIONS: ReadonlyMap<string, string> = new Map();
const DEFINITION = /^ {0,3}\[([^[\]\n]{1,200})\]:[ \t]*\S.*$/gm;
const MENTIONED = /\[([^[\]\n]{1,200})\]/g;

/** Link definitions (`[name]: address`), which may be in another part than the links that use them. */
function definitionsIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [line, name] of text.matchAll(DEFINITION)) {
    const label = name!.toLowerCase();
    if (!found.has(label)) found.set(label, line);
  }
  return found;
}

function definitionsFor(text: string, known: ReadonlyMap<string, string>): string {
  if (known.size === 0) return "";
  const needed = new Set<string>();
  for (const [, name] of text.matchAll(MENTIONED)) {
    const line = known.get(name!.toLowerCase());
    if (line !== undefined) needed.add(line);
  }
  return needed.size === 0 ? "" : `\n\n${[...needed].join("\n")}\n`;
}

const FRONT = /^---\r?\n[\s\S]*?\r?\n---\r?\n/;

const markdown = new Marked({
  async: false,
  gfm: true,
  extensions: obsidianExtensions,
  renderer: obsidianRenderer,
  tokenizer: obsidianTokenizer,
});

function clean(text: string, linkOf: LinkOf | undefined, embedOf: EmbedOf | undefined): string {
  const holder = document.createElement("div");
  holder.append(cleanFragment(text, linkOf, embedOf));
  return holder.innerHTML;
}

function cleanFragment(text: string, linkOf: LinkOf | undefined, embedOf: EmbedOf | undefined): DocumentFragment {
  const html = markdown.parse(text) as string;
  const fragment = DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select", "iframe", "object", "embed", "svg", "math"],
    FORBID_ATTR: ["style", "id", "name", "class", "srcset"],
    ALLOW_DATA_ATTR: false,
  });
  for (const picture of fragment.querySelectorAll("img")) resolvePicture(picture, embedOf);
  for (const link of fragment.querySelectorAll("a")) resolveLink(link, linkOf, embedOf);
  showCallouts(fragment);
  return fragment;
}

function resolvePicture(picture: HTMLImageElement, embedOf: EmbedOf | undefined): void {
  const source = picture.getAttribute("src") ?? "";
  if (source.startsWith("data:image/")) return;
  const { target, part } = readAddress(source);
  const shown = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(source) ? undefined : embedOf?.(target, part, "path");
  if (shown && "picture" in shown) showPicture(picture, shown.picture, picture.alt);
  else picture.replaceWith(picture.alt);
}

/** Links within the garden lead to its pages; others open in a new tab without a referrer. */
function resolveLink(link: HTMLAnchorElement, linkOf: LinkOf | undefined, embedOf: EmbedOf | undefined): void {
  const written = link.getAttribute("href") ?? "";
  if (/^(?:https?:|mailto:)/i.test(written)) {
    link.target = "_blank";
    link.rel = "noopener noreferrer nofollow";
    return;
  }
  const { kind, isEmbed, target, part } = readAddress(written);
  const shown = isEmbed ? embedOf?.(target, part, kind) : undefined;
  if (shown && "picture" in shown) showPicture(link, shown.picture, link.textContent ?? "");
  else if (shown) showNote(link, target, shown, linkOf);
  else {
    const inside = /^(?:\/\/|$)/.test(written) ? undefined : linkOf?.(target, part, kind);
    if (isEmbed && link.textContent === "") link.textContent = target;
    if (inside === undefined) link.removeAttribute("href");
    else link.setAttribute("href", inside);
  }
}

/** An embedded note: its name as a link, and its text. Embeds inside of it are links, so that a circle ends. */
function showNote(
  place: Element,
  name: string,
  shown: { readonly text: string; readonly address: string },
  linkOf: LinkOf | undefined,
): void {
  const box = document.createElement("div");
  box.className = "embedded";
  const title = document.createElement("a");
  title.href = shown.address;
  title.textContent = name;
  box.append(title, cleanFragment(shown.text, linkOf, undefined));
  const paragraph = place.parentElement;
  if (paragraph?.tagName === "P" && paragraph.childNodes.length === 1) paragraph.replaceWith(box);
  else place.replaceWith(box);
}
