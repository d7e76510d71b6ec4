import { z } from "zod";
import type { Json } from "../../base/canonical.ts";

type Schema = { readonly [keyword: string]: Json | undefined };

/** Maximum number of comparisons in one check. What is beyond it goes to the server unchecked. */
const MOST_COMPARISONS = 20_000;
const MOST_ISSUES = 5;

/**
 * The server's schema for the model, and a check of the model's arguments that a hostile schema cannot slow down: it executes no
 * regular expression (`pattern`, `format`, `patternProperties`) and follows no reference or alternative, both of which take
 * exponential time. It checks names, types, required members and fixed values; the server may refuse the rest.
 */
export function argumentSchema(schema: Schema): z.ZodType {
  const { $schema: _, $id: __, id: ___, ...shown } = schema;
  const strict: Schema = { additionalProperties: false, ...schema };
  return z
    .unknown()
    .meta({ additionalProperties: false, ...shown })
    .superRefine((value, context) => {
      const check: Check = { left: MOST_COMPARISONS, issues: [] };
      compare(check, [{ schema: strict, value: value as Json, path: [] }]);
      for (const { path, message } of check.issues) context.addIssue({ code: "custom", message, path });
    });
}

type Path = (string | number)[];

interface Check {
  left: number;
  readonly issues: { readonly path: Path; readonly message: string }[];
}

interface Comparison {
  readonly schema: Schema;
  readonly value: Json;
  readonly path: Path;
}

/** Compares in order, without recursion: a schema may be nested as deeply as its server likes. */
function compare(check: Check, waiting: Comparison[]): void {
  for (let next = waiting.pop(); next && check.issues.length < MOST_ISSUES; next = waiting.pop()) {
    if (--check.left <= 0) return;
    const { schema, value, path } = next;
    const message = typeFault(schema, value) ?? valueFault(check, schema, value);
    if (message !== undefined) check.issues.push({ path, message });
    else if (Array.isArray(value)) waiting.push(...itemComparisons(check, schema, value, path));
    else if (isSchema(value)) waiting.push(...memberComparisons(check, schema, value, path));
  }
}

const TYPES: Readonly<Record<string, (value: Json) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  array: (value) => Array.isArray(value),
  object: isSchema,
};

function typeFault({ type, nullable }: Schema, value: Json): string | undefined {
  if (value === null && nullable === true) return undefined;
  const names = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
  // A type that JSON Schema does not have is the server's business.
  const isKnown = names.length > 0 && names.every((name) => Object.hasOwn(TYPES, name));
  if (!isKnown || names.some((name) => TYPES[name]!(value))) return undefined;
  return `expected ${names.join(" or ")}`;
}

/** Only plain values are compared: an object could make every comparison expensive. */
function valueFault(check: Check, schema: Schema, value: Json): string | undefined {
  const listed = Array.isArray(schema["enum"]) ? schema["enum"] : "const" in schema ? [schema["const"]] : undefined;
  if (!listed || (check.left -= listed.length) <= 0 || listed.some((one) => typeof one === "object" && one !== null))
    return undefined;
  if (listed.includes(value)) return undefined;
  const shown = listed.slice(0, 10).map((one) => JSON.stringify(one));
  return `expected ${shown.join(" or ")}`.slice(0, 300).toWellFormed();
}

function itemComparisons(check: Check, { items }: Schema, value: readonly Json[], path: Path): Comparison[] {
  if (!isSchema(items) || (check.left -= value.length) <= 0) return [];
  return value.map((item, index) => ({ schema: items, value: item, path: [...path, index] })).toReversed();
}

function memberComparisons(check: Check, schema: Schema, value: Schema, path: Path): Comparison[] {
  const { required, additionalProperties } = schema;
  const names = Object.keys(value);
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  if ((check.left -= names.length + needed.length) <= 0) return [];
  const properties = isSchema(schema["properties"]) ? schema["properties"] : {};
  for (const name of needed)
    if (!Object.hasOwn(value, name)) check.issues.push({ path: [...path, name], message: "is missing" });
  // Members that only an unchecked keyword could allow are allowed.
  const isClosed = additionalProperties === false && !OPENING.some((keyword) => keyword in schema);
  const found: Comparison[] = [];
  for (const name of names) {
    const member = Object.hasOwn(properties, name) ? properties[name]! : additionalProperties;
    if (isSchema(member)) found.push({ schema: member, value: value[name]!, path: [...path, name] });
    else if (isClosed && !Object.hasOwn(properties, name))
      check.issues.push({ path: [...path, name], message: "is not an argument of this tool" });
  }
  return found.toReversed();
}

const OPENING = ["patternProperties", "anyOf", "oneOf", "allOf", "if", "$ref", "$dynamicRef", "dependentSchemas"];

function isSchema(value: Json | undefined): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
