import { decodedPart, pictureType } from "../../../../src/domain/note/link-syntax.ts";
import type { AnswerOf } from "../../api/client.ts";
import type { EmbedOf, LinkOf } from "../../components/obsidian-markdown.ts";

export const noteAddress = (path: string): string => `/app/notes/${path.split("/").map(encodeURIComponent).join("/")}`;

const searchAddress = (name: string): string => `/app/notes?q=${encodeURIComponent(name)}`;

type Links = AnswerOf<"GET /links/:path">["links"];
interface Known {
  readonly links: readonly Pick<Links[number], "target" | "part" | "kind" | "to" | "line" | "text" | "inside">[];
  readonly reading?: unknown;
}

/**
 * Resolves the links of a note. The gateway knows which notes exist; until it has answered, and for unsaved text, a link
 * leads to a search.
 */
export function linkOfNote(note: string, known: Known | undefined, isSaved: boolean): LinkOf {
  const places = new Map<string, string>();
  for (const { target, part, kind, to, line } of known?.links ?? [])
    if (to !== undefined)
      places.set(
        placeKey(kind, kind === "path" ? decodedPart(target) : target, part),
        noteAddress(to) + (line === undefined ? "" : `?line=${line}`),
      );
  const sure = known !== undefined && known.reading === undefined && isSaved;
  return (target, part, kind) => {
    const name = target.replace(/^.*\//, "").replace(/\.md$/i, "").trim();
    const unknown = sure || name === "" ? undefined : searchAddress(name);
    return places.get(placeKey(kind, target, part)) ?? (target === "" ? noteAddress(note) : unknown);
  };
}

const fileAddress = (path: string): string => `/files/${path.split("/").map(encodeURIComponent).join("/")}`;

/** Resolves the embeds of a note: pictures, and texts of notes, which the gateway has read. */
export function embedOfNote(known: Known | undefined): EmbedOf {
  const places = new Map<string, NonNullable<ReturnType<EmbedOf>>>();
  for (const { target, part, kind, to, text, inside = [] } of known?.links ?? []) {
    if (to === undefined) continue;
    const key = placeKey(kind, kind === "path" ? decodedPart(target) : target, part);
    if (pictureType(to) !== undefined) places.set(key, { picture: fileAddress(to) });
    else if (text !== undefined) {
      const within = { links: inside };
      places.set(key, {
        text,
        address: noteAddress(to),
        linkOf: linkOfNote(to, within, true),
        embedOf: embedOfNote(within),
      });
    }
  }
  return (target, part, kind) => places.get(placeKey(kind, target, part));
}

const placeKey = (kind: "path" | "name", target: string, part: string): string => `${kind} ${target.trim()}#${part}`;

/** A line of Markdown without its link and emphasis syntax. */
export const plainWords = (line: string): string =>
  line
    .replaceAll(
      /\[\[([^[\]|#]+)(?:#[^[\]|]*)?(?:\|([^[\]]*))?\]\]/g,
      (_, name: string, shown?: string) => shown ?? name,
    )
    .replaceAll(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, "$1")
    .replaceAll(/\*\*|__|`/g, "");
