import { type Failure, type FailureCode, failureTable } from "../base/failure.ts";
import type { Language, Text } from "../base/text.ts";
import type { Progress } from "./command.ts";
import { printable } from "./printable.ts";
import type { Style } from "./style.ts";

/** Output streams of a command. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** True if stderr is a terminal. */
  readonly interactive: boolean;
  /** True if stdout is a terminal: colours are used only there. */
  readonly colours?: boolean;
  readonly columns: number;
}

/** The message, then the hint. The stack is printed only with `BLOOM_DEBUG`. */
export function failureLines(failure: Failure, language: Language, style: Style, debug: boolean): string {
  // Quoted messages of other programs may contain a paragraph of advice; our hint replaces it.
  const [what] = printable(failure.text[language]).split(/\n\s*\n/);
  const lines = [`${style.red("bloom:")} ${what}`];
  const hint = failure.hint ?? usualHints[failure.code];
  if (hint) lines.push(`${style.dim("→")} ${hint[language]}`);
  if (debug && failure.stack) lines.push(failure.stack, ...causesOf(failure));
  return `${lines.join("\n")}\n`;
}

/** Hints for failures without one. */
const usualHints: Partial<Record<FailureCode, Text>> = {
  INTERNAL_ERROR: {
    en: "This is a bug in bloom. Please report it with what BLOOM_DEBUG=1 shows.",
    uk: "Це помилка в bloom. Повідомте про неї, додавши те, що показує BLOOM_DEBUG=1.",
  },
  UPSTREAM_UNAVAILABLE: {
    en: "Check that the disk has space and can be written, then try again.",
    uk: "Перевірте, чи є на диску місце і чи можна на нього писати, і повторіть.",
  },
  CONCURRENT_MODIFICATION: { en: "Try again.", uk: "Повторіть." },
};

function causesOf(failure: Failure): string[] {
  const cause = failure.cause;
  return cause instanceof Error ? [`caused by: ${cause.stack ?? cause.message}`] : [];
}

export const failureJson = (failure: Failure, language: Language): string =>
  `${JSON.stringify({
    error: {
      code: failure.code,
      message: failure.text[language],
      ...(failure.hint && { hint: failure.hint[language] }),
      details: failure.details,
    },
    exit: failureTable[failure.code].exit,
  })}\n`;

const SPARSE_MS = 5000;
const USUAL_COLUMNS = 80;

/** Progress on stderr: one changing line on a terminal, a line every few seconds elsewhere, nothing with `--quiet`. */
export function progressOn(terminal: Terminal, language: Language, quiet: boolean, now: () => number): Progress {
  let last: number | undefined;
  let open = false;
  const width = terminal.columns > 0 ? terminal.columns : USUAL_COLUMNS; // some terminals do not tell their size
  if (quiet) return { at: () => undefined, end: () => undefined };
  return {
    at(what: Text) {
      const line = what[language];
      if (terminal.interactive) {
        terminal.err(`\r\u001b[2K${line.slice(0, Math.max(10, width - 1))}`);
        open = true;
        return;
      }
      last ??= now();
      if (now() - last < SPARSE_MS) return;
      last = now();
      terminal.err(`${line}\n`);
    },
    end() {
      if (open) terminal.err("\r\u001b[2K");
      open = false;
    },
  };
}
