import { createHash, hash } from "node:crypto";
import { Failure } from "./failure.ts";

/**
 * Canonical JSON: RFC 8785 over text in Unicode's composed form (NFC). Same content, same bytes, whatever the order
 * of keys or the encoding of «й» and «ї» in the input. Its id is the git blob id, which `git hash-object --stdin` can check.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** True for pure JSON values of any depth: finite numbers only, plain objects, no holes in arrays. Does not recurse. */
export function isJson(value: unknown): value is Json {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const node = open.pop();
    if (node === null || typeof node === "string" || typeof node === "boolean") continue;
    if (typeof node === "number" ? !Number.isFinite(node) : typeof node !== "object") return false;
    if (typeof node !== "object") continue;
    if (Array.isArray(node)) {
      for (let i = 0; i < node.length; i++) open.push(node[i]); // a hole reads as undefined, which is not JSON
      continue;
    }
    const prototype = Object.getPrototypeOf(node);
    if (prototype !== Object.prototype && prototype !== null) return false;
    for (const key of Object.keys(node)) open.push((node as Record<string, unknown>)[key]);
  }
  return true;
}

const MAX_DEPTH = 500;

/** The canonical text. Members that are `undefined` are omitted; throws VALIDATION_FAILED for anything that is not JSON. */
export const canonicalJson = (value: unknown): string => writeFast(value, 0) ?? writeOrRefuse(value);

/**
 * The same without the path of each value, which only a refusal needs. Undefined for values that are refused, and for members whose names
 * are not plain ASCII.
 */
function writeFast(node: unknown, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (typeof node === "string") return node.isWellFormed() ? JSON.stringify(node.normalize("NFC")) : undefined;
  if (node === null || typeof node === "boolean") return String(node);
  if (typeof node === "number") return Number.isFinite(node) ? JSON.stringify(node === 0 ? 0 : node) : undefined;
  if (typeof node !== "object") return undefined;
  let text = "";
  if (Array.isArray(node)) {
    for (let i = 0; i < node.length; i++) {
      const item = writeFast(node[i], depth + 1);
      if (item === undefined) return undefined;
      text += i === 0 ? item : `,${item}`;
    }
    return `[${text}]`;
  }
  const prototype = Object.getPrototypeOf(node);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  for (const name of Object.keys(node).toSorted()) {
    const member = (node as Record<string, unknown>)[name];
    if (member === undefined) continue;
    const written = PLAIN_NAME.test(name) ? writeFast(member, depth + 1) : undefined;
    if (written === undefined) return undefined;
    text += text === "" ? `"${name}":${written}` : `,"${name}":${written}`;
  }
  return `{${text}}`;
}

/** Names that are the same in JSON and in composed form. */
const PLAIN_NAME = /^[\w -]*$/;

function writeOrRefuse(value: unknown): string {
  const write = (node: unknown, path: string, depth: number): string => {
    if (depth > MAX_DEPTH)
      throw refused(path.slice(0, 80), `nested deeper than ${MAX_DEPTH}`, `вкладеність понад ${MAX_DEPTH}`);
    if (node === null || typeof node === "boolean") return String(node);
    if (typeof node === "string") return writeText(node, path);
    if (typeof node === "number") {
      if (!Number.isFinite(node)) throw refused(path, `the number ${node}`, `число ${node}`);
      return JSON.stringify(node === 0 ? 0 : node);
    }
    if (Array.isArray(node)) {
      const items: string[] = [];
      for (let i = 0; i < node.length; i++) items.push(write(node[i], `${path}[${i}]`, depth + 1));
      return `[${items.join(",")}]`;
    }
    if (typeof node !== "object") throw refused(path, `a value of type ${typeof node}`, `значення типу ${typeof node}`);
    const prototype = Object.getPrototypeOf(node);
    if (prototype !== Object.prototype && prototype !== null)
      throw refused(path, "an object that is not plain data", "об'єкт, який не є простими даними");
    const members: [string, string][] = [];
    for (const [key, member] of Object.entries(node)) {
      if (member !== undefined) members.push([key.normalize("NFC"), write(member, `${path}.${key}`, depth + 1)]);
    }
    members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)); // UTF-16 order, as RFC 8785 asks
    for (let i = 1; i < members.length; i++) {
      if (members[i - 1]![0] === members[i]![0])
        throw refused(path, "two keys that are one in composed form", "два ключі, однакові у складеній формі");
    }
    return `{${members.map(([key, text]) => `${writeText(key, path)}:${text}`).join(",")}}`;
  };
  return write(value, "$", 0);
}

/** The id of a value: the git blob id of its canonical bytes. */
export const canonicalId = (value: unknown): string => blobId(Buffer.from(canonicalJson(value)));

const AT_ONCE = 16 * 1024;

/** The name that git gives to these bytes as a blob (40 hex digits). */
export function blobId(bytes: Uint8Array): string {
  const head = `blob ${bytes.length}\0`;
  if (bytes.length > AT_ONCE) return createHash("sha1").update(head).update(bytes).digest("hex");
  const whole = Buffer.allocUnsafe(head.length + bytes.length); // copying a small buffer is cheaper than two more calls
  whole.write(head, "latin1");
  whole.set(bytes, head.length);
  return hash("sha1", whole);
}

function writeText(text: string, path: string): string {
  if (!text.isWellFormed()) throw refused(path, "half of a surrogate pair", "половина сурогатної пари");
  return JSON.stringify(text.normalize("NFC"));
}

const refused = (path: string, en: string, uk: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `canonical JSON cannot hold ${en} (at ${path})`,
    uk: `канонічний JSON не може містити: ${uk} (у ${path})`,
  });
