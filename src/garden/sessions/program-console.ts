import { redact } from "../../domain/text/redact.ts";
import type { SessionGarden } from "./session-garden.ts";
import { recordTrace } from "./trace-buffer.ts";

/** More than a trace can hold (`MAX_TRACE_BYTES`) would fill the disk and be left out of the note anyway. */
const MAX_RECORDED = 8 * 1024 * 1024;
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
  let recorded = 0;
  let left = 0;
  let writing: Promise<void> | undefined;
  let trouble: unknown;

  const record = async (stream: Stream, text: string): Promise<void> => {
    const room = MAX_RECORDED - recorded;
    if (text.length > room) left += text.length - Math.max(room, 0);
    recorded += text.length;
    if (text !== "" && room > 0) await recordTrace(garden, session, { kind: stream, text: text.slice(0, room) });
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
