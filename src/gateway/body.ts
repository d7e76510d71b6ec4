import { bodyTooLarge, invalidJson, tooManyBodies } from "./failures.ts";

/** Deeper than any valid request, and safe for functions that recurse over a value. */
const MAX_DEPTH = 60;
/**
 * More than any valid request has. A few megabytes of `[],[],…` are millions of values, and visiting each of them would block the
 * event loop for minutes.
 */
const MAX_VALUES = 50_000;

/** Bytes of bodies that are in memory at the same time. */
export interface BodyBudget {
  /** Throws RATE_LIMITED if the bytes do not fit beside those of other requests; `own` are those of this one. */
  take(bytes: number, own: number): void;
  release(bytes: number): void;
}

export function bodyBudget(limit: number): BodyBudget {
  let held = 0;
  return {
    take(bytes, own) {
      // A body alone always fits: its size has its own limit, which the settings can raise.
      if (held > own && held + bytes > limit) throw tooManyBodies(limit);
      held += bytes;
    },
    release(bytes) {
      held -= bytes;
    },
  };
}

/**
 * Reads the body; throws as soon as it exceeds `limit` bytes. What it takes of the budget is in `taken`, also after a failure: the
 * caller releases it when the request has ended.
 */
export async function bodyBytes(
  request: Request,
  limit: number,
  budget: BodyBudget,
  taken: { bytes: number },
): Promise<Uint8Array> {
  const take = (bytes: number): void => {
    if (taken.bytes + bytes > limit) throw bodyTooLarge(limit);
    budget.take(bytes, taken.bytes);
    taken.bytes += bytes;
  };
  // The declared size is taken at once, so that a body that does not fit is refused before it is sent.
  const declared = Number(request.headers.get("content-length") ?? 0) || 0;
  take(declared);
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body) {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > taken.bytes) take(size - taken.bytes);
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks);
}

/** Parses the body. Throws INVALID_JSON for bad UTF-8 or JSON, too many values, too deep nesting, or a key `__proto__`. */
export function parseBody(bytes: Uint8Array): unknown {
  if (!hasFewValues(bytes))
    throw invalidJson({ en: `more than ${MAX_VALUES} values`, uk: `понад ${MAX_VALUES} значень` });
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidJson({ en: "it is not UTF-8", uk: "це не текст у UTF-8" });
  }
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    throw invalidJson(
      text.trim() === ""
        ? { en: "it is empty", uk: "воно порожнє" }
        : { en: "it does not parse", uk: "воно не читається" },
    );
  }
  checkShape(value);
  return value;
}

/** Counts in the bytes, before anything is allocated: every value but the first of a list or object follows a comma. */
function hasFewValues(bytes: Uint8Array): boolean {
  let values = 1;
  let inText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) inText = !inText;
    else if (inText) at += byte === BACKSLASH ? 1 : 0;
    else if ((byte === COMMA || byte === LIST || byte === GROUP) && ++values > MAX_VALUES) return false;
  }
  return true;
}

const [QUOTE, BACKSLASH, COMMA, LIST, GROUP] = Buffer.from('"\\,[{');

/** Not recursive: the value may be arbitrarily deep. */
function checkShape(value: unknown): void {
  let level: object[] = isObject(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH)
      throw invalidJson({ en: `nested deeper than ${MAX_DEPTH} levels`, uk: `вкладеність понад ${MAX_DEPTH}` });
    const next: object[] = [];
    for (const node of level) {
      // Code that copies such an object key by key would set its prototype.
      if (Object.hasOwn(node, "__proto__")) throw invalidJson({ en: "it has a key __proto__", uk: "ключ __proto__" });
      for (const member of Object.values(node) as unknown[]) if (isObject(member)) next.push(member);
    }
    level = next;
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
