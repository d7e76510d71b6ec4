import { shownText } from "./shown-text.ts";

/** A link to the web. */
export interface WebLink {
  /** From 1. */
  readonly line: number;
  readonly url: string;
}

const ADDRESS = /https?:\/\/[^\s<>"'`\\^{|}[\]]{1,2000}/giu;
/** `<https://…>` would be blanked as HTML. */
const AUTOLINK = /<(https?:\/\/[^\s<>]{1,2000})>/giu;
/** A sentence's own signs behind an address are no part of it. */
const TRAILING = /[.,;:!?*_~]+$/u;

/** Addresses of the web in a note, in order; code, comments and properties hold none. */
export function webLinksIn(text: string): readonly WebLink[] {
  if (!/https?:\/\//i.test(text)) return [];
  return shownText(text.replaceAll(AUTOLINK, " $1 "))
    .split("\n")
    .flatMap((words, index) =>
      [...words.matchAll(ADDRESS)].flatMap(([found]) => {
        const url = balanced(found).replace(TRAILING, "");
        return URL.canParse(url) ? [{ line: index + 1, url }] : [];
      }),
    );
}

/** `[words](https://a.example/x_(y))`: an address ends at the bracket that it did not open. */
function balanced(found: string): string {
  let open = 0;
  for (let at = 0; at < found.length; at++) {
    if (found[at] === "(") open++;
    else if (found[at] === ")" && --open < 0) return found.slice(0, at);
  }
  return found;
}
