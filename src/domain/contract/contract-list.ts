import { isScalar, isSeq, parseDocument, type YAMLSeq } from "yaml";
import { type ContractFile, frontFields, replaced } from "./contract-file.ts";

/**
 * Adds or removes one name of a list in the front matter in place: comments, quotes and order survive. Returns the
 * same file if there is nothing to do; undefined if no edit in place is safe (an anchor, a list of other values).
 */
export function withListItem(
  file: ContractFile,
  field: string,
  item: string,
  present: boolean,
): ContractFile | undefined {
  const fields = frontFields(file);
  const before = fields?.[field];
  if (!fields || !Array.isArray(before)) return undefined;
  if (before.includes(item) === present) return file;
  const list = listAt(file, field);
  const changed = list && (present ? added(file, list, item) : removed(file, list, item));
  const after = changed && frontFields(changed);
  const wanted = present ? [...before, item] : before.filter((one) => one !== item);
  return after && JSON.stringify(after) === JSON.stringify({ ...fields, [field]: wanted }) ? changed : undefined;
}

function listAt({ text, front }: ContractFile, field: string): YAMLSeq | undefined {
  const document = parseDocument(text.slice(front.start, front.end), { version: "1.2", schema: "core" });
  const node = document.get(field, true);
  return isSeq(node) ? node : undefined;
}

function added(file: ContractFile, list: YAMLSeq, item: string): ContractFile | undefined {
  const { text, front } = file;
  const last = spanOf(list.items.at(-1));
  if (list.flow) {
    const end = last === undefined ? list.range && list.range[0] + 1 : last.end;
    if (end === undefined || end === null) return undefined;
    const at = front.start + end;
    return replaced(file, { start: at, end: at }, last === undefined ? item : `, ${item}`);
  }
  if (last === undefined) return undefined;
  const lineStart = text.lastIndexOf("\n", front.start + last.start) + 1;
  const indent = /^[ \t]*-[ \t]+/.exec(text.slice(lineStart))?.[0];
  if (indent === undefined) return undefined;
  const lineEnd = text.indexOf("\n", front.start + last.end);
  const end = text[lineEnd - 1] === "\r" ? lineEnd - 1 : lineEnd;
  return replaced(file, { start: end, end }, `${text.slice(end, lineEnd + 1)}${indent}${item}`);
}

function removed(file: ContractFile, list: YAMLSeq, item: string): ContractFile | undefined {
  const { text, front } = file;
  const index = list.items.findIndex((one) => isScalar(one) && one.value === item);
  const span = spanOf(list.items[index]);
  if (span === undefined) return undefined;
  if (list.flow) {
    // Includes the comma before it, or the comma after it for the first item.
    const before = spanOf(list.items[index - 1]);
    const next = spanOf(list.items[index + 1]);
    const [start, end] = before ? [before.end, span.end] : [span.start, next?.start ?? span.end];
    return replaced(file, { start: front.start + start, end: front.start + end }, "");
  }
  const start = text.lastIndexOf("\n", front.start + span.start) + 1;
  const end = text.indexOf("\n", front.start + span.end) + 1;
  return end === 0 ? undefined : replaced(file, { start, end }, "");
}

function spanOf(node: unknown): { readonly start: number; readonly end: number } | undefined {
  return isScalar(node) && node.range ? { start: node.range[0], end: node.range[1] } : undefined;
}
