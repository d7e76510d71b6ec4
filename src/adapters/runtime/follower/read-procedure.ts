import type { Language } from "../../../base/text.ts";
import { type FoundProcedure, proceduresIn } from "../../../drakon/text/numbered-procedures.ts";
import type { TextFinding } from "../../../drakon/text/text-finding.ts";
import type { Program } from "../../../drakon/walk/frame.ts";

/** The first procedure in the instructions, with those that it may call. */
export interface FollowerProcedure {
  readonly program: Program;
  readonly name: string;
  readonly language: Language;
  /** The line number of an icon: as shown in the instructions, or else counted from the procedure's first line. */
  readonly lineOf: (icon: string) => number | undefined;
  /** The text of that line. */
  readonly textOf: (icon: string) => string;
  /** Questions whose line asks the opposite of the tree. */
  readonly turned: ReadonlySet<string>;
}

export type FollowerProcedureReading =
  | { readonly kind: "procedure"; readonly procedure: FollowerProcedure }
  | { readonly kind: "none" }
  /** The procedure has an error. */
  | {
      readonly kind: "unreadable";
      readonly language: Language;
      readonly finding: TextFinding;
      readonly line: number;
      readonly text: string;
    };

/** Cache: the same instructions come with every turn. */
const cache = new Map<string, FollowerProcedureReading>();
const MAX_CACHED = 16;

export function readFollowerProcedure(instructions: string): FollowerProcedureReading {
  const known = cache.get(instructions);
  if (known) return known;
  const reading = parseInstructions(instructions);
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value!);
  cache.set(instructions, reading);
  return reading;
}

function parseInstructions(instructions: string): FollowerProcedureReading {
  const found = proceduresIn(instructions);
  const [main] = found;
  if (!main) return { kind: "none" };
  const lines = instructions.split("\n");
  const language = main.language ?? "uk";
  const broken = found.find(({ tree }) => tree === undefined);
  if (broken) {
    const finding = broken.findings.find(({ severity }) => severity === "error")!;
    return { kind: "unreadable", language, finding, line: numberOf(finding.line), text: bare(finding.line) };
  }
  const trees = new Map(found.toReversed().map(({ name, tree }) => [name, tree!]));
  return {
    kind: "procedure",
    procedure: {
      program: { trees, main: main.name },
      name: main.name,
      language,
      lineOf: (icon) => {
        const line = lineIn(icon);
        return line === undefined ? undefined : numberOf(line);
      },
      textOf: (icon) => bare(lineIn(icon) ?? 0),
      turned: new Set(found.flatMap(({ turned }) => [...turned])),
    },
  };

  function numberOf(line: number): number {
    const shown = NUMBER.exec(lines[line - 1] ?? "")?.[1];
    if (shown !== undefined) return Number(shown);
    const within = found.findLast(({ first }: FoundProcedure) => first <= line);
    return line - (within?.first ?? 1) + 1;
  }

  function bare(line: number): string {
    return (lines[line - 1] ?? "").replace(NUMBER, "").trim();
  }
}

const NUMBER = /^[ \t]*(\d+)[|.:)│][ \t]?/;

/** Icons of a text are named after their lines: `line 7`, `line 7.2`, `line 7 end`. */
const lineIn = (icon: string): number | undefined => {
  const found = /^line (\d+)/.exec(icon)?.[1];
  return found === undefined ? undefined : Number(found);
};
