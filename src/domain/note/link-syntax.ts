/** The syntax that Obsidian adds to Markdown, as patterns and small readers. Imports nothing, because the web app uses it too. */

/** `[[target#part|words]]`; inside a table the bar is written `\|`. */
export const WIKI_LINK = /\[\[((?:(?!\]\]|\[\[|\\?\|)[^\n]){0,1000})(?:\\?\|((?:(?!\]\])[^\n]){0,500}))?\]\]/uy;

/** Percent-decodes; a text that is not valid percent-encoding stays as it is. */
export function decodedPart(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/** Pictures that a note can show, with their media types. */
export const PICTURES: Readonly<Record<string, string>> = {
  avif: "image/avif",
  bmp: "image/bmp",
  gif: "image/gif",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  png: "image/png",
  svg: "image/svg+xml",
  webp: "image/webp",
};

/** The media type of a picture by its extension; undefined for any other file. */
export const pictureType = (path: string): string | undefined =>
  PICTURES[/\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""];

/** `250` or `640x480` behind the bar of an embed. */
export function pictureSize(words: string): { readonly width: number; readonly height?: number } | undefined {
  const [, width, height] = /^(\d{1,4})(?:x(\d{1,4}))?$/.exec(words.trim()) ?? [];
  if (width === undefined) return undefined;
  return { width: Number(width), ...(height !== undefined && { height: Number(height) }) };
}

export interface Callout {
  /** One of the thirteen types of Obsidian; an unknown one is a note. */
  readonly type: string;
  /** As written; the type itself if the line has no title. */
  readonly title: string;
  readonly fold: "open" | "closed" | undefined;
}

const CALLOUTS: Readonly<Record<string, string>> = {
  note: "note",
  abstract: "abstract",
  summary: "abstract",
  tldr: "abstract",
  info: "info",
  todo: "todo",
  tip: "tip",
  hint: "tip",
  important: "tip",
  success: "success",
  check: "success",
  done: "success",
  question: "question",
  help: "question",
  faq: "question",
  warning: "warning",
  caution: "warning",
  attention: "warning",
  failure: "failure",
  fail: "failure",
  missing: "failure",
  danger: "danger",
  error: "danger",
  bug: "bug",
  example: "example",
  quote: "quote",
  cite: "quote",
};

/** The first line of a quotation that is a callout: `[!type]+ Title`. */
export function calloutIn(line: string): Callout | undefined {
  const [, written, fold, title = ""] = /^\s*\[!([^\]\n|]{1,50})(?:\|[^\]\n]*)?\]([+-]?)[ \t]*(.*)$/.exec(line) ?? [];
  if (written === undefined) return undefined;
  const name = written.trim().toLowerCase();
  return {
    type: CALLOUTS[name] ?? "note",
    title: title.trim() || name.charAt(0).toUpperCase() + name.slice(1),
    fold: fold === "-" ? "closed" : fold === "+" ? "open" : undefined,
  };
}
