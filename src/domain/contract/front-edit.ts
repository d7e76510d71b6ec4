import { isMap, parseDocument } from "yaml";
import { contractFile, frontFields } from "./contract-file.ts";

/** A value of the front matter; undefined removes the field. */
export type FrontValue = string | number | boolean | readonly string[] | undefined;

/**
 * Sets one field of the front matter, also a nested one (`["triggers", "cron"]`), and returns the whole file. Comments and the order of
 * fields survive; a group that becomes empty is removed. Undefined if the front matter cannot be read.
 */
export function withFrontField(
  text: string,
  path: readonly [string, ...string[]],
  value: FrontValue,
): string | undefined {
  const file = contractFile(text);
  if (!file || !frontFields(file)) return undefined;
  const { start, end } = file.front;
  const document = parseDocument(text.slice(start, end), { version: "1.2" });
  const [group, ...rest] = path;
  if (value === undefined) {
    document.deleteIn(path);
    const left: unknown = document.get(group);
    if (rest.length > 0 && isMap(left) && left.items.length === 0) document.delete(group);
  } else if (typeof value === "object") document.setIn(path, document.createNode([...value]));
  else document.setIn(path, value);
  const front = document.toString({ lineWidth: 0, flowCollectionPadding: true }).replace(/\n$/, "");
  return text.slice(0, start) + front + text.slice(end);
}

/** One field as plain data; undefined if it is missing or the front matter cannot be read. */
export function frontField(text: string, path: readonly string[]): unknown {
  const file = contractFile(text);
  let value: unknown = file && frontFields(file);
  for (const name of path)
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return value;
}
