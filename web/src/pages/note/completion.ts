/** The unfinished `[[link` or `#tag` before the caret, and where it begins. */
export interface OpenWord {
  readonly kind: "link" | "tag";
  readonly typed: string;
  /** Position of the first character after the mark. */
  readonly from: number;
}

const LINK = /(?:^|[^\\])\[\[([^[\]|#^\n]{0,100})$/u;
const TAG = /(?:^|\s)#([\p{L}\p{N}_/-]{0,100})$/u;

/** Undefined if the caret is not in an unfinished link or tag. A heading (`# `) is neither. */
export function openWordAt(text: string, caret: number): OpenWord | undefined {
  const line = text.slice(Math.max(text.lastIndexOf("\n", caret - 1) + 1, caret - 300), caret);
  const link = LINK.exec(line);
  if (link) return { kind: "link", typed: link[1]!, from: caret - link[1]!.length };
  const tag = TAG.exec(line);
  // `#` alone at the beginning of a line may become a heading.
  return tag && (tag[1] !== "" || line.trim() !== "#")
    ? { kind: "tag", typed: tag[1]!, from: caret - tag[1]!.length }
    : undefined;
}

/** The names that fit best: those that begin with the words first, then those that contain them; at most `most`. */
export function bestNames(names: readonly string[], typed: string, most: number): string[] {
  const low = typed.toLowerCase();
  const begins: string[] = [];
  const contains: string[] = [];
  for (const name of names) {
    const at = name.toLowerCase().indexOf(low);
    if (at === 0) begins.push(name);
    else if (at > 0) contains.push(name);
  }
  return [...begins, ...contains].slice(0, most);
}

/** The text to put in place of the typed part, and how far the caret then stands behind it. */
export const completedWord = (kind: OpenWord["kind"], name: string, after: string): string =>
  kind === "tag" ? name : after.startsWith("]]") ? name : `${name}]]`;
