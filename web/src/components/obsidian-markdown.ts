import { decodedPart, pictureSize } from "../../../src/domain/note/link-syntax.ts";
import type { Footnotes } from "./footnotes.ts";
import { PLACE } from "./obsidian-syntax.ts";

/** The address of a link within the garden: a path, or the name in `[[name]]`, and its part. Undefined if it leads nowhere. */
export type LinkOf = (target: string, part: string, kind: "path" | "name") => string | undefined;

/** The text of an embedded note with its address, and how its own links and pictures are resolved. */
export interface EmbeddedNote {
  readonly text: string;
  readonly address: string;
  readonly linkOf: LinkOf;
  readonly embedOf: EmbedOf;
}

/** Returns the content of an embed: a picture, or a note. Undefined if there is nothing to show. */
export type EmbedOf = (
  target: string,
  part: string,
  kind: "path" | "name",
) => { readonly picture: string } | EmbeddedNote | undefined;

/** Everything outside of a text that its rendering needs. */
export interface RenderContext {
  readonly linkOf: LinkOf | undefined;
  readonly embedOf: EmbedOf | undefined;
  readonly footnotes: Footnotes;
  /** Renders the text of an embedded note. */
  readonly render: (text: string, context: RenderContext) => DocumentFragment;
}

export const tagAddress = (tag: string): string => `/app/notes?tag=${encodeURIComponent(tag)}`;

/** Turns the links and pictures of a sanitised text into what Obsidian shows. */
export function resolvePlaces(fragment: DocumentFragment, context: RenderContext): void {
  for (const picture of fragment.querySelectorAll("img")) resolvePicture(picture, context);
  for (const link of fragment.querySelectorAll("a")) resolveLink(link, context);
}

function resolvePicture(picture: HTMLImageElement, { embedOf }: RenderContext): void {
  const source = picture.getAttribute("src") ?? "";
  if (/^data:image\/(?:avif|gif|jpeg|png|webp);base64,/i.test(source)) return;
  const { target, part } = readAddress(source);
  const shown = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(source) ? undefined : embedOf?.(target, part, "path");
  if (shown && "picture" in shown) showPicture(picture, shown.picture, picture.alt);
  else picture.replaceWith(picture.alt);
}

/** Links within the garden lead to its pages; others open in a new tab without a referrer. */
function resolveLink(link: HTMLAnchorElement, context: RenderContext): void {
  const written = link.getAttribute("href") ?? "";
  if (/^(?:https?:|mailto:)/i.test(written)) {
    link.target = "_blank";
    link.rel = "noopener noreferrer nofollow";
    link.className = "outside";
    return;
  }
  for (const [kind, mark] of SPECIAL)
    if (written.startsWith(mark)) return showSpecial(link, kind, decodedPart(written.slice(mark.length)), context);
  const { kind, isEmbed, target, part } = readAddress(written);
  const shown = isEmbed ? context.embedOf?.(target, part, kind) : undefined;
  if (shown && "picture" in shown) showPicture(link, shown.picture, link.textContent ?? "");
  else if (shown) showNote(link, part === "" ? target : `${target} > ${part}`, shown, context);
  else {
    const inside = /^(?:\/\/|$)/.test(written) ? undefined : context.linkOf?.(target, part, kind);
    if (isEmbed && link.textContent === "") link.textContent = target;
    if (inside === undefined) link.removeAttribute("href");
    else link.setAttribute("href", inside);
  }
}

type Special = Exclude<keyof typeof PLACE, "name" | "embed">;
/** Longer marks first: `[$$` begins with `[$`. */
const SPECIAL = (Object.entries(PLACE) as [keyof typeof PLACE, string][])
  .filter((entry): entry is [Special, string] => entry[0] !== "name" && entry[0] !== "embed")
  .toSorted(([, a], [, b]) => b.length - a.length);

function showSpecial(link: HTMLAnchorElement, kind: Special, inside: string, { footnotes }: RenderContext): void {
  switch (kind) {
    case "tag":
      link.setAttribute("href", tagAddress(inside));
      link.className = "hashtag";
      return;
    case "task":
    case "done":
      return showTask(link, kind === "done");
    case "footnote":
    case "inlineFootnote":
      return showMention(link, footnotes.number(kind === "footnote" ? "named" : "inline", inside), inside);
    case "formula":
    case "formulaBlock":
      return showSource(link, "span", kind === "formula" ? "formula" : "formula wide", inside);
    case "mermaid":
      return showSource(link, "figure", "drawing", inside);
  }
}

function showTask(place: Element, isDone: boolean): void {
  const box = document.createElement("span");
  box.className = isDone ? "task done" : "task";
  box.textContent = isDone ? "☑" : "☐";
  place.closest("li")?.classList.add("has-task");
  place.replaceWith(box);
}

function showMention(place: HTMLAnchorElement, number: number | undefined, written: string): void {
  if (number === undefined) return place.replaceWith(`[^${written}]`);
  const raised = document.createElement("sup");
  place.setAttribute("href", `#footnote-${number}`);
  place.textContent = String(number);
  raised.id = `mention-${number}`;
  place.replaceWith(raised);
  raised.append(place);
}

/** The source of a formula or diagram, until it is drawn; it stays where drawing fails. */
function showSource(place: Element, tag: "span" | "figure", name: string, source: string): void {
  const box = document.createElement(tag);
  box.className = name;
  box.dataset["source"] = source;
  const code = document.createElement("code");
  code.textContent = source;
  box.append(code);
  place.replaceWith(box);
}

/** The address of a link or embed as written; `isEmbed` for `![[…]]`. */
function readAddress(address: string): {
  readonly kind: "path" | "name";
  readonly isEmbed: boolean;
  readonly target: string;
  readonly part: string;
} {
  const isEmbed = address.startsWith(PLACE.embed);
  const kind = isEmbed || address.startsWith(PLACE.name) ? "name" : "path";
  const from = isEmbed ? PLACE.embed.length : PLACE.name.length;
  const written = kind === "name" ? decodedPart(address.slice(from)) : address.replace(/\?[^#]*/, "");
  const [target = ""] = /^[^#]*/.exec(written) ?? [];
  const part = written.slice(target.length + 1);
  return kind === "name"
    ? { kind, isEmbed, target: target.trim(), part: part.trim() }
    : { kind, isEmbed, target: decodedPart(target), part: decodedPart(part) };
}

/** Shows a picture of the garden in an element's place; `words` are its size or its description. */
function showPicture(place: Element, source: string, words: string): void {
  const picture = document.createElement("img");
  const [alt, size] = pictureSize(words) ? ["", words] : words.split("|");
  picture.src = source;
  picture.alt = alt?.trim() ?? "";
  picture.loading = "lazy";
  const measured = pictureSize(size ?? "");
  if (measured) picture.width = measured.width;
  if (measured?.height !== undefined) picture.height = measured.height;
  const paragraph = place.parentElement;
  if (picture.alt === "" || paragraph?.tagName !== "P" || paragraph.childNodes.length > 1)
    return place.replaceWith(picture);
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent = picture.alt;
  figure.append(picture, caption);
  paragraph.replaceWith(figure);
}

/** An embedded note: its name as a link, and its text. Notes embedded inside of it are links, so that a circle ends. */
function showNote(place: Element, name: string, shown: EmbeddedNote, context: RenderContext): void {
  const box = document.createElement("div");
  box.className = "embedded";
  const title = document.createElement("a");
  title.href = shown.address;
  title.className = "embedded-title";
  title.textContent = name;
  box.append(title, context.render(shown.text, { ...context, linkOf: shown.linkOf, embedOf: shown.embedOf }));
  const paragraph = place.parentElement;
  if (paragraph?.tagName === "P" && paragraph.childNodes.length === 1) paragraph.replaceWith(box);
  else place.replaceWith(box);
}
