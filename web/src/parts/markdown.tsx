import { useRouter } from "@tanstack/react-router";
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { type MouseEvent, useMemo } from "react";
import "../style/markdown.css";

/** The address of what a link within the garden means: a path as it is written, or the name in `[[name]]`. */
export type LinkOf = (target: string, kind: "path" | "name") => string | undefined;

/**
 * A note, or what a model wrote, as a page would show it. Everything that could act is taken out: only text, links, lists, tables and
 * pictures of this garden are left. Longer ones are shown as they are written.
 */
export function Markdown({ text, linkOf }: { readonly text: string; readonly linkOf?: LinkOf }) {
  const router = useRouter();
  const html = useMemo(() => (text.length > LONGEST_MARKDOWN ? undefined : clean(text, linkOf)), [text, linkOf]);
  if (html === undefined) return <Plain text={text} />;
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
    <div className="prose" onClick={follow} dangerouslySetInnerHTML={{ __html: html }} />
  );
}

export const LONGEST_MARKDOWN = 500_000;
const CHUNK = 16_384;

/** As it is written, in pieces that the browser lays out only when they come into sight. */
function Plain({ text }: { readonly text: string }) {
  const pieces = useMemo(() => {
    const found: string[] = [];
    for (let from = 0; from < text.length; ) {
      const line = text.indexOf("\n", from + CHUNK);
      const to = line === -1 || line > from + 2 * CHUNK ? from + 2 * CHUNK : line + 1;
      found.push(text.slice(from, to));
      from = to;
    }
    return found;
  }, [text]);
  return (
    <div className="prose plain">
      {pieces.map((piece, index) => (
        // oxlint-disable-next-line no-array-index-key -- pieces of one text never change places
        <pre key={index}>{piece}</pre>
      ))}
    </div>
  );
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
  const html = markdown.parse(text.replace(FRONT, "")) as string;
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
  const inside = target.startsWith("#") || target.startsWith("//") ? undefined : insideOf(target, linkOf);
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
