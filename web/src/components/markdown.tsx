import { useRouter } from "@tanstack/react-router";
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import { type MarkdownPart, markdownParts } from "../../../src/domain/note/markdown-parts.ts";
import "../style/markdown.css";

/** The address of what a link within the garden means: a path as it is written, or the name in `[[name]]`. */
export type LinkOf = (target: string, kind: "path" | "name") => string | undefined;

/**
 * A note, or what a model wrote, as a page would show it. Everything that could act is taken out: only text, links, lists, tables and
 * pictures of this garden are left. A long text is shown part by part as the reader comes near; until then a part stands there as it
 * is written, so that the browser finds words in it. With `line`, the block that holds this line is shown first and marked.
 */
export function Markdown(props: {
  readonly text: string;
  readonly linkOf?: LinkOf;
  readonly line?: number | undefined;
}) {
  const { text, linkOf, line } = props;
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
    // The links inside are what is reached by keyboard; this only spares them a new page.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className={parts.length > 1 ? "prose long" : "prose"} onClick={follow}>
      {parts.map((part, index) => (
        <Part
          // oxlint-disable-next-line no-array-index-key -- parts of one text never change places
          key={index}
          part={part}
          isFirst={index === 0}
          isOnly={parts.length === 1}
          definitions={definitions}
          linkOf={linkOf}
        />
      ))}
    </div>
  );
}

interface ShownPart extends MarkdownPart {
  /** It holds the line that the reader came for. */
  readonly isMeant: boolean;
}

/** Text of this length is made into a page at once; what is longer, in parts of this length and more. */
const PART = 24_000;

function partsToShow(text: string, line: number | undefined): ShownPart[] {
  const parts = text.length <= 2 * PART ? [{ text, line: 1, inside: "" }] : markdownParts(text, PART);
  const meant = line === undefined ? undefined : parts.findLastIndex((part) => part.line <= line);
  return parts.flatMap((part, index) => (index === meant ? aroundLine(part, line!) : [{ ...part, isMeant: false }]));
}

/** What stands before the block with this line, the block, and what stands behind it. */
function aroundLine(part: MarkdownPart, line: number): ShownPart[] {
  if (part.inside !== "") return [{ ...part, isMeant: true }];
  const front = part.line === 1 ? (FRONT.exec(part.text)?.[0] ?? "") : "";
  let [at, number] = [front.length, part.line + newLinesIn(front)];
  for (const raw of blocksIn(part.text.slice(front.length))) {
    const [end, after] = [at + raw.length, number + newLinesIn(raw)];
    if (line < after || end >= part.text.length) {
      const cut = (from: number, to: number, first: number, isMeant: boolean): ShownPart[] =>
        to > from ? [{ text: part.text.slice(from, to), line: first, inside: "", isMeant }] : [];
      return [
        ...cut(0, at, part.line, false),
        ...cut(at, end, number, true),
        ...cut(end, part.text.length, after, false),
      ];
    }
    [at, number] = [end, after];
  }
  return [{ ...part, isMeant: true }];
}

/** The blocks of a text, each with the empty lines behind it; put together they are as long as the text. */
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
}) {
  const { part, isFirst, isOnly, definitions, linkOf } = props;
  const shown = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(isFirst || part.isMeant);
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
    if (!part.isMeant) return;
    shown.current!.scrollIntoView({ block: "center" });
    shown.current!.focus({ preventScroll: true });
  }, [part.isMeant]);
  const { text, inside } = part;
  const html = useMemo(() => {
    if (!isNear) return undefined;
    const whole = inside === "" ? text : `${inside}\n${text}`;
    return clean((isFirst ? whole.replace(FRONT, "") : whole) + definitionsFor(text, definitions), linkOf);
  }, [isNear, isFirst, text, inside, definitions, linkOf]);
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
      className={part.isMeant ? "part meant" : "part"}
      {...style}
      {...(part.isMeant && { tabIndex: -1 })}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

/** About so many in a line of the page, to guess how high a part will be. */
const CHARACTERS_OF_A_LINE = 60;
const LINE_PX = 25;

const NO_DEFINITIONS: ReadonlyMap<string, string> = new Map();
const DEFINITION = /^ {0,3}\[([^[\]\n]{1,200})\]:[ \t]*\S.*$/gm;
const MENTIONED = /\[([^[\]\n]{1,200})\]/g;

/** `[name]: address`, which may stand in another part than the links that use it. */
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
/** `[[name#part|words]]`; in code it is none, which is for the reader of Markdown to know. */
const WIKI = /^\[\[([^[\]|#\n]{1,500})(?:#[^[\]|\n]{0,500})?(?:\|([^[\]\n]{0,500}))?\]\]/;
/** Marks the address of a link by name until its place is known. */
const NAME = "[[";

const markdown = new Marked({
  async: false,
  gfm: true,
  extensions: [
    {
      name: "wiki",
      level: "inline",
      start: (source) => source.indexOf("[["),
      tokenizer(source) {
        const match = WIKI.exec(source);
        return match ? { type: "wiki", raw: match[0], target: match[1]!, words: match[2] ?? match[1]! } : undefined;
      },
      renderer: ({ target, words }) =>
        `<a href="${NAME}${encodeURIComponent((target as string).trim())}">${escaped((words as string).trim())}</a>`,
    },
  ],
});

const SIGNS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign]!);

function clean(text: string, linkOf: LinkOf | undefined): string {
  const html = markdown.parse(text) as string;
  const fragment = DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select", "iframe", "object", "embed", "svg", "math"],
    FORBID_ATTR: ["style", "id", "name", "class", "srcset"],
    ALLOW_DATA_ATTR: false,
  });
  for (const link of fragment.querySelectorAll("a")) place(link, linkOf);
  for (const picture of fragment.querySelectorAll("img"))
    if (!picture.getAttribute("src")?.startsWith("data:image/")) picture.replaceWith(picture.alt);
  const holder = document.createElement("div");
  holder.append(fragment);
  return holder.innerHTML;
}

/** Links within the garden go to its pages; others open apart and say nothing of where they come from. */
function place(link: HTMLAnchorElement, linkOf: LinkOf | undefined): void {
  const target = link.getAttribute("href") ?? "";
  if (/^(?:https?:|mailto:)/i.test(target)) {
    link.target = "_blank";
    link.rel = "noopener noreferrer nofollow";
    return;
  }
  const inside = /^(?:#|\/\/|$)/.test(target) ? undefined : insideOf(target, linkOf);
  if (inside === undefined) link.removeAttribute("href");
  else link.setAttribute("href", inside);
}

const insideOf = (target: string, linkOf: LinkOf | undefined): string | undefined =>
  target.startsWith(NAME) ? linkOf?.(decoded(target.slice(NAME.length)), "name") : linkOf?.(decoded(target), "path");

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
