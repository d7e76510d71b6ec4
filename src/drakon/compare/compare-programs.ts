import type { Text } from "../../base/text.ts";
import { splitDiagrams } from "../diagram/called-diagrams.ts";
import { readDiagram } from "../diagram/diagram.ts";
import { calledFrom, fileDiagramName } from "../insertions.ts";
import { compareDiagrams, type DiagramComparison } from "./compare.ts";
import type { RiskLevel } from "./fact.ts";

/** Two versions of a diagram that a main diagram calls. */
export interface CalledComparison {
  readonly file: string;
  /** `recorded`: the version before called it too, but did not hold it (it is older than that). */
  readonly change: "added" | "removed" | "changed" | "recorded";
  /** Against an empty diagram if there is only one side. */
  readonly comparison: DiagramComparison;
  readonly summary: Text;
}

export interface ProgramComparison {
  readonly main: DiagramComparison;
  /** Those that differ, in order of file names. */
  readonly called: readonly CalledComparison[];
  readonly riskLevel: RiskLevel;
  /** Sentences of the facts with that risk; those of called diagrams name their diagram. */
  readonly reasons: readonly Text[];
}

/** Compares two diagram files with the diagrams that they call. A change of a called diagram is a change of the whole (D-8a). */
export function comparePrograms(before: string, after: string): ProgramComparison {
  const [old, now] = [splitDiagrams(before), splitDiagrams(after)];
  const main = compareDiagrams(readDiagram(old.main).diagram, readDiagram(now.main).diagram);
  const files = [...new Set([...old.called.keys(), ...now.called.keys()])].toSorted();
  const known = old.called.size > 0 ? [] : calledBefore(old.main, now.called);
  const called = files.flatMap((file): CalledComparison[] => {
    const [was, is] = [old.called.get(file), now.called.get(file)];
    if (was?.trim() === is?.trim()) return [];
    if (was === undefined && known.includes(file)) return [recorded(file, is!)];
    const comparison = compareDiagrams(readDiagram(was ?? EMPTY).diagram, readDiagram(is ?? EMPTY).diagram);
    const change = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    return [{ file, change, comparison, summary: inDiagram(file, comparison.summary) }];
  });
  const levels = [main.riskLevel, ...called.map(({ comparison }) => comparison.riskLevel)];
  const riskLevel = RISKS.find((level) => levels.includes(level)) ?? "low";
  return {
    main,
    called,
    riskLevel,
    reasons: [
      ...(main.riskLevel === riskLevel ? main.reasons : []),
      ...called.flatMap(({ file, comparison }) =>
        comparison.riskLevel === riskLevel ? comparison.reasons.map((reason) => inDiagram(file, reason)) : [],
      ),
    ],
  };
}

const RISKS = ["high", "medium", "low"] as const;

/** A diagram without icons between its ends. */
const EMPTY = '{"type":"drakon","items":{"1":{"type":"end"},"2":{"type":"branch","branchId":0,"one":"1"}}}';

/** The called diagrams that an old version, which holds none, called already. */
function calledBefore(main: string, called: ReadonlyMap<string, string>): readonly string[] {
  const diagrams = [...called].map(([file, text]) => ({ file, diagram: readDiagram(text).diagram }));
  return calledFrom("", [{ file: "", diagram: readDiagram(main).diagram }, ...diagrams]);
}

function recorded(file: string, text: string): CalledComparison {
  const { diagram } = readDiagram(text);
  return {
    file,
    change: "recorded",
    comparison: compareDiagrams(diagram, diagram),
    summary: inDiagram(file, NOW_HELD),
  };
}

const NOW_HELD: Text = { en: "versioned with the logic from now on", uk: "відтепер у версіях разом із логікою" };

const inDiagram = (file: string, { en, uk }: Text): Text => ({
  en: `in “${fileDiagramName(file)}”: ${en}`,
  uk: `у «${fileDiagramName(file)}»: ${uk}`,
});
