import { parsePatch, type StructuredPatch } from "diff";
import type { Text } from "../../base/text.ts";
import { differentFileEnd, differentLine, malformedDiffLine, NO_NEWLINE, noSuchDiffLine } from "./failures.ts";

/**
 * Applies a unified diff strictly: each hunk at the line that it names, each context line unchanged. No fuzzy
 * matching: a hunk that fits somewhere else is not the change that its author wrote.
 */
export type PatchResult =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "refused";
      /** The header of the hunk, `@@ -3,6 +3,9 @@`; undefined if the problem concerns the whole diff. */
      readonly hunk: string | undefined;
      /** Never quotes the text: the author of the diff may not be allowed to read it. */
      readonly why: Text;
    };

export function applyStrictly(base: string, diff: string): PatchResult {
  let patches: StructuredPatch[];
  try {
    patches = parsePatch(diff);
  } catch (error) {
    const at = /line (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    return whole({
      en: `not a unified diff${at ? ` (line ${at})` : ""}: the numbers of lines in a hunk's head must fit the hunk`,
      uk: `не уніфікований diff${at ? ` (рядок ${at})` : ""}: числа рядків у заголовку фрагмента мають відповідати йому`,
    });
  }
  const [patch, ...more] = patches;
  if (more.length > 0)
    return whole({ en: "a diff of several files, expected one", uk: "diff кількох файлів, потрібен одного" });
  if (!patch || patch.hunks.length === 0)
    return whole({ en: "a diff without a hunk (`@@ … @@`)", uk: "diff без жодного фрагмента (`@@ … @@`)" });
  return applyHunks(base, patch.hunks);
}

type Hunk = StructuredPatch["hunks"][number];

function applyHunks(base: string, hunks: readonly Hunk[]): PatchResult {
  // The last element is the text after the last line break: "" if the text ends with one.
  const lines = base.split("\n");
  const out: string[] = [];
  let taken = 0;
  let endsWithBreak = lines.at(-1) === "";
  const count = endsWithBreak ? lines.length - 1 : lines.length;
  for (const hunk of hunks) {
    // A hunk that only adds lines names the line before it; the parser has already added one.
    const start = hunk.oldStart - 1;
    if (start < taken || start > count) return refused(hunk, noSuchDiffLine(start + 1, count));
    for (; taken < start; taken++) out.push(lines[taken]!); // a note may have more lines than a call can have arguments
    for (const [index, line] of hunk.lines.entries()) {
      const mark = line[0];
      const unbroken = hunk.lines[index + 1] === NO_NEWLINE;
      if (line === NO_NEWLINE) continue;
      if (mark !== " " && mark !== "-" && mark !== "+" && line !== "") return refused(hunk, malformedDiffLine(line));
      const text = line.slice(1);
      if (mark === "+") {
        out.push(text);
        if (unbroken) endsWithBreak = false;
        continue;
      }
      if (taken >= count || lines[taken] !== text)
        return refused(hunk, differentLine(taken + 1, text, lines[taken], count));
      const last = taken === count - 1 && lines.at(-1) !== "";
      if (unbroken !== last) return refused(hunk, differentFileEnd(last));
      taken++;
      if (mark !== "-") out.push(text);
      // The last line is removed, or gets a line break.
      else if (unbroken) endsWithBreak = true;
    }
  }
  for (; taken < count; taken++) out.push(lines[taken]!);
  return { kind: "text", text: out.length === 0 ? "" : out.join("\n") + (endsWithBreak ? "\n" : "") };
}

const head = ({ oldStart, oldLines, newStart, newLines }: Hunk): string =>
  `@@ -${oldLines === 0 ? oldStart - 1 : oldStart},${oldLines} +${newLines === 0 ? newStart - 1 : newStart},${newLines} @@`;
const refused = (hunk: Hunk, why: Text): PatchResult => ({ kind: "refused", hunk: head(hunk), why });
const whole = (why: Text): PatchResult => ({ kind: "refused", hunk: undefined, why });
