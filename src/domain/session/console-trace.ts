import { blobId, canonicalJson, type Json } from "../../base/canonical.ts";
import { traceTextFile } from "../layout.ts";
import { type TypedValue, typedObject } from "./typed-object.ts";

/** S-6: one thing that happened in a session: what was said, called, answered. */
export interface ConsoleEntry {
  /** ISO 8601. */
  readonly at: string;
  readonly kind: string;
  readonly text: string;
  readonly [field: string]: Json | undefined;
}

/** The console of a session between two commits, bound to the second one as a git note. */
export interface ConsoleTrace extends TypedValue {
  readonly type: "console-trace";
  readonly commit: string;
  readonly agent: string;
  readonly changeId?: string;
  /** The buffer that the entries come from, and their place in it in bytes. */
  readonly buffer?: string;
  readonly seq?: readonly [from: number, to: number];
  readonly entries: readonly StoredEntry[];
  /** Entries that did not fit, if any. */
  readonly truncated?: { readonly entries: number; readonly bytes: number };
}

/** As stored: a long text is in a file of its own, named by its blob id. */
export type StoredEntry =
  | ConsoleEntry
  | (Omit<ConsoleEntry, "text"> & { readonly textId: string; readonly bytes: number });

/** Longer texts are stored apart, once for all traces. */
export const LONGEST_INLINE = 1024;
/** The note of a commit stays below this, so that every git host takes it. */
export const MAX_TRACE_BYTES = 4 * 1024 * 1024;
/** Longer texts are cut when they are recorded. */
export const MAX_TEXT_LENGTH = 1024 * 1024;
/** Texts stored apart for one trace. */
const MAX_APART_BYTES = 16 * 1024 * 1024;

export interface TraceDraft extends Pick<ConsoleTrace, "commit" | "agent" | "changeId" | "buffer" | "seq"> {
  readonly entries: readonly ConsoleEntry[];
  /** Entries that the reader of the buffer has skipped already. */
  readonly skipped?: { readonly entries: number; readonly bytes: number };
}

export interface PackedTrace {
  /** Blob id of the note. */
  readonly id: string;
  /** One line of JSON: notes that git concatenates stay readable. */
  readonly bytes: Uint8Array;
  readonly texts: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

/** The trace as it is stored. Entries that do not fit are counted, never stored in part. */
export function packTrace({ entries, skipped, ...head }: TraceDraft): PackedTrace {
  const texts = new Map<string, Uint8Array>();
  const stored: StoredEntry[] = [];
  let size = 1024 + Buffer.byteLength(canonicalJson(head));
  let apart = 0;
  let left = skipped ?? { entries: 0, bytes: 0 };
  let isFull = false;
  for (const entry of entries) {
    const packed = packEntry(entry);
    const bytes = Buffer.byteLength(canonicalJson(packed.entry)) + 1;
    const more = packed.text && !texts.has(packed.text.path) ? packed.text.bytes.length : 0;
    isFull ||= size + bytes > MAX_TRACE_BYTES || apart + more > MAX_APART_BYTES;
    if (isFull) {
      left = { entries: left.entries + 1, bytes: left.bytes + Buffer.byteLength(entry.text) };
      continue;
    }
    size += bytes;
    apart += more;
    stored.push(packed.entry);
    if (packed.text) texts.set(packed.text.path, packed.text.bytes);
  }
  const value = { ...head, type: "console-trace", entries: stored, ...(left.entries > 0 && { truncated: left }) };
  const line = Buffer.concat([typedObject(value as unknown as TypedValue).bytes, Buffer.from("\n")]);
  return { id: blobId(line), bytes: line, texts: [...texts].map(([path, bytes]) => ({ path, bytes })) };
}

function packEntry(entry: ConsoleEntry): {
  readonly entry: StoredEntry;
  readonly text?: { readonly path: string; readonly bytes: Uint8Array };
} {
  const { text, ...rest } = entry;
  if (text.length <= LONGEST_INLINE) return { entry };
  const bytes = Buffer.from(text.normalize("NFC"));
  const textId = blobId(bytes);
  return {
    entry: { ...rest, textId, bytes: bytes.length },
    text: { path: traceTextFile(textId), bytes },
  };
}

/**
 * The lines of a note: console traces, and lines of others (the trace of a run is one record per line). Lines that are no JSON are
 * skipped: people may write notes too. Never throws.
 */
export function linesOfNote(bytes: Uint8Array): readonly (ConsoleTrace | { readonly [name: string]: Json })[] {
  return Buffer.from(bytes)
    .toString()
    .split("\n")
    .flatMap((line) => {
      try {
        const value: unknown = JSON.parse(line);
        return typeof value === "object" && value !== null && !Array.isArray(value) ? [value as ConsoleTrace] : [];
      } catch {
        return [];
      }
    });
}

export const isConsoleTrace = (line: object): line is ConsoleTrace =>
  "type" in line && line.type === "console-trace" && "entries" in line && Array.isArray(line.entries);

/** Two notes of one commit as one: every line once, in order. */
export function joinNotes(notes: readonly Uint8Array[]): Uint8Array {
  const lines = notes.flatMap((note) => Buffer.from(note).toString().split("\n")).filter((line) => line.trim() !== "");
  return Buffer.from([...new Set(lines)].map((line) => `${line}\n`).join(""));
}
