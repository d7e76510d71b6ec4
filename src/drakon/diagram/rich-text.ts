/**
 * Decodes the text of an icon, which is plain or HTML as DrakonHub's editor writes it. HTML is recognised by a known block tag
 * at the front and a tag at the end, so that `<T>` and `a < b > c` stay plain; entities are decoded once: `&amp;lt;` gives `&lt;`.
 */
export function plainText(content: string): string {
  const text = isHtml(content) ? fromHtml(content) : content;
  return text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").toWellFormed(); // half a surrogate pair has no id
}

const OPENING = /^\s*<(p|ul|ol|div|h[1-6]|br|b|i|u|em|strong|span|table|blockquote|pre|code)(\s[^<>]*)?\/?>/i;
const CLOSING = /<\/?[a-z][a-z0-9]*(\s[^<>]*)?\/?>\s*$/i;

/**
 * Encodes a text so that `plainText` returns exactly it: plain, or as HTML if it would otherwise be taken for HTML. `before` is
 * the old value of the field: HTML stays HTML if possible. Undefined if neither form works, as for a text that looks like HTML
 * and begins with a space.
 */
export function encodeText(text: string, before = ""): string | undefined {
  const plain = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const choices = isHtml(before) ? [asHtml(plain), plain] : [plain, asHtml(plain)];
  return choices.find((choice) => plainText(choice) === plain);
}

const asHtml = (plain: string): string => `<p>${plain.split("\n").map(escapeHtml).join("<br>")}</p>`;

/** Spaces that HTML would collapse are written as character references. */
const escapeHtml = (line: string): string =>
  line
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[^\S ]|(?<=\s) /g, (space) => `&#${space.codePointAt(0)};`);

const isHtml = (content: string): boolean => OPENING.test(content) && CLOSING.test(content);

const BLOCKS = new Set([
  "p",
  "div",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "ul",
  "ol",
  "li",
  "tr",
  "table",
  "blockquote",
  "pre",
]);

/** Blocks become lines, list items get their bullet or number, everything else loses its tags. */
function fromHtml(source: string): string {
  const html = source.replace(/<!--[\s\S]*?-->/g, "");
  const lines: string[] = [""];
  const lists: { ordered: boolean; count: number }[] = [];
  const breakLine = (): void => {
    if (!/^(?:- |\d+\. )?$/.test(lines.at(-1)!)) lines.push(""); // a bullet waits for its text
  };
  const tag = /<(\/?)([a-z][a-z0-9]*)(?:\s(?:"[^"]*"|'[^']*'|[^<>"'])*)?\/?>/gi;
  let at = 0;
  for (let match = tag.exec(html); match; match = tag.exec(html)) {
    lines[lines.length - 1] += decodeEntities(html.slice(at, match.index).replace(/\s+/g, " "));
    at = tag.lastIndex;
    const closing = match[1] === "/";
    const name = match[2]!.toLowerCase();
    if (name === "br" || name === "hr") lines.push("");
    if ((name === "td" || name === "th") && closing) lines[lines.length - 1] += " ";
    if (BLOCKS.has(name)) breakLine();
    if (name === "ul" || name === "ol") {
      if (closing) lists.pop();
      else lists.push({ ordered: name === "ol", count: 0 });
    }
    const list = lists.at(-1);
    if (name === "li" && !closing) lines[lines.length - 1] = list?.ordered ? `${++list.count}. ` : "- ";
  }
  lines[lines.length - 1] += decodeEntities(html.slice(at).replace(/\s+/g, " "));
  return lines
    .map((line) => line.trim())
    .join("\n")
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  laquo: "«",
  raquo: "»",
  mdash: "—",
  ndash: "–",
  hellip: "…",
};

const decodeEntities = (text: string): string =>
  text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name.toLowerCase()] ?? whole;
    const code =
      name[1]?.toLowerCase() === "x" ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
  });
