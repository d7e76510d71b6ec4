import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { didYouMean } from "../../base/did-you-mean.ts";
import type { Text } from "../../base/text.ts";
import { NESTED_TOO_DEEPLY, OTHER_VALUE, OTHER_YAML_ERROR, TOO_MANY_ALIASES, yamlErrors } from "./yaml-errors.ts";

/** One problem of a file that a person wrote: the place, the value found, the value expected. */
export interface YamlProblem {
  readonly line: number;
  /** `models.local.url`, `zones[0].folders`; empty for the whole file. */
  readonly field: string;
  readonly found: Text;
  readonly expected: Text;
  /** The name that was probably meant. */
  readonly suggestion?: string;
}

export type CheckedYaml<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "problems"; readonly problems: readonly YamlProblem[] };

/**
 * Descriptions of expected values; a schema's `error` is the key, and every schema needs its row. `oneOf` gives
 * suggestions for misspelt values.
 */
export type Expectations = Readonly<Record<string, Text & { readonly oneOf?: readonly string[] }>>;

const MAX_ALIASES = 50;
const MAX_PROBLEMS = 100;
const MAX_SHOWN = 60;
const KNOWN = "known: ";

/**
 * Parses YAML 1.2 (core schema, unique keys, few aliases) and checks it against a schema: returns the value, or all
 * problems at once in order of lines, in our own words.
 */
export function checkYaml<T>(text: string, schema: z.ZodType<T>, expectations: Expectations): CheckedYaml<T> {
  const parsed = parseYaml(text);
  if (parsed.kind === "parsed") return checkParsed(parsed, schema, expectations);
  const rest = parsed.rest && checkParsed(parsed.rest, schema, expectations);
  return { kind: "problems", problems: mergeProblems(parsed.problems, rest?.kind === "problems" ? rest.problems : []) };
}

/** Adds other problems of a file with duplicate keys, except problems of the duplicate keys themselves. */
export function mergeProblems(twice: readonly YamlProblem[], others: readonly YamlProblem[]): YamlProblem[] {
  const told = new Set(twice.map(({ field }) => field));
  const rest = others.filter(({ field }) => !field.split(/[.[]/).some((part) => told.has(part)));
  return [...twice, ...rest].toSorted((a, b) => a.line - b.line).slice(0, MAX_PROBLEMS);
}

/** Checks a parsed file. */
export function checkParsed<T>(parsed: ParsedYaml, schema: z.ZodType<T>, expectations: Expectations): CheckedYaml<T> {
  const checked = schema.safeParse(parsed.value);
  if (checked.success) return { kind: "value", value: checked.data };
  const problems = checked.error.issues.flatMap((issue) => explain(issue, parsed, expectations));
  return { kind: "problems", problems: problems.toSorted((a, b) => a.line - b.line).slice(0, MAX_PROBLEMS) };
}

/** A strict map. Problems of unknown keys list the known keys. */
export const group = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? KNOWN + Object.keys(shape).join(", ") : "group"),
  });

export interface ParsedYaml {
  readonly kind: "parsed";
  readonly document: Document.Parsed;
  readonly value: unknown;
  /** The line of the value at this path, or of its key, or of the nearest enclosing value. */
  lineOf(path: readonly PropertyKey[]): number;
}

export interface UnreadYaml {
  readonly kind: "problems";
  readonly problems: YamlProblem[];
  /** Set if duplicate keys are the only error: the value, to look for further problems. */
  readonly rest?: ParsedYaml;
}

export function parseYaml(text: string): ParsedYaml | UnreadYaml {
  const lines = new LineCounter();
  let document: Document.Parsed;
  try {
    const options = {
      version: "1.2",
      schema: "core",
      uniqueKeys: true,
      lineCounter: lines,
      logLevel: "error",
    } as const;
    document = parseDocument(text, options);
  } catch {
    // Deeply nested brackets exhaust the parser's stack.
    return { kind: "problems", problems: [whole(1, ...NESTED_TOO_DEEPLY)] };
  }
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  if (document.errors.length > 0) {
    // The parser reports one mistake several times for one line.
    const problems = new Map<string, YamlProblem>();
    for (const error of document.errors) {
      const [found, expected] = yamlErrors[error.code] ?? OTHER_YAML_ERROR;
      const field = error.code === "DUPLICATE_KEY" ? (/^[\w.-]+/.exec(text.slice(error.pos[0]))?.[0] ?? "") : "";
      const problem = { ...whole(lineAt(error.pos[0]), found, expected), field };
      problems.set(`${problem.line} ${found.en}`, problem);
    }
    const onlyTwice = document.errors.every(({ code }) => code === "DUPLICATE_KEY");
    const rest = onlyTwice ? valueOf(document, lineAt) : undefined;
    const told = [...problems.values()].slice(0, MAX_PROBLEMS);
    return { kind: "problems", problems: told, ...(rest && { rest }) };
  }
  return valueOf(document, lineAt) ?? { kind: "problems", problems: [whole(1, ...TOO_MANY_ALIASES)] };
}

function valueOf(document: Document.Parsed, lineAt: (offset: number) => number): ParsedYaml | undefined {
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { kind: "parsed", document, value, lineOf: (path) => lineAt(offsetOf(document, path)) };
  } catch {
    return undefined;
  }
}

/** The problem for people: `garden.yaml:3 nmae: unknown key, did you mean "name"?` */
export function problemText(file: string, problem: YamlProblem): Text {
  const place = `${file}:${problem.line}${problem.field && ` ${problem.field}`}`;
  const meant = problem.suggestion;
  return {
    en: `${place}: ${problem.found.en}; ${meant ? `did you mean "${meant}"?` : `expected ${problem.expected.en}`}`,
    uk: `${place}: ${problem.found.uk}; ${meant ? `можливо, малося на увазі «${meant}»?` : `потрібно: ${problem.expected.uk}`}`,
  };
}

function explain(issue: z.core.$ZodIssue, parsed: ParsedYaml, expectations: Expectations): YamlProblem[] {
  if (issue.code === "unrecognized_keys") {
    const known = issue.message.slice(KNOWN.length).split(", ");
    return issue.keys.map((key) => unknownKey([...issue.path, key], key, parsed, known));
  }
  if (issue.code === "invalid_key")
    return issue.issues.map((inner) => explain({ ...inner, path: issue.path }, parsed, expectations)).flat();
  const value = valueAt(parsed.value, issue.path);
  const row: Expectations[string] = expectations[issue.message] ?? OTHER_VALUE;
  const { oneOf, ...expected } = row;
  const suggestion = oneOf && typeof value === "string" ? didYouMean(value, oneOf) : undefined;
  return [
    {
      line: parsed.lineOf(issue.path),
      field: fieldName(issue.path),
      found: asNumber(parsed.document, issue.path) ?? foundText(value),
      expected,
      ...(suggestion && { suggestion }),
    },
  ];
}

/** `1.10` without quotes is the number 1.1: shows both the source and the number. */
function asNumber(document: Document.Parsed, path: readonly PropertyKey[]): Text | undefined {
  const node: unknown = document.getIn(path, true);
  if (!isScalar(node) || typeof node.value !== "number" || node.source === undefined) return undefined;
  const [written, read] = [node.source, String(node.value)];
  if (written === read) return undefined;
  return {
    en: `found ${written} without quotes, which YAML reads as the number ${read}`,
    uk: `знайдено ${written} без лапок, що YAML читає як число ${read}`,
  };
}

function unknownKey(
  path: readonly PropertyKey[],
  key: string,
  parsed: ParsedYaml,
  known: readonly string[],
): YamlProblem {
  const suggestion = didYouMean(key, known);
  return {
    line: parsed.lineOf(path),
    field: fieldName(path),
    found: { en: "unknown key", uk: "невідомий ключ" },
    expected: { en: `one of ${known.join(", ")}`, uk: `один із: ${known.join(", ")}` },
    ...(suggestion && { suggestion }),
  };
}

function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth >= 0; depth--) {
    const parent: unknown = depth === 0 ? undefined : document.getIn(path.slice(0, depth - 1), true);
    const key = path[depth - 1];
    const pair = isMap(parent) ? parent.items.find((item) => keyText(item.key) === String(key)) : undefined;
    if (isNode(pair?.key) && pair.key.range) return pair.key.range[0];
    const node: unknown = document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

const keyText = (key: unknown): string =>
  String(typeof key === "object" && key !== null && "value" in key ? key.value : key);

const fieldName = (path: readonly PropertyKey[]): string =>
  path.map((part, index) => (typeof part === "number" ? `[${part}]` : `${index ? "." : ""}${String(part)}`)).join("");

/** The value at a path; undefined if the path does not exist. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path)
    at = typeof at === "object" && at !== null ? (at as Record<PropertyKey, unknown>)[part] : undefined;
  return at;
}

const KEYS: Text = { en: "keys", uk: "ключів" };

/** Describes a found value, shortened. `members` names the members of a map. */
export function foundText(value: unknown, members: Text = KEYS): Text {
  if (value === undefined) return { en: "missing", uk: "бракує" };
  if (value === null) return { en: "found nothing", uk: "порожньо" };
  if (Array.isArray(value)) return { en: "found a list", uk: "знайдено список" };
  if (typeof value === "object") return { en: `found a group of ${members.en}`, uk: `знайдено групу ${members.uk}` };
  const text = JSON.stringify(value).replace(/\/\/[^/@\s]*@/g, "//***@"); // a password in an address is not repeated
  const short = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return { en: `found ${short}`, uk: `знайдено ${short}` };
}

const whole = (line: number, found: Text, expected: Text): YamlProblem => ({ line, field: "", found, expected });
