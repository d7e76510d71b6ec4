import { useRouter } from "@tanstack/react-router";
import { type MouseEvent, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { type MarkdownPart, markdownParts } from "../../../src/domain/note/markdown-parts.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { type Footnotes, footnotesIn, NO_FOOTNOTES } from "./footnotes.ts";
import { blocksOf, inlineHtml, type MarkdownBlock } from "./markdown-blocks.ts";
import type { EmbedOf, LinkOf } from "./obsidian-markdown.ts";
import { ArrivedContext } from "./use-arrived.ts";
import { useDrawings } from "./use-drawings.ts";
import "../style/markdown.css";

/** Renders what stands beside a block, for example its author. `before` is the block above it. */
export type MarginOf = (block: MarkdownBlock, before: MarkdownBlock | undefined) => ReactNode;

/**
 * Renders untrusted Markdown. Scripts, styles, forms and remote pictures are removed. A long text is rendered part by part as it comes
 * near the viewport; until then a part is shown as source, so that the browser's search finds its words. With `line`, the block with
 * this line is marked and scrolled to.
 */
export function Markdown(props: {
  readonly text: string;
  readonly linkOf?: LinkOf;
  readonly embedOf?: EmbedOf;
  readonly line?: number | undefined;
  /** The block that begins at this line is not shown, for example because the page shows it as its title. */
  readonly hiddenLine?: number | undefined;
  readonly marginOf?: MarginOf;
  /** Called with the lines of a part when it is rendered. */
  readonly onPart?: (first: number, last: number) => void;
}) {
  const { text, linkOf, embedOf, line, hiddenLine, marginOf, onPart } = props;
  const router = useRouter();
  const parts = useMemo(
    () => (text.length <= 2 * PART ? [{ text, line: 1, inside: "" }] : markdownParts(text, PART)),
    [text],
  );
  const definitions = useMemo(() => (parts.length > 1 ? definitionsIn(text) : NO_DEFINITIONS), [text, parts]);
  const footnotes = useMemo(() => footnotesIn(text), [text]);
  const meant = line === undefined ? -1 : parts.findLastIndex((part) => part.line <= line);
  const follow = (event: MouseEvent): void => {
    const href = (event.target as Element).closest("a")?.getAttribute("href");
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!plain || href === null || href === undefined) return;
    if (href.startsWith(router.basepath)) {
      event.preventDefault();
      router.history.push(href);
    } else if (href.startsWith("#")) {
      event.preventDefault();
      goTo(event.currentTarget, href.slice(1));
    }
  };
  return (
    // The links are reached by keyboard; this only makes a click on them use the router.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className={`prose ${parts.length > 1 ? "long" : ""} ${marginOf ? "with-margin" : ""}`} onClick={follow}>
      {parts.map((part, index) => (
        <Part
          // oxlint-disable-next-line no-array-index-key -- parts of one text keep their order
          key={index}
          part={part}
          isFirst={index === 0}
          isOnly={parts.length === 1}
          line={index === meant && line !== hiddenLine ? line : undefined}
          hiddenLine={hiddenLine}
          definitions={definitions}
          footnotes={footnotes}
          linkOf={linkOf}
          embedOf={embedOf}
          marginOf={marginOf}
          onPart={onPart}
        />
      ))}
      {footnotes.texts.length > 0 && <FootnoteList footnotes={footnotes} linkOf={linkOf} />}
    </div>
  );
}

/** Scrolls to a footnote or its mention, and moves the focus there. */
function goTo(prose: Element, id: string): void {
  const target = prose.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
  if (!target) return;
  target.tabIndex = -1;
  target.scrollIntoView({ block: "center" });
  target.focus({ preventScroll: true });
}

/** Minimum length of a part. A text shorter than two parts is rendered at once. */
const PART = 24_000;

function Part(props: {
  readonly part: MarkdownPart;
  readonly isFirst: boolean;
  readonly isOnly: boolean;
  readonly line: number | undefined;
  readonly hiddenLine: number | undefined;
  readonly definitions: ReadonlyMap<string, string>;
  readonly footnotes: Footnotes;
  readonly linkOf: LinkOf | undefined;
  readonly embedOf: EmbedOf | undefined;
  readonly marginOf: MarginOf | undefined;
  readonly onPart: ((first: number, last: number) => void) | undefined;
}) {
  const { part, isFirst, isOnly, line, hiddenLine, definitions, footnotes, linkOf, embedOf, marginOf, onPart } = props;
  const shown = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(isFirst || line !== undefined);
  if (!isNear && line !== undefined) setNear(true);
  useEffect(() => {
    if (isNear) return undefined;
    const watch = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { root: shown.current!.closest("[data-scroll]"), rootMargin: "1000px" },
    );
    watch.observe(shown.current!);
    return () => watch.disconnect();
  }, [isNear]);
  const blocks = useMemo(
    () =>
      isNear
        ? blocksOf(part, definitionsFor(part.text, definitions), { linkOf, embedOf, footnotes }).filter(
            ({ first }) => first !== hiddenLine,
          )
        : undefined,
    [isNear, part, definitions, footnotes, linkOf, embedOf, hiddenLine],
  );
  const lines = useRef(onPart);
  lines.current = onPart;
  useEffect(() => {
    if (isNear) lines.current?.(part.line, part.line + part.text.split("\n").length - 1);
  }, [isNear, part]);
  const height = `auto ${Math.ceil(part.text.length / CHARACTERS_OF_A_LINE) * LINE_PX}px`;
  const style = isOnly ? {} : { style: { containIntrinsicSize: height } };
  if (blocks === undefined)
    return (
      <div ref={shown} className="part raw" {...style}>
        {part.text}
      </div>
    );
  const target =
    line === undefined
      ? -1
      : Math.max(
          0,
          blocks.findLastIndex(({ first }) => first <= line),
        );
  return (
    <div ref={shown} className="part" {...style}>
      {blocks.map((block, index) => (
        <div key={block.first} className={`block ${block.level === undefined ? "" : "head"}`}>
          {marginOf?.(block, blocks[index - 1])}
          <BlockText html={block.html} isTarget={index === target} line={block.first} />
        </div>
      ))}
    </div>
  );
}

function BlockText({
  html,
  isTarget,
  line,
}: {
  readonly html: string;
  readonly isTarget: boolean;
  readonly line: number;
}) {
  const shown = useRef<HTMLDivElement>(null);
  const hasArrived = useContext(ArrivedContext);
  useEffect(() => {
    if (!isTarget || !hasArrived) return;
    const { top, bottom } = shown.current!.getBoundingClientRect();
    // A click on a block that is in view must not move the page.
    if (top < 0 || bottom > innerHeight) shown.current!.scrollIntoView({ block: "center" });
    if (document.activeElement === document.body || document.activeElement?.id === "main")
      shown.current!.focus({ preventScroll: true });
  }, [isTarget, hasArrived]);
  useDrawings(shown, html);
  return (
    <div
      ref={shown}
      className={isTarget ? "text meant" : "text"}
      data-line={line}
      {...(isTarget && { tabIndex: -1 })}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

function FootnoteList({ footnotes, linkOf }: { readonly footnotes: Footnotes; readonly linkOf: LinkOf | undefined }) {
  const t = useT();
  const items = useMemo(
    () => footnotes.texts.map((text) => inlineHtml(text, { linkOf, embedOf: undefined, footnotes: NO_FOOTNOTES })),
    [footnotes, linkOf],
  );
  return (
    <section className="footnotes" aria-label={t(words.footnotes)}>
      <ol>
        {items.map((html, index) => (
          // oxlint-disable-next-line no-array-index-key -- footnotes keep their order
          <li key={index} id={`footnote-${index + 1}`}>
            <span dangerouslySetInnerHTML={{ __html: html }} />{" "}
            <a href={`#mention-${index + 1}`} aria-label={t(words.back, index + 1)}>
              ↩
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** For estimating the height of a part that is not rendered yet. */
const CHARACTERS_OF_A_LINE = 60;
const LINE_PX = 27;

const NO_DEFINITIONS: ReadonlyMap<string, string> = new Map();
const DEFINITION = /^ {0,3}\[([^[\]^\n][^[\]\n]{0,199})\]:[ \t]*\S.*$/gm;
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

const words = {
  footnotes: { en: "Footnotes", uk: "Виноски" },
  back: { en: "Back to the mention of footnote {}", uk: "Назад до згадки виноски {}" },
} as const satisfies Record<string, Text>;
