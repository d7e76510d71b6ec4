import { isHtml, plainText } from "./rich-text.ts";

/**
 * How to write a text so that it is read back as exactly this text: as it is, or in HTML where it would itself be taken for
 * HTML. `like` is what stood there before: what was in HTML stays in HTML if it can. Undefined if neither works: a text that
 * looks like HTML and begins with a space cannot be said in this format.
 */
export function dressedText(text: string, like = ""): string | undefined {
  const plain = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const choices = isHtml(like) ? [asHtml(plain), plain] : [plain, asHtml(plain)];
  return choices.find((choice) => plainText(choice) === plain);
}

const asHtml = (plain: string): string => `<p>${plain.split("\n").map(escaped).join("<br>")}</p>`;

/** Spaces that HTML would fold into one are named one by one. */
const escaped = (line: string): string =>
  line
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[^\S ]|(?<=\s) /g, (space) => `&#${space.codePointAt(0)};`);
