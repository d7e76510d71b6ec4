import DOMPurify from "dompurify";
import { marked } from "marked";
import { useMemo } from "react";
import "../style/markdown.css";

/**
 * A note, or what a model wrote, as a page would show it. Everything that could act is taken out: only text, links, lists, tables and
 * pictures of this garden are left. Longer ones are shown as they are written.
 */
export function Markdown({
  text,
  linkOf,
}: {
  readonly text: string;
  readonly linkOf?: (target: string) => string | undefined;
}) {
  const html = useMemo(() => (text.length > LONGEST ? undefined : clean(text, linkOf)), [text, linkOf]);
  if (html === undefined) return <pre className="prose plain">{text}</pre>;
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}

const LONGEST = 500_000;

const FRONT = /^---\r?\n[\s\S]*?\r?\n---\r?\n/;

function clean(text: string, linkOf: ((target: string) => string | undefined) | undefined): string {
  const linked = text
    .replace(FRONT, "")
    .replaceAll(/\[\[([^\]|\n]+)(?:\|([^\]\n]+))?\]\]/g, (_, target: string, name: string | undefined) => {
      return `[${(name ?? target).replaceAll(/[[\]]/g, "")}](<${target.trim()}>)`;
    });
  const html = marked.parse(linked, { async: false, gfm: true });
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
function place(link: HTMLAnchorElement, linkOf: ((target: string) => string | undefined) | undefined): void {
  const target = link.getAttribute("href") ?? "";
  if (/^(?:https?:|mailto:)/i.test(target)) {
    link.target = "_blank";
    link.rel = "noopener noreferrer nofollow";
    return;
  }
  const inside = target.startsWith("#") ? undefined : linkOf?.(decoded(target));
  if (inside === undefined) link.removeAttribute("href");
  else link.setAttribute("href", inside);
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
