import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";

/** Limits of a dump: a whole one is parsed in memory. */
export const MAX_DUMP_BYTES = 64 * 1024 * 1024;
export const MAX_DUMP_RECORDS = 100_000;

/** One pair of the dump, in its order. `value` is parsed; `problem` says why it could not be. */
export interface KvPair {
  readonly key: string;
  /** Position in the dump, from 1: the line of JSON lines. */
  readonly at: number;
  readonly value?: unknown;
  readonly problem?: Text;
}

/**
 * The pairs of a dump: an array of `{key, value}`, an object from key to value, or JSON lines of `{key, value}`. A value is JSON, or
 * JSON as text. Throws INVALID_JSON for a file that is none of these; a broken pair is returned with its problem.
 */
export function readKvDump(bytes: Uint8Array): KvPair[] {
  if (bytes.length > MAX_DUMP_BYTES) throw tooLarge(bytes.length);
  const text = textOf(bytes);
  const pairs = pairsOf(text);
  if (pairs.length > MAX_DUMP_RECORDS) throw tooMany(pairs.length);
  return pairs;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw noDump({ en: "it is not text in UTF-8", uk: "це не текст у UTF-8" });
  }
}

function pairsOf(text: string): KvPair[] {
  const whole = parsed(text);
  if (whole.kind === "value") {
    const { value } = whole;
    if (Array.isArray(value)) return value.map((item: unknown, index) => pairOf(item, index + 1));
    if (typeof value !== "object" || value === null) throw noDump(NO_PAIRS);
    if (isPair(value)) return [pairOf(value, 1)];
    return Object.entries(value).map(([key, inner], index) => valued(key, index + 1, inner));
  }
  const lines = text.split("\n").map((line, index) => ({ line: line.trim(), at: index + 1 }));
  const filled = lines.filter(({ line }) => line !== "");
  const first = parsed(filled[0]?.line ?? "");
  if (first.kind === "broken" || !isPair(first.value)) throw noDump({ en: whole.why, uk: whole.why });
  return filled.map(({ line, at }) => {
    const one = parsed(line);
    return one.kind === "value" ? pairOf(one.value, at) : { key: "", at, problem: BROKEN_PAIR };
  });
}

type Parsed = { readonly kind: "value"; readonly value: unknown } | { readonly kind: "broken"; readonly why: string };

function parsed(text: string): Parsed {
  try {
    return { kind: "value", value: JSON.parse(text) as unknown };
  } catch (error) {
    return { kind: "broken", why: String(error instanceof Error ? error.message : error).slice(0, 200) };
  }
}

/** Own properties only: a dump may hold keys such as `__proto__`. */
const isPair = (value: unknown): value is { key: string; value: unknown } =>
  typeof value === "object" &&
  value !== null &&
  Object.hasOwn(value, "key") &&
  Object.hasOwn(value, "value") &&
  typeof (value as { key: unknown }).key === "string";

const pairOf = (item: unknown, at: number): KvPair =>
  isPair(item) ? valued(item.key, at, item.value) : { key: "", at, problem: BROKEN_PAIR };

function valued(key: string, at: number, value: unknown): KvPair {
  if (typeof value !== "string") return { key, at, value };
  const inner = parsed(value);
  return inner.kind === "value" ? { key, at, value: inner.value } : { key, at, problem: BROKEN_VALUE };
}

const BROKEN_PAIR: Text = { en: "not a pair of key and value", uk: "не пара з ключа і значення" };
const BROKEN_VALUE: Text = { en: "its value is not JSON", uk: "значення — не JSON" };
const NO_PAIRS: Text = { en: "it has no pairs of key and value", uk: "у ньому немає пар із ключа і значення" };

const HINT: Text = {
  en: "A dump is a JSON array of {key, value}, an object from key to value, or one {key, value} per line.",
  uk: "Дамп — масив JSON із {key, value}, об’єкт «ключ → значення» або по одному {key, value} на рядок.",
};

const noDump = (why: Text): Failure =>
  new Failure("INVALID_JSON", {
    en: `the dump cannot be read: ${why.en}`,
    uk: `дамп не прочитати: ${why.uk}`,
    hint: HINT,
  });

const tooLarge = (found: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the dump has ${found} bytes; at most ${MAX_DUMP_BYTES} are read`,
    uk: `у дампі ${found} байтів; читається щонайбільше ${MAX_DUMP_BYTES}`,
    hint: {
      en: "Split it: an import can be repeated with the next part.",
      uk: "Поділіть його: імпорт можна повторити з наступною частиною.",
    },
  });

const tooMany = (found: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the dump has ${found} pairs; at most ${MAX_DUMP_RECORDS} are read`,
    uk: `у дампі ${found} пар; читається щонайбільше ${MAX_DUMP_RECORDS}`,
    hint: {
      en: "Split it: an import can be repeated with the next part.",
      uk: "Поділіть його: імпорт можна повторити з наступною частиною.",
    },
  });
