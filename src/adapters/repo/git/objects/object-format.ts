import { createHash } from "node:crypto";
import type { Oid } from "../../../../domain/git/git-names.ts";
import type { Commit, CommitDraft, FileMode, Signature } from "../../../../ports/repo.ts";
import { objectDamaged, signatureRefused } from "./failures.ts";

/** Git's object formats, both ways. Pure. */
export type ObjectType = "blob" | "tree" | "commit" | "tag";
export const FOLDER_MODE = "40000";
export const EMPTY_TREE: Oid = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * One entry of a tree. `name` holds the bytes of the name, one character each (latin1): git sorts by bytes, and a name need
 * not be UTF-8, so a rewritten tree must keep the bytes.
 */
export interface TreeEntry {
  readonly mode: FileMode | typeof FOLDER_MODE;
  readonly name: string;
  readonly oid: Oid;
}

export const toByteName = (text: string): string => Buffer.from(text).toString("latin1");
export const fromByteName = (name: string): string => Buffer.from(name, "latin1").toString();

export const isFolder = (entry: TreeEntry): boolean => entry.mode === FOLDER_MODE;

/** Git sorts a folder as if its name ended with a slash, which yields the order of whole paths. */
export const sortKey = (entry: Pick<TreeEntry, "name" | "mode">): string =>
  entry.mode === FOLDER_MODE ? `${entry.name}/` : entry.name;

/** A folder of a commit. The map by name is built at the first lookup. */
export class GitTree {
  readonly entries: readonly TreeEntry[];
  #byName: Map<string, TreeEntry> | undefined;

  constructor(entries: readonly TreeEntry[]) {
    this.entries = entries;
  }

  find(name: string): TreeEntry | undefined {
    this.#byName ??= new Map(this.entries.map((entry) => [entry.name, entry]));
    return this.#byName.get(name);
  }
}

export function parseTree(bytes: Buffer): GitTree {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0 || end + 21 > bytes.length) throw objectDamaged("a tree");
    entries.push({
      mode: modeOf(bytes.toString("latin1", at, space)),
      name: bytes.toString("latin1", space + 1, end),
      oid: bytes.toString("hex", end + 1, end + 21),
    });
    at = end + 21;
  }
  return new GitTree(entries);
}

const modes = new Map<string, TreeEntry["mode"]>();

/** One copy of each mode: trees in the cache have hundreds of thousands of entries. */
function modeOf(written: string): TreeEntry["mode"] {
  const known = modes.get(written);
  if (known !== undefined) return known;
  const mode = written.replace(/^0+/, "");
  // Old trees hold group-writable files; git reads them as ordinary ones.
  const read = mode === "100664" ? "100644" : (mode as TreeEntry["mode"]);
  if (modes.size < MOST_MODES) modes.set(written, read);
  return read;
}

/** Git writes five; a damaged tree may hold any. */
const MOST_MODES = 100;

/** Takes entries in any order and sorts them as git does. */
export function formatTree(entries: readonly TreeEntry[]): Buffer {
  const sorted = entries
    .map((entry) => ({ entry, key: sortKey(entry) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const bytes = Buffer.alloc(entries.reduce((sum, { mode, name }) => sum + mode.length + name.length + 22, 0));
  let at = 0;
  for (const { entry } of sorted) {
    at += bytes.write(`${entry.mode} ${entry.name}\0`, at, "latin1");
    at += bytes.write(entry.oid, at, "hex");
  }
  return bytes;
}

export function parseCommit(oid: Oid, bytes: Buffer): Commit {
  const blank = bytes.indexOf("\n\n");
  const head = bytes.toString("latin1", 0, blank < 0 ? bytes.length : blank);
  const headers: [string, string][] = [];
  for (const line of head.split("\n")) {
    const space = line.indexOf(" ");
    // A line that begins with a space continues the header before it: a signature.
    if (space > 0) headers.push([line.slice(0, space), line.slice(space + 1)]);
  }
  const one = (name: string): string => {
    const found = headers.find(([key]) => key === name);
    if (!found) throw objectDamaged(`the commit ${oid}`);
    return found[1];
  };
  // Git reads the tree and the parents at the beginning only. More of them further down would be another history for us than for git.
  const first = headers.findIndex(([key]) => key !== "tree" && key !== "parent");
  if (headers.some(([key], i) => (key === "tree" && i > 0) || (key === "parent" && i > first)))
    throw objectDamaged(`the commit ${oid}`);
  const encoding = headers.find(([key]) => key === "encoding")?.[1];
  const decode = decoderFor(encoding);
  const signed = signedParts(bytes, blank < 0 ? bytes.length : blank);
  return {
    oid,
    tree: one("tree"),
    parents: headers.filter(([key]) => key === "parent").map(([, value]) => value),
    author: parseSignature(decode(Buffer.from(one("author"), "latin1"))),
    committer: parseSignature(decode(Buffer.from(one("committer"), "latin1"))),
    message: blank < 0 ? "" : decode(bytes.subarray(blank + 2)),
    ...(signed && { signed }),
  };
}

export interface CommitHeader {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly author: Signature;
  readonly committer: Signature;
}

export function formatCommit(header: CommitHeader, message: string, sign?: CommitDraft["sign"]): Buffer {
  const lines = [
    `tree ${header.tree}`,
    ...header.parents.map((parent) => `parent ${parent}`),
    `author ${formatSignature(header.author)}`,
    `committer ${formatSignature(header.committer)}`,
  ];
  const bytes = Buffer.from([...lines, "", message].join("\n"));
  const signature = sign?.(bytes).trimEnd().replaceAll("\n", "\n ");
  return signature === undefined ? bytes : Buffer.from([...lines, `gpgsig ${signature}`, "", message].join("\n"));
}

/** The signature of a commit, and the bytes that it covers; undefined for a commit without one, or with several. */
function signedParts(bytes: Buffer, headerEnd: number): Commit["signed"] | undefined {
  const lines = bytes.toString("latin1", 0, headerEnd).split("\n");
  const at = lines.findIndex((line) => line.startsWith("gpgsig "));
  if (at < 0 || lines.some((line, i) => i !== at && /^gpgsig[ -]/.test(line))) return undefined;
  let end = at + 1;
  while (lines[end]?.startsWith(" ")) end++;
  const signature = [lines[at]!.slice("gpgsig ".length), ...lines.slice(at + 1, end).map((line) => line.slice(1))];
  const head = [...lines.slice(0, at), ...lines.slice(end)].join("\n");
  return {
    signature: `${signature.join("\n")}\n`,
    content: Buffer.concat([Buffer.from(head, "latin1"), bytes.subarray(headerEnd)]),
  };
}

/** The header that is hashed and stored in front of an object's bytes. */
export const objectHeader = (type: ObjectType, size: number): Buffer => Buffer.from(`${type} ${size}\0`, "latin1");

export const objectId = (type: ObjectType, bytes: Uint8Array): Oid =>
  createHash("sha1").update(objectHeader(type, bytes.length)).update(bytes).digest("hex");

/** `Name <mail> seconds ±hhmm`. Throws on characters that would end the line or the address early. */
export function formatSignature(by: Signature): string {
  const name = by.name.trim();
  const email = by.email.trim();
  const seconds = Math.floor(by.at / 1000);
  const zone = by.zone ?? 0;
  if (name === "" || /[<>\n\r\0]/.test(name + email) || !(name + email).isWellFormed())
    throw signatureRefused(`${JSON.stringify(by.name)} <${by.email}>`);
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw signatureRefused(`${by.at}`);
  if (!Number.isInteger(zone) || Math.abs(zone) > 14 * 60) throw signatureRefused(`${zone}`);
  const minutes = Math.abs(zone);
  const hhmm = `${String(Math.floor(minutes / 60)).padStart(2, "0")}${String(minutes % 60).padStart(2, "0")}`;
  return `${name} <${email}> ${seconds} ${zone < 0 ? "-" : "+"}${hhmm}`;
}

/** Never throws: old histories hold malformed signatures. */
function parseSignature(line: string): Signature {
  const match = /^(.*?) ?<([^>]*)>(?: (\d+) ([+-])(\d\d)(\d\d))?/.exec(line);
  if (!match) return { name: line, email: "", at: 0, zone: 0 };
  const [, name, email, seconds, sign, hours, minutes] = match;
  const zone = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return { name: name!, email: email!, at: Number(seconds ?? 0) * 1000, zone: sign === "-" && zone > 0 ? -zone : zone };
}

function decoderFor(encoding: string | undefined): (bytes: Buffer) => string {
  if (encoding === undefined) return (bytes) => bytes.toString();
  try {
    const decoder = new TextDecoder(encoding);
    return (bytes) => decoder.decode(bytes);
  } catch {
    return (bytes) => bytes.toString();
  }
}
