import { leadsTo } from "../../../../src/domain/note/note-links.ts";
import type { AnswerOf } from "../../api/client.ts";
import type { LinkOf } from "../../components/markdown.tsx";

export const noteAddress = (path: string): string => `/app/notes/${path.split("/").map(encodeURIComponent).join("/")}`;

const searchAddress = (name: string): string => `/app/notes?q=${encodeURIComponent(name)}`;

/**
 * Resolves the links of a note. The gateway knows which notes exist; until it has answered, and for unsaved text, a path is assumed to
 * exist and a name leads to a search.
 */
export function linkOfNote(note: string, known: AnswerOf<"GET /links/:path"> | undefined, isSaved: boolean): LinkOf {
  const places = new Map<string, string | undefined>();
  for (const { target, kind, to } of known?.links ?? [])
    places.set(kind === "name" ? `=${target.trim()}` : `/${leadsTo(note, target) ?? ""}`, to);
  const sure = known !== undefined && known.reading === undefined && isSaved;
  return (target, kind) => {
    if (kind === "name") {
      const to = places.get(`=${target}`);
      return to !== undefined ? noteAddress(to) : sure ? undefined : searchAddress(target);
    }
    const path = leadsTo(note, target.replace(/[#?].*$/, ""));
    if (path === undefined || path === "") return undefined;
    const to = places.get(`/${path}`);
    return to !== undefined ? noteAddress(to) : sure ? undefined : noteAddress(path);
  };
}

/** A line of Markdown without its link and emphasis syntax. */
export const plainWords = (line: string): string =>
  line
    .replaceAll(
      /\[\[([^[\]|#]+)(?:#[^[\]|]*)?(?:\|([^[\]]*))?\]\]/g,
      (_, name: string, shown?: string) => shown ?? name,
    )
    .replaceAll(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, "$1")
    .replaceAll(/\*\*|__|`/g, "");
