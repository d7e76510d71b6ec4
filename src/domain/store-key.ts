import { Failure } from "../base/failure.ts";

/**
 * Keys of the store. A key is a path of segments joined by `/`, and on disk it is exactly that path, so that files
 * and bucket objects have the same names.
 *
 * Keys that the program writes are lower case and avoid everything that some file system confuses or refuses: `a/B`
 * and `a/b` cannot be two objects in a bucket and one file on a Mac. Any other text becomes a segment by
 * `keySegment`, reversibly. Reading accepts more (`isReadableKey`), because people put files into `sources/` by hand.
 */
export type StoreKey = string;

export const MAX_KEY_BYTES = 900; // S3 allows 1,024
export const MAX_SEGMENT_BYTES = 200; // file systems allow 255, and a temporary name needs some of them

const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/;
/** Controls, separators, characters that Windows forbids, and invisible characters. */
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f/\\<>:"|?*\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]/u;

/** The reason why this is not a key that the program may write; undefined if it is valid. */
export function keyProblem(key: string): string | undefined {
  if (key.length <= MAX_SEGMENT_BYTES && PLAIN_WRITABLE.test(key)) return undefined;
  if (isLonger(key, MAX_KEY_BYTES)) return `longer than ${MAX_KEY_BYTES} bytes`;
  for (const segment of key.split("/")) {
    const problem = segmentProblem(segment);
    if (problem) return problem;
  }
  return undefined;
}

/** Checks a key and returns it; throws VALIDATION_FAILED. Every write to a store calls this. */
export function storeKey(key: string): StoreKey {
  const problem = keyProblem(key);
  if (problem) throw keyRefused(key, problem);
  return key;
}

/** True if `get` and `list` may access it: stays inside the store, nothing hidden, composed text. */
export function isReadableKey(key: string): boolean {
  if (key.length <= MAX_KEY_BYTES && PLAIN_KEY.test(key)) return true;
  if (Buffer.byteLength(key) > MAX_KEY_BYTES || !key.isWellFormed() || key !== key.normalize("NFC")) return false;
  return key.split("/").every((segment) => segment !== "" && !segment.startsWith(".") && !/[\0\\]/.test(segment));
}

export const keyRefused = (key: string, problem: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `not a store key: ${JSON.stringify(key)} (${problem})`,
    uk: `не ключ сховища: ${JSON.stringify(key)} (${problem})`,
    details: { key, problem },
  });

/**
 * Any text as one legal segment, reversibly: characters that a segment may not hold become `%` and their UTF-8 bytes in
 * hex, upper-case letters become `^` and the lower-case letter.
 */
export function keySegment(text: string): string {
  if (text === "" || !text.isWellFormed()) throw keyRefused(text, "empty, or half of a surrogate pair");
  let segment = "";
  for (const char of text.normalize("NFC")) {
    const lower = char.toLowerCase();
    if (char === "%" || char === "^" || FORBIDDEN.test(char) || !foldsToItself(lower)) segment += escaped(char);
    else if (char === lower) segment += char;
    else segment += lower.toUpperCase() === char ? `^${lower}` : escaped(char);
  }
  if (segment.startsWith(".")) segment = `%2e${segment.slice(1)}`;
  if (/[. ]$/.test(segment)) segment = segment.slice(0, -1) + escaped(segment.at(-1)!);
  if (segment.startsWith(" ")) segment = `%20${segment.slice(1)}`;
  if (RESERVED.test(segment)) segment = escaped(segment[0]!) + segment.slice(1);
  const problem = segmentProblem(segment);
  if (problem) throw keyRefused(text, problem);
  return segment;
}

const utf8 = new TextEncoder();

/** True if a text has more bytes than this. Without `Buffer`, because the browser checks names too. */
const isLonger = (text: string, bytes: number): boolean => text.length * 3 > bytes && utf8.encode(text).length > bytes;

/** True if a character is unchanged by case folding: ß and ı, among others, are not. */
const foldsToItself = (char: string): boolean =>
  char === char.toLowerCase() && char === char.toUpperCase().toLowerCase() && char === char.normalize("NFC");

const escaped = (char: string): string =>
  [...Buffer.from(char)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** Fast path: most keys match. */
const PLAIN_KEY = /^[a-z0-9_%^-][a-z0-9_.%^-]*(?:\/[a-z0-9_%^-][a-z0-9_.%^-]*)*$/;

/** Fast path: most keys match. Each part is plain, does not end with a dot, and is no name of a device. */
const PLAIN_WRITABLE =
  /^(?!.*(?:^|\/)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:[./]|$))[a-z0-9_%^-](?:[a-z0-9_.%^-]*[a-z0-9_%^-])?(?:\/[a-z0-9_%^-](?:[a-z0-9_.%^-]*[a-z0-9_%^-])?)*$/;

/** Fast path: most segments match. */
const PLAIN = /^[a-z0-9_%^-][a-z0-9_.%^-]*$/;

function segmentProblem(segment: string): string | undefined {
  if (PLAIN.test(segment) && segment.length <= MAX_SEGMENT_BYTES && !segment.endsWith(".") && !RESERVED.test(segment))
    return undefined;
  if (segment === "") return "an empty part";
  if (segment.startsWith(".")) return "a part that begins with a dot";
  if (/[. ]$/.test(segment) || segment.startsWith(" ")) return "a part with a space or dot at its edge";
  if (!segment.isWellFormed()) return "half of a surrogate pair";
  if (FORBIDDEN.test(segment)) return "a character that file systems cannot hold";
  if (segment !== segment.normalize("NFC")) return "text that is not in composed form (NFC)";
  if (!Array.from(segment).every(foldsToItself))
    return "an upper-case letter, or one that some systems take for another";
  if (RESERVED.test(segment)) return "a name that Windows keeps for a device";
  if (isLonger(segment, MAX_SEGMENT_BYTES)) return `a part longer than ${MAX_SEGMENT_BYTES} bytes`;
  return undefined;
}
