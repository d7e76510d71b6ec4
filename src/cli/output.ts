import { type Failure, type FailureCode, failureTable } from "../base/failure.ts";
import type { Language, Text } from "../base/text.ts";
import type { Progress } from "./command.ts";
import { printable } from "./printable.ts";
import type { Style } from "./style.ts";

/** Where a command's words go. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Whether stderr is a terminal that a person looks at. */
  readonly interactive: boolean;
  /** Whether stdout is one: colours go nowhere else. */
  readonly colours?: boolean;
  readonly columns: number;
}

/** One line what, one line what to do. Never a stack, unless it was asked for. */
export function failureLines(failure: Failure, language: Language, style: Style, debug: boolean): string {
  // Other programs, quoted in ours, like to add a paragraph of advice. Ours is the hint.
  const [what] = printable(failure.text[language]).split(/\n\s*\n/);
  const lines = [`${style.red("bloom:")} ${what}`];
  const hint = failure.hint ?? usualHints[failure.code];
  if (hint) lines.push(`${style.dim("→")} ${hint[language]}`);
  if (debug && failure.stack) lines.push(failure.stack, ...causesOf(failure));
  return `${lines.join("\n")}\n`;
}

/** What to do where the failure itself does not say. */
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

/** Progress on stderr: one line that changes on a terminal, now and then a line elsewhere, nothing when quiet. */
export function progressOn(terminal: Terminal, language: Language, quiet: boolean, now: () => number): Progress {
  let last: number | undefined;
  let open = false;
  if (quiet) return { at: () => undefined, end: () => undefined };
  return {
    at(what: Text) {
      const line = what[language];
      if (terminal.interactive) {
        terminal.err(`\r\u001b[2K${line.slice(0, Math.max(10, terminal.columns - 1))}`);
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
