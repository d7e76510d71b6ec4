import type { Json } from "../../base/canonical.ts";
import { compareUtf8 } from "../../base/order.ts";
import type { Text } from "../../base/text.ts";
import type { Unit } from "./expression.ts";

/** The value of a variable: immutable JSON. */
export type Value = Json;

/**
 * Limits of a value: repeated concatenation could otherwise make one that cannot be serialized. The size counts every scalar and
 * every sixteen characters as one; the depth is below the limit of canonical JSON.
 */
export const MAX_VALUE_SIZE = 1_000_000;
const MAX_VALUE_DEPTH = 400;
const CHARACTERS_PER_UNIT = 16;

interface Extent {
  readonly size: number;
  readonly depth: number;
}

const extents = new WeakMap<object, Extent>();

/** The value is small enough to be stored, compared and journaled. A shared part counts at every occurrence. */
export function isBounded(value: Value): boolean {
  const { size, depth } = extentOf(value);
  return size <= MAX_VALUE_SIZE && depth <= MAX_VALUE_DEPTH;
}

/** Bottom-up with a work list: the depth is not known yet, so recursion could overflow. */
function extentOf(value: Value): Extent {
  const known = scalarExtent(value) ?? extents.get(value as object);
  if (known) return known;
  const work: object[] = [value as object];
  while (work.length > 0) {
    const top = work.at(-1)!;
    const parts = Object.values(top) as Value[];
    const open = parts.filter((part) => scalarExtent(part) === undefined && !extents.has(part as object));
    if (open.length > 0 && work.length <= MAX_VALUE_DEPTH + 1) {
      for (const part of open) work.push(part as object);
      continue;
    }
    work.pop();
    let [size, depth] = [1, open.length > 0 ? MAX_VALUE_DEPTH : 0];
    for (const part of parts) {
      const inner = scalarExtent(part) ?? extents.get(part as object);
      size += inner?.size ?? 0;
      depth = Math.max(depth, inner?.depth ?? 0);
    }
    if (!Array.isArray(top)) for (const key of Object.keys(top)) size += key.length / CHARACTERS_PER_UNIT;
    extents.set(top, { size, depth: depth + 1 });
  }
  return extents.get(value as object)!;
}

/** A list with more items. Its extent follows from the parts, so that appending in a loop does not count every item again. */
export function appended(list: readonly Value[], items: readonly Value[]): readonly Value[] {
  const [before, more] = [extentOf(list), extentOf(items)];
  const result = list.concat(items);
  extents.set(result, { size: before.size + more.size - 1, depth: Math.max(before.depth, more.depth) });
  return result;
}

function scalarExtent(value: Value | undefined): Extent | undefined {
  if (typeof value === "string") return { size: 1 + value.length / CHARACTERS_PER_UNIT, depth: 0 };
  return typeof value === "object" && value !== null ? undefined : { size: 1, depth: 0 };
}

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

export const isRecord = (value: Value): value is { readonly [key: string]: Value | undefined } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An own member of a record, never one of the prototype. */
export const memberOf = (value: Value, name: string): Value | undefined =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The kind of a value, for messages. */
export function kindOf(value: Value): Text {
  if (value === null) return { en: "nothing", uk: "нічого" };
  if (isList(value)) return { en: "a list", uk: "список" };
  switch (typeof value) {
    case "boolean":
      return { en: "true or false", uk: "так чи ні" };
    case "number":
      return { en: "a number", uk: "число" };
    case "string":
      return { en: "a text", uk: "текст" };
    default:
      return { en: "a record", uk: "запис" };
  }
}

/** Deep equality. Texts are compared in NFC. */
export function equal(a: Value, b: Value): boolean {
  if (typeof a === "string" && typeof b === "string") return a === b || a.normalize("NFC") === b.normalize("NFC");
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, index) => equal(item, b[index]!));
  if (isRecord(a) && isRecord(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && equal(a[key] ?? null, b[key] ?? null))
    );
  }
  return a === b;
}

/** Null, a text of white space, or a list or record without members. */
export function isEmpty(value: Value): boolean {
  if (value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  if (isList(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** Milliseconds of `2026-02-14` or `2026-02-14T08:00:00Z`; UTC without a zone. A day that no calendar has is no time. */
function timeOf(text: string): number | undefined {
  if (!TIME.test(text)) return undefined;
  // JavaScript reads 31 February as 3 March.
  const day = text.slice(0, 10);
  const parsed = Date.parse(day);
  if (Number.isNaN(parsed) || new Date(parsed).toISOString().slice(0, 10) !== day) return undefined;
  const at = Date.parse(text.length > 10 && !/(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? `${text}Z` : text);
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Negative, zero or positive; undefined if the two cannot be compared. Texts are compared by code point, or as times if both are
 * times; a time and a number as milliseconds.
 */
export function compareValues(a: Value, b: Value): number | undefined {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [a, b].map((one) => (typeof one === "string" ? timeOf(one) : one));
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof a === "string" && typeof b === "string") return compareUtf8(a.normalize("NFC"), b.normalize("NFC"));
  return undefined;
}

/** The number of words, characters, lines or items in a value; undefined if the unit does not apply. */
export function sizeIn(value: Value, unit: Unit): number | undefined {
  if (value === null) return 0;
  if (unit === "items") return isList(value) ? value.length : isRecord(value) ? Object.keys(value).length : undefined;
  if (typeof value !== "string") return undefined;
  switch (unit) {
    case "words":
      // A word contains a letter or digit; a single dash is not a word.
      return value.split(/\s+/u).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;
    case "characters":
      return [...value.normalize("NFC")].length;
    case "lines":
      return value === "" ? 0 : value.replace(/\r?\n$/, "").split(/\r?\n/).length;
  }
}
