import { type Checked, checkText } from "./check.ts";
import { joinDiagrams, splitDiagrams } from "./diagram/called-diagrams.ts";
import type { Diagram } from "./diagram/diagram.ts";
import type { Finding } from "./finding.ts";
import { calledFrom, checkInsertions } from "./insertions.ts";

/** The places where called diagrams are looked for, after the file itself. */
export interface CalledSources {
  readonly mainFile: string;
  /** The agent's other diagrams (`otherDiagrams`); undefined in history, where only the file itself counts. */
  readonly others: readonly { readonly file: string; readonly text: string }[] | undefined;
}

export interface CalledLogic {
  /** The file with exactly the diagrams that it calls, directly or not, inside. */
  readonly text: string;
  readonly called: ReadonlyMap<string, Checked>;
  /** Calls of missing diagrams, recursive calls, and the findings in called diagrams, each with its file unless that is the main one. */
  readonly findings: readonly (Finding & { readonly file?: string })[];
}

/**
 * Takes into a diagram file the diagrams that it calls (D-7), so that they are versioned with it: those in the file first,
 * then the others. A diagram that calls nothing stays as it is, byte for byte.
 */
export function withCalledDiagrams(text: string, { mainFile, others }: CalledSources): CalledLogic {
  const { main, called: own } = splitDiagrams(text);
  const known = new Map(others?.map((one) => [one.file, one.text]));
  for (const [file, one] of own) known.set(file, one);
  known.delete(mainFile);
  const { diagram } = checkText(main);
  const checked = new Map([...known].map(([file, one]) => [file, checkText(one)]));
  const named: { readonly file: string; readonly diagram: Diagram }[] = [
    { file: mainFile, diagram },
    ...[...checked].map(([file, one]) => ({ file, diagram: one.diagram })),
  ];
  const reached = calledFrom(mainFile, named);
  const called = new Map(reached.map((file) => [file, checked.get(file)!]));
  const insertions = others ? checkInsertions(named).findings : [];
  return {
    text: joinDiagrams({ main, called: new Map(reached.map((file) => [file, known.get(file)!])) }),
    called,
    findings: [
      ...insertions.flatMap(({ file, ...found }) =>
        file === mainFile ? [found] : called.has(file) ? [{ ...found, file }] : [],
      ),
      ...[...called].flatMap(([file, { findings }]) => findings.map((found) => ({ ...found, file }))),
    ],
  };
}

/** The diagrams that new logic may call: those of the current version, then the agent's files that it does not hold. */
export function otherDiagrams(
  stored: readonly { readonly file: string; readonly text: string }[],
  current: { readonly diagram: string | undefined } | undefined,
  mainFile: string,
): { readonly file: string; readonly text: string }[] {
  return diagramsOfVersion(current?.diagram ?? "", mainFile, stored).filter(({ file }) => file !== mainFile);
}

/** The agent's diagram files as one version of its logic has them: its own ones, and the others as they are. */
export function diagramsOfVersion(
  version: string,
  mainFile: string,
  others: readonly { readonly file: string; readonly text: string }[],
): { readonly file: string; readonly text: string }[] {
  const { main, called } = splitDiagrams(version);
  return [
    { file: mainFile, text: main },
    ...[...called].filter(([file]) => file !== mainFile).map(([file, text]) => ({ file, text })),
    ...others.filter(({ file }) => file !== mainFile && !called.has(file)).map(({ file, text }) => ({ file, text })),
  ];
}
