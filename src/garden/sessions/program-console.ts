import { canonicalJson } from "../../base/canonical.ts";
import { LONGEST_INLINE, MAX_TEXT_LENGTH, MAX_TRACE_BYTES } from "../../domain/session/console-trace.ts";
import { redact } from "../../domain/text/redact.ts";
import type { SessionGarden } from "./session-garden.ts";
import { recordTrace } from "./trace-buffer.ts";

/**
 * Bytes of the buffer for one program; what comes after them is counted, not recorded. Less than one trace holds, so that the entries
 * behind the output (what was cut, the exit code) are in the trace too.
 */
const MAX_RECORDED = 2 * MAX_TRACE_BYTES - 256 * 1024;
/** An entry without its text. */
const ENTRY_BYTES = 256;
/** A line that does not end is recorded in parts of this length. */
const LONGEST_LINE = 64 * 1024;
/** Kept back of such a line: a secret that is not complete yet must not be recorded in two halves. */
const HELD_BACK = 4 * 1024;

type Stream = "stdout" | "stderr";

export interface ProgramConsole {
  output(stream: Stream, bytes: Uint8Array): void;
  /** Records what is left. */
  end(): Promise<void>;
}

/**
 * Records what a program prints as entries of the session's trace, in whole lines, so that redaction sees every secret whole. What comes
 * while an entry is being written joins the next one.
 */
export function programConsole(garden: SessionGarden, session: string): ProgramConsole {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const pending = { stdout: "", stderr: "" };
  let room = MAX_RECORDED;
  let left = 0;
  let writing: Promise<void> | undefined;
  let trouble: unknown;

  const record = async (stream: Stream, text: string): Promise<void> => {
    // Redacted before it is split: a secret must not be recorded in two halves.
    const whole = text.length > MAX_TEXT_LENGTH ? redact(text, garden.secrets()) : text;
    for (let at = 0; at < whole.length; at += MAX_TEXT_LENGTH) {
      const part = whole.slice(at, at + MAX_TEXT_LENGTH);
      room -= costOf(part);
      if (room < 0) left += part.length;
      else await recordTrace(garden, session, { kind: stream, text: part });
    }
  };
  const drain = async (): Promise<void> => {
    for (let more = true; more; ) {
      more = false;
      for (const stream of ["stdout", "stderr"] as const) {
        const [ready, rest] = complete(pending[stream], garden.secrets());
        pending[stream] = rest;
        if (ready === "") continue;
        more = true;
        await record(stream, ready);
      }
    }
  };
  return {
    output(stream, bytes) {
      pending[stream] += decoders[stream].decode(bytes, { stream: true });
      writing ??= drain()
        .catch((error: unknown) => {
          trouble = error;
        })
        .finally(() => {
          writing = undefined;
        });
    },
    async end() {
      await writing;
      for (const stream of ["stdout", "stderr"] as const) {
        await drain();
        await record(stream, pending[stream] + decoders[stream].decode());
        pending[stream] = "";
      }
      if (left > 0)
        await recordTrace(garden, session, {
          kind: "cut",
          text: `${left} more characters were not recorded`,
          cut: left,
        });
      if (trouble !== undefined) throw trouble;
    },
  };
}

/** Short texts are stored in the note itself, which holds half of what a trace does. */
const costOf = (text: string): number =>
  (ENTRY_BYTES + Buffer.byteLength(canonicalJson(text.toWellFormed()))) * (text.length <= LONGEST_INLINE ? 2 : 1);

/** The part that can be recorded, and the rest: an unfinished line, or a private key whose end has not come yet. */
function complete(text: string, secrets: readonly string[]): readonly [ready: string, rest: string] {
  const lines = text.lastIndexOf("\n") + 1;
  const key = text.lastIndexOf("-----BEGIN ");
  const isOpenKey = key >= 0 && !text.includes("-----END ", key) && text.length - key < LONGEST_LINE;
  const end = isOpenKey ? Math.min(lines, text.lastIndexOf("\n", key) + 1) : lines;
  if (end > 0 || text.length <= LONGEST_LINE) return [text.slice(0, end), text.slice(end)];
  const clean = redact(text, secrets);
  return clean.length <= HELD_BACK ? ["", clean] : [clean.slice(0, -HELD_BACK), clean.slice(-HELD_BACK)];
}
