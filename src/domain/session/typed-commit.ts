import { canonicalJson, type Json } from "../../base/canonical.ts";
import { type Trailer, trailersOf } from "../git/trailers.ts";
import { fieldsTooLarge, notACommitKind, reservedField, subjectRefused } from "./failures.ts";
import { builtInKinds, isCommitKind, isKindName, type KindRegistry } from "./kinds.ts";

/**
 * S-3: a typed commit is an ordinary commit whose last paragraph is a block of trailers. Commit headers would be lost by rebase and
 * cherry-pick; trailers are not.
 */
export interface TypedCommit {
  readonly kind: string;
  /** One line, without the kind. */
  readonly message: string;
  readonly body: string;
  readonly fields: CommitFields;
}

/** Open fields. Well-known names (`lifted`) that hold one line of text have a trailer of their own, all others share one. */
export type CommitFields = { readonly [name: string]: Json | undefined };

const KIND = "Agentic-Kind";
const FIELDS = "Agentic-Fields";
const CHANGE_ID = "Change-Id";

/** Field → trailer: `git log --grep` finds these. */
const lifted: Readonly<Record<string, string>> = {
  agent: "Agentic-Agent",
  briefing: "Agentic-Briefing",
  behaviour: "Agentic-Behaviour",
  parent: "Agentic-Parent",
  merged: "Agentic-Merged",
  owner: "Agentic-Owner",
  changeId: CHANGE_ID,
};
const fieldOf = new Map(Object.entries(lifted).map(([field, trailer]) => [trailer.toLowerCase(), field]));

const RESERVED = new Set(["kind", "type", "message", "body", "tree", "parents"]);
/** Commit messages are read by every `git log`: larger content belongs into a file. */
const MAX_FIELDS_BYTES = 64 * 1024;
/** One line without outer spaces: what a trailer keeps as it is. */
const ONE_LINE = /^[^\s\p{Cc}\p{Zl}\p{Zp}](?:[^\p{Cc}\p{Zl}\p{Zp}]*[^\s\p{Cc}\p{Zl}\p{Zp}])?$/u;

/** The parts of a commit message for `CommitDraft`. Throws VALIDATION_FAILED for a kind that is no kind of commit, and for bad fields. */
export function encodeTypedCommit(
  commit: Omit<TypedCommit, "body"> & { readonly body?: string },
  kinds: KindRegistry = builtInKinds,
): { readonly message: string; readonly trailers: readonly Trailer[] } {
  const { kind, message, body = "", fields } = commit;
  if (!isCommitKind(kinds, kind)) throw notACommitKind(kind);
  if (message.trim() === "" || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(message)) throw subjectRefused();
  const trailers: Trailer[] = [[KIND, kind]];
  const open: [string, Json][] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (RESERVED.has(name)) throw reservedField(name);
    if (value === undefined) continue;
    const trailer = Object.hasOwn(lifted, name) ? lifted[name] : undefined;
    if (trailer !== undefined && typeof value === "string" && isLine(value)) trailers.push([trailer, value]);
    else open.push([name, value]);
  }
  if (open.length > 0) trailers.push([FIELDS, jsonLine(open)]);
  const text = body.replaceAll("\r\n", "\n").trim();
  return { message: `${kind}: ${message.trim()}${text === "" ? "" : `\n\n${text}`}`, trailers: inOrder(trailers) };
}

/** A value that is not in composed form would be changed by a trailer written by hand; JSON composes it once. */
const isLine = (value: string): boolean =>
  value.isWellFormed() && ONE_LINE.test(value) && value === value.normalize("NFC");

function jsonLine(open: readonly (readonly [string, Json])[]): string {
  const line = canonicalJson(Object.fromEntries(open)).replaceAll(/[\u2028\u2029\u0085\u007f]/g, escaped);
  const bytes = Buffer.byteLength(line);
  if (bytes > MAX_FIELDS_BYTES) throw fieldsTooLarge(bytes, MAX_FIELDS_BYTES);
  return line;
}

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Kind first, the lifted fields in the order of the table, the JSON, and the change id last: the order is part of the commit id. */
function inOrder(trailers: readonly Trailer[]): Trailer[] {
  const order = [KIND, ...Object.values(lifted).filter((name) => name !== CHANGE_ID), FIELDS, CHANGE_ID];
  return trailers.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

/**
 * The typed commit in a message; undefined for a person's commit, and for a block that is malformed: a field given twice could
 * spoof another one. Never throws. Kinds are not looked up: a commit of an unknown kind is still a typed one.
 */
export function decodeTypedCommit(message: string): TypedCommit | undefined {
  const block = agenticBlock(message);
  const kind = block?.get(KIND.toLowerCase());
  if (!block || kind === undefined || !isKindName(kind)) return undefined;
  const fields = fieldsIn(block);
  if (!fields) return undefined;
  const paragraphs = message
    .replaceAll("\r\n", "\n")
    .trimEnd()
    .split(/\n\s*\n/);
  const [head = "", ...rest] = paragraphs.slice(0, -1).join("\n\n").split("\n");
  const prefix = `${kind}: `;
  return {
    kind,
    message: head.startsWith(prefix) ? head.slice(prefix.length) : head,
    body: rest.join("\n").trim(),
    fields,
  };
}

/** Our trailers by lower-case name; undefined if one of them occurs twice. */
function agenticBlock(message: string): ReadonlyMap<string, string> | undefined {
  const block = new Map<string, string>();
  for (const [name, value] of trailersOf(message)) {
    const key = name.toLowerCase();
    if (!key.startsWith("agentic-") && key !== CHANGE_ID.toLowerCase()) continue;
    if (block.has(key)) return undefined;
    block.set(key, value);
  }
  return block;
}

function fieldsIn(block: ReadonlyMap<string, string>): CommitFields | undefined {
  const json = block.get(FIELDS.toLowerCase());
  const open = json === undefined ? {} : parsedFields(json);
  if (!open) return undefined;
  const entries = Object.entries(open);
  for (const [key, value] of block) {
    const field = fieldOf.get(key);
    if (field === undefined) continue;
    if (Object.hasOwn(open, field)) return undefined;
    entries.push([field, value]);
  }
  return Object.fromEntries(entries);
}

function parsedFields(json: string): Readonly<Record<string, Json>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
    return isRecord && !Object.keys(value).some((name) => RESERVED.has(name))
      ? (value as Record<string, Json>)
      : undefined;
  } catch {
    return undefined;
  }
}

const SYSTEM = "Agentic-System";

/** Commits of the program's own refs (dossiers, edges, the library): never commits of an agent. */
export type SystemPart = "dossier" | "edge" | "library" | "capabilities" | "peers" | "announcement";

export const encodeSystemCommit = (
  part: SystemPart,
  message: string,
  fields: CommitFields = {},
): { readonly message: string; readonly trailers: readonly Trailer[] } => {
  const open = Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return { message, trailers: [[SYSTEM, part], ...(open.length > 0 ? [[FIELDS, jsonLine(open)] as const] : [])] };
};

/** The fields of a commit of one of the program's own refs; undefined for any other commit. Never throws. */
export function decodeSystemCommit(message: string, part: SystemPart): CommitFields | undefined {
  const block = agenticBlock(message);
  if (block?.get(SYSTEM.toLowerCase()) !== part) return undefined;
  const json = block.get(FIELDS.toLowerCase());
  return json === undefined ? {} : parsedFields(json);
}
