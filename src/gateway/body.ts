import { Failure } from "../base/failure.ts";

/** Deeper than anything that we read; shallow enough for every function that recurses over a value. */
const MAX_DEPTH = 60;
/**
 * More than any honest request has: texts are long, lists are not. A few megabytes of `[],[],…` are millions of values, and
 * whatever looks at each of them holds up everybody else for minutes.
 */
const MAX_VALUES = 50_000;

/** The bytes of a body, never more than `limit` of them in memory. */
export async function bodyBytes(request: Request, limit: number): Promise<Uint8Array> {
  const told = request.headers.get("content-length");
  if (told !== null && Number(told) > limit) throw bodyTooLarge(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body) {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > limit) throw bodyTooLarge(limit);
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks);
}

/** The body as JSON, or INVALID_JSON: not UTF-8, not JSON, too many values, nested beyond reason, with keys that are traps. */
export function parseBody(bytes: Uint8Array): unknown {
  if (!hasFewValues(bytes))
    throw notJson({ en: `it holds more than ${MAX_VALUES} values`, uk: `понад ${MAX_VALUES} значень` });
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw notJson({ en: "it is not text in UTF-8", uk: "це не текст у UTF-8" });
  }
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    throw notJson(
      text.trim() === ""
        ? { en: "it is empty", uk: "воно порожнє" }
        : { en: "it does not parse", uk: "воно не читається" },
    );
  }
  checkShape(value);
  return value;
}

/** Counted in the bytes, before anything is made of them: every value but the first of a list or group follows a comma. */
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

/** Without recursion: the value may be as deep as it likes. */
function checkShape(value: unknown): void {
  let level: object[] = isObject(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH)
      throw notJson({ en: `it is nested deeper than ${MAX_DEPTH}`, uk: `вкладеність понад ${MAX_DEPTH}` });
    const next: object[] = [];
    for (const node of level) {
      // An own key of this name would set the prototype of whatever copies it carelessly.
      if (Object.hasOwn(node, "__proto__")) throw notJson({ en: "a key is __proto__", uk: "ключ __proto__" });
      for (const member of Object.values(node) as unknown[]) if (isObject(member)) next.push(member);
    }
    level = next;
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const notJson = (why: { en: string; uk: string }): Failure =>
  new Failure("INVALID_JSON", {
    en: `the body must be JSON: ${why.en}`,
    uk: `тіло запиту має бути JSON: ${why.uk}`,
  });

export const bodyTooLarge = (limit: number): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `a request body may have at most ${limit} bytes here`,
      uk: `тіло запиту тут може мати щонайбільше ${limit} байтів`,
    },
    { details: { limit } },
  );
