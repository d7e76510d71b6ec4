import { canonicalJson, type Json } from "../../base/canonical.ts";
import { isFailure } from "../../base/failure.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { machine, TRACE_REF } from "../../domain/layout.ts";
import {
  type ConsoleEntry,
  isConsoleTrace,
  linesOfNote,
  MAX_TEXT_LENGTH,
  MAX_TRACE_BYTES,
} from "../../domain/session/console-trace.ts";
import { decodeTypedCommit } from "../../domain/session/typed-commit.ts";
import { redactJson } from "../../domain/text/redact.ts";
import type { SessionGarden } from "./session-garden.ts";
import { sessionHead } from "./topology.ts";

/**
 * S-6: what a session has recorded since its last commit, one line per entry, in a file of this machine that several processes add to.
 * A position is an offset in bytes. The first line names the buffer: positions of a buffer on another machine mean nothing here.
 */

export interface NewTraceEntry {
  readonly kind: string;
  readonly text: string;
  readonly [field: string]: Json | undefined;
}

/** Adds an entry, without its secrets, and returns a position behind it. Throws NOT_FOUND without the session. */
export async function recordTrace(garden: SessionGarden, name: string, entry: NewTraceEntry): Promise<number> {
  await sessionHead(garden.repo, name);
  const { folder, world, secrets } = garden;
  const { text } = entry;
  const isLong = text.length > MAX_TEXT_LENGTH;
  const line = canonicalJson(
    redactJson(
      {
        ...entry,
        at: new Date(world.now()).toISOString(),
        text: (isLong ? text.slice(0, MAX_TEXT_LENGTH) : text).toWellFormed(),
        ...(isLong && { cut: text.length }),
      },
      secrets(),
    ),
  );
  const path = machine.traceBuffer(name);
  try {
    return await folder.append(path, Buffer.from(line));
  } catch (error) {
    if (!isFailure(error, "NOT_FOUND")) throw error;
    const buffer = Buffer.from(world.random(8)).toString("hex");
    await folder.create(path, Buffer.from(`${canonicalJson({ buffer })}\n`), "private"); // of two processes one creates it
    return folder.append(path, Buffer.from(line));
  }
}

export interface PendingTrace {
  /** Undefined if nothing was ever recorded here. */
  readonly buffer: string | undefined;
  /** From and to in bytes. */
  readonly seq: readonly [from: number, to: number];
  readonly entries: readonly ConsoleEntry[];
  /** Entries beyond what one trace can hold. */
  readonly skipped: { readonly entries: number; readonly bytes: number };
}

const NOTHING: PendingTrace = { buffer: undefined, seq: [0, 0], entries: [], skipped: { entries: 0, bytes: 0 } };

/** Everything recorded since the last drain, oldest first. Half a line at the end, of a writer that died, is not part of it. */
export async function pendingTrace(garden: SessionGarden, name: string): Promise<PendingTrace> {
  const head = await sessionHead(garden.repo, name);
  const path = machine.traceBuffer(name);
  if ((await garden.folder.stat(path)).kind !== "file") return NOTHING;
  const first = await firstLine(garden, path);
  if (first === undefined) return NOTHING;
  const from = Math.max(first.bytes, await drainedTo(garden, name, head, first.buffer));
  const entries: ConsoleEntry[] = [];
  const skipped = { entries: 0, bytes: 0 };
  let to = from;
  let kept = 0;
  for await (const line of linesFrom(garden, path, from)) {
    to += line.length + 1;
    const isTooMuch = skipped.entries > 0 || kept + line.length > 2 * MAX_TRACE_BYTES;
    const entry = isTooMuch ? undefined : entryIn(line);
    if (entry) {
      kept += line.length;
      entries.push(entry);
    } else if (isTooMuch) {
      skipped.entries++;
      skipped.bytes += line.length;
    }
  }
  return { buffer: first.buffer, seq: [from, to], entries, skipped };
}

async function firstLine(garden: SessionGarden, path: string): Promise<{ buffer: string; bytes: number } | undefined> {
  for await (const line of linesFrom(garden, path, 0)) {
    const { buffer } = (parsed(line) ?? {}) as { buffer?: unknown };
    return typeof buffer === "string" ? { buffer, bytes: line.length + 1 } : { buffer: "", bytes: 0 };
  }
  return undefined;
}

/** Whole lines from a position on, without their ends. */
async function* linesFrom({ folder }: SessionGarden, path: string, from: number): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of folder.stream(path, from)) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a, start)) {
      yield rest.subarray(start, end);
      start = end + 1;
    }
    rest = rest.subarray(start);
  }
}

function entryIn(line: Buffer): ConsoleEntry | undefined {
  const value = parsed(line) as Partial<ConsoleEntry> | undefined;
  return typeof value?.kind === "string" && typeof value.text === "string" && typeof value.at === "string"
    ? (value as ConsoleEntry)
    : undefined; // half a line that a crash left, before the writer that came next
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}

interface TraceCursor {
  readonly buffer: string;
  readonly offset: number;
  readonly commit: Oid;
}

const MAX_CURSOR_BYTES = 1024;

/** Remembers up to where a buffer is in commits. Losing it costs a walk, never an entry. */
export const writeCursor = ({ folder }: SessionGarden, name: string, cursor: TraceCursor): Promise<void> =>
  folder.write(machine.traceCursor(name), [Buffer.from(canonicalJson({ ...cursor }))], "private");

/**
 * The end of the newest trace of this buffer that is bound to a commit of the session. The cursor says it, except after a crash between the
 * commit and the cursor: so the notes from the head back to the cursor's commit are looked at too.
 */
async function drainedTo(garden: SessionGarden, name: string, head: Oid, buffer: string): Promise<number> {
  const bytes = await garden.folder.read(machine.traceCursor(name), MAX_CURSOR_BYTES);
  const read = bytes && (parsed(Buffer.from(bytes)) as TraceCursor | undefined);
  const cursor = read?.buffer === buffer ? read : undefined;
  const { repo } = garden;
  for (let at: Oid | undefined = head; at !== undefined && at !== cursor?.commit; ) {
    const note = await repo.annotation(TRACE_REF, at);
    const ends =
      note &&
      linesOfNote(note).flatMap((line) =>
        isConsoleTrace(line) && line.agent === name && line.buffer === buffer && line.seq ? [line.seq[1]] : [],
      );
    if (ends && ends.length > 0) return Math.max(cursor?.offset ?? 0, ...ends);
    const commit = await repo.commit(at);
    const typed = decodeTypedCommit(commit.message);
    if (typed?.kind === "spawn" && typed.fields["agent"] === name) break;
    at = commit.parents[0];
  }
  return cursor?.offset ?? 0;
}
