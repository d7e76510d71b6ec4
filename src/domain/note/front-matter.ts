import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { Text } from "../../base/text.ts";
import { parseYaml } from "../text/checked-yaml.ts";
import { MALFORMED_TAGS, TAGS_NOT_EDITABLE } from "./failures.ts";

/**
 * Edits the front matter of a note in place: unrelated bytes stay as they are (comments, order, quotes, line ends,
 * byte order mark). Every edit is parsed again and compared with the intended result; an edit that cannot be made
 * this way is refused with a reason.
 */
export interface FrontMatter {
  /** The text before the YAML: an optional byte order mark and the line `---`. */
  readonly open: string;
  readonly yaml: string;
  /** The closing line, with its end. */
  readonly close: string;
  readonly body: string;
  readonly end: "\n" | "\r\n";
}

export type TagEdit =
  /** `added` and `removed` are the effective changes, in order. */
  | {
      readonly kind: "changed";
      readonly text: string;
      readonly added: readonly string[];
      readonly removed: readonly string[];
    }
  | { readonly kind: "same" }
  | { readonly kind: "refused"; readonly why: Text };

export const MAX_FRONT_MATTER_BYTES = 64 * 1024;
const KEY = "tags";

/** Splits a text that begins with front matter; the parts joined are the text. Undefined if it has none. */
export function splitFrontMatter(text: string): FrontMatter | undefined {
  const opening = /^\ufeff?---[ \t]*(\r?\n)/.exec(text);
  if (!opening) return undefined;
  const rest = text.slice(opening[0].length);
  const closing = /(?:^|\n)((?:---|\.\.\.)[ \t]*(?:\r?\n|$))/.exec(rest);
  if (!closing) return undefined;
  const at = closing.index + closing[0].length - closing[1]!.length;
  return {
    open: opening[0],
    yaml: rest.slice(0, at),
    close: closing[1]!,
    body: rest.slice(at + closing[1]!.length),
    end: opening[1] as "\n" | "\r\n",
  };
}

/** Adds and removes tags; a tag in both lists is removed. */
export function withTags(
  text: string,
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): TagEdit {
  const front = splitFrontMatter(text);
  const read = front ? readTags(front.yaml) : { kind: "tags" as const, tags: [] };
  if (read.kind === "refused") return read;
  const removed = [...new Set(remove)].filter((tag) => read.tags.includes(tag));
  const left = read.tags.filter((tag) => !removed.includes(tag));
  const added = [...new Set(add)].filter((tag) => !left.includes(tag) && !remove.includes(tag));
  if (added.length === 0 && removed.length === 0) return { kind: "same" };
  if (!front) return { kind: "changed", text: withNewFrontMatter(text, added), added, removed };
  let yaml = front.yaml;
  for (const tag of removed) while (tagsOf(yaml).includes(tag)) yaml = without(yaml, tag, front.end);
  for (const tag of added) yaml = withOne(yaml, tag, front.end);
  const after = readTags(yaml);
  const meant = [...left, ...added];
  if (after.kind === "refused" || after.tags.join("\n") !== meant.join("\n") || others(yaml) !== others(front.yaml))
    return refused(TAGS_NOT_EDITABLE);
  return { kind: "changed", text: front.open + yaml + front.close + front.body, added, removed };
}

type TagsRead =
  | { readonly kind: "tags"; readonly tags: readonly string[] }
  | { readonly kind: "refused"; readonly why: Text };

/** The current tags, or the reason why they cannot be read. */
function readTags(yaml: string): TagsRead {
  const bytes = Buffer.byteLength(yaml);
  if (bytes > MAX_FRONT_MATTER_BYTES) {
    return refused({
      en: `it has ${bytes} bytes, and at most ${MAX_FRONT_MATTER_BYTES} are read`,
      uk: `у ньому ${bytes} байтів, а читаються щонайбільше ${MAX_FRONT_MATTER_BYTES}`,
    });
  }
  let parsed: ReturnType<typeof parseYaml>;
  try {
    parsed = parseYaml(yaml);
  } catch {
    return refused({ en: "it is nested too deeply to be read", uk: "його вкладено надто глибоко, щоб прочитати" });
  }
  if (parsed.kind === "problems") {
    const { line, found } = parsed.problems[0]!;
    return refused({ en: `line ${line + 1}: ${found.en}`, uk: `рядок ${line + 1}: ${found.uk}` });
  }
  const { contents } = parsed.document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return { kind: "tags", tags: [] };
  if (!isMap(contents)) return refused({ en: "it is no group of keys", uk: "це не група ключів" });
  const node: unknown = contents.get(KEY, true);
  if (node === undefined || (isScalar(node) && node.value === null)) return { kind: "tags", tags: [] };
  if (isScalar(node) && typeof node.value === "string") {
    if (node.type !== "PLAIN" && node.type !== "QUOTE_DOUBLE" && node.type !== "QUOTE_SINGLE")
      return refused(MALFORMED_TAGS);
    return { kind: "tags", tags: listed(node.value) };
  }
  if (!isSeq(node) || isOdd(node)) return refused(MALFORMED_TAGS);
  return { kind: "tags", tags: node.items.map(textOfItem) };
}

/** True for anchors, aliases and explicit types inside the list: an edit could change something elsewhere. */
function isOdd(node: YAMLSeq): boolean {
  let odd = node.anchor !== undefined || node.tag !== undefined;
  visit(node, (_, each) => {
    if (isPair(each) || isAlias(each) || isMap(each) || (isSeq(each) && each !== node)) odd = true;
    if (
      isScalar(each) &&
      (each.anchor !== undefined || each.tag !== undefined || (typeof each.value === "object" && each.value !== null))
    )
      odd = true;
  });
  return odd;
}

const textOfItem = (item: unknown): string => (isScalar(item) ? String(item.source ?? item.value) : "");
const listed = (text: string): string[] =>
  text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");

const tagsOf = (yaml: string): readonly string[] => {
  const read = readTags(yaml);
  return read.kind === "tags" ? read.tags : [];
};

/** All fields except the tags, serialised for comparison. */
function others(yaml: string): string {
  const parsed = parseYaml(yaml);
  if (parsed.kind === "problems") return "unreadable";
  const value = typeof parsed.value === "object" && parsed.value !== null ? { ...parsed.value, [KEY]: undefined } : {};
  return JSON.stringify([value, commentsIn(yaml)]);
}

/** Comments on lines of their own; a comment beside a removed item may go with it. */
const commentsIn = (yaml: string): string[] => yaml.match(/^[ \t]*#.*$/gm) ?? [];

interface Place {
  readonly map: YAMLMap | undefined;
  readonly node: unknown;
  /** True for JSON or a map in braces. */
  readonly flow: boolean;
}

function placeOf(yaml: string): Place {
  const { contents } = parseDocument(yaml, { version: "1.2", schema: "core" });
  if (!isMap(contents)) return { map: undefined, node: undefined, flow: false };
  return { map: contents, node: contents.get(KEY, true), flow: contents.flow === true };
}

/** Appends one tag. */
function withOne(yaml: string, tag: string, end: string): string {
  const { map, node, flow } = placeOf(yaml);
  if (isSeq(node) && node.items.length > 0) {
    const last = node.items.at(-1) as Scalar;
    const [start, stop] = spanOf(last);
    const word = likeOthers(node, tag, flow);
    if (node.flow) return spliced(yaml, stop, stop, `${separatorIn(yaml, node)}${word}`);
    const indent = yaml.slice(lineStart(yaml, start), start);
    return spliced(yaml, lineEnd(yaml, stop), lineEnd(yaml, stop), `${indent}${word}${end}`);
  }
  if (isSeq(node)) return spliced(yaml, ...spanOf(node), `[${asScalar(tag, flow)}]`);
  if (isScalar(node) && typeof node.value === "string" && node.value.trim() !== "")
    return spliced(yaml, ...spanOf(node), requoted(node, `${node.value.replace(/[,\s]+$/, "")}, ${tag}`));
  const list = `[${asScalar(tag, flow)}]`;
  if (isScalar(node)) {
    const [start, stop] = spanOf(node);
    return spliced(yaml, start, stop, !flow && yaml[start - 1] === ":" ? ` ${list}` : list);
  }
  return withNewKey(yaml, map, flow, list, end);
}

function withNewKey(yaml: string, map: YAMLMap | undefined, flow: boolean, list: string, end: string): string {
  if (map && flow) {
    const [start, stop] = spanOf(map);
    const last = map.items.at(-1);
    if (!last) return spliced(yaml, start, stop, `{"${KEY}":${list}}`);
    const value = last.value ?? last.key;
    const at = spanOf(value as Scalar)[1];
    return spliced(yaml, at, at, `,${/^\{\s/.test(yaml.slice(start)) ? " " : ""}"${KEY}":${list}`);
  }
  const gap = yaml === "" || yaml.endsWith("\n") ? "" : end;
  return `${yaml}${gap}${KEY}: ${list}${end}`;
}

/** Removes the first item with this text. */
function without(yaml: string, tag: string, end: string): string {
  const { map, node } = placeOf(yaml);
  if (isScalar(node) && typeof node.value === "string") {
    const left = listed(node.value).filter((each) => each !== tag);
    return spliced(yaml, ...spanOf(node), left.length === 0 ? "[]" : requoted(node, left.join(", ")));
  }
  if (!isSeq(node) || !map) return yaml;
  const index = node.items.findIndex((item) => textOfItem(item) === tag);
  const [start, stop] = spanOf(node.items[index] as Scalar);
  if (node.flow) return withoutFlowItem(yaml, node, index);
  const from = lineStart(yaml, start);
  const gone = spliced(yaml, from, lineEnd(yaml, stop), "");
  if (node.items.length > 1) return gone;
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === KEY)!;
  const colon = yaml.indexOf(":", spanOf(pair.key as Scalar)[1]) + 1;
  return colon <= from ? spliced(gone, colon, colon, " []") : spliced(yaml, start, stop, end);
}

/** Removes an item with its own comma; comments of other items stay. */
function withoutFlowItem(yaml: string, node: YAMLSeq, index: number): string {
  const [start, stop] = spanOf(node.items[index] as Scalar);
  const next = node.items[index + 1] as Scalar | undefined;
  if (next) return spliced(yaml, start, spanOf(next)[0], "");
  const before = node.items[index - 1] as Scalar | undefined;
  if (!before) return spliced(yaml, start, yaml.slice(stop, spanOf(node)[1]).startsWith(",") ? stop + 1 : stop, "");
  const gap = yaml.slice(spanOf(before)[1], start);
  return spliced(yaml, gap.includes("#") ? start : spanOf(before)[1], stop, "");
}

/** The separator between the last two items; with fewer items, a comma and a space. */
function separatorIn(yaml: string, node: YAMLSeq): string {
  const [last, before] = [node.items.at(-1) as Scalar, node.items.at(-2) as Scalar | undefined];
  const gap = before && yaml.slice(spanOf(before)[1], spanOf(last)[0]);
  return gap !== undefined && /^,\s*$/.test(gap) ? gap : ", ";
}

/** Quotes a tag like all its neighbours, else only if necessary. */
function likeOthers(node: YAMLSeq, tag: string, json: boolean): string {
  const types = new Set(node.items.map((item) => (isScalar(item) ? item.type : undefined)));
  const [only] = types;
  if (!json && types.size === 1 && only === "QUOTE_SINGLE") return `'${tag.replaceAll("'", "''")}'`;
  return asScalar(tag, json || (types.size === 1 && only === "QUOTE_DOUBLE"));
}

const asScalar = (tag: string, quoted: boolean): string =>
  !quoted && isPlain(`[${tag}]`, tag) && isPlain(`- ${tag}`, tag) ? tag : JSON.stringify(tag);

function isPlain(source: string, tag: string): boolean {
  const { contents, errors } = parseDocument(source, { version: "1.2", schema: "core" });
  return (
    errors.length === 0 &&
    isSeq(contents) &&
    contents.items.length === 1 &&
    isScalar(contents.items[0]) &&
    contents.items[0].value === tag
  );
}

/** Quotes a text in the style of the old value. */
function requoted({ type }: Scalar, text: string): string {
  if (type === "QUOTE_SINGLE") return `'${text.replaceAll("'", "''")}'`;
  if (type === "QUOTE_DOUBLE") return JSON.stringify(text);
  const { contents, errors } = parseDocument(`k: ${text}`, { version: "1.2", schema: "core" });
  return errors.length === 0 && isMap(contents) && contents.toJSON().k === text ? text : JSON.stringify(text);
}

function withNewFrontMatter(text: string, tags: readonly string[]): string {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const end = /\r\n/.test(text) && !/[^\r]\n/.test(text) ? "\r\n" : "\n";
  return `${mark}---${end}${KEY}: [${tags.map((tag) => asScalar(tag, false)).join(", ")}]${end}---${end}${text.slice(mark.length)}`;
}

const spanOf = (node: {
  range?: readonly [number, number, number] | null | undefined;
}): [start: number, stop: number] => [node.range![0], node.range![1]];
const spliced = (text: string, from: number, to: number, put: string): string =>
  text.slice(0, from) + put + text.slice(to);
const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
const lineEnd = (text: string, at: number): number => {
  // A block scalar or a list already ends after its last line break.
  if (at > 0 && text[at - 1] === "\n") return at;
  const next = text.indexOf("\n", at);
  return next < 0 ? text.length : next + 1;
};

const refused = (why: Text): { readonly kind: "refused"; readonly why: Text } => ({ kind: "refused", why });
