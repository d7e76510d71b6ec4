/**
 * The argument with which a model that carries out a whole procedure reports, on each call, the numbered lines it
 * passed since the last call and its answers to their questions (R-1a). A claim: it is checked to be a path,
 * recorded, and removed before the tool is called.
 */
export const PASSED = "passed_lines";

export interface PassedLine {
  readonly line: number;
  /** As the model wrote it. `yes` and `no` in either language are equivalent. */
  readonly answer?: string;
}

export const MOST_PASSED = 1000;

/** Accepts `7`, `"7"`, `"9 так"`, `"9: no"`; skips anything else. */
export function readPassed(claim: unknown): PassedLine[] {
  if (!Array.isArray(claim)) return [];
  return claim.slice(0, MOST_PASSED).flatMap((entry: unknown): PassedLine[] => {
    if (typeof entry !== "number" && typeof entry !== "string") return [];
    const found = /^\D{0,10}(\d{1,7})(?:\s*[:.)|=–-]+\s*|\s+)?(.*)$/su.exec(String(entry).trim());
    if (!found) return [];
    const answer = found[2]!.trim();
    return [{ line: Number(found[1]), ...(answer !== "" && { answer }) }];
  });
}

export const writePassed = ({ line, answer }: PassedLine): string =>
  answer === undefined ? `${line}` : `${line} ${answer}`;

const YES = new Set(["yes", "так", "true", "y", "т", "істина", "+"]);
const NO = new Set(["no", "ні", "false", "n", "н", "хиба", "-"]);

/** Undefined if it is neither: the answer to a select, or a whole sentence. */
export function yesOrNo(answer: string | undefined): boolean | undefined {
  const word = answer?.trim().toLowerCase().replace(/[.!]$/, "") ?? "";
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}
