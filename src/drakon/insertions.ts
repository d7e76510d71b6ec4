import type { Diagram } from "./diagram/diagram.ts";
import { readInsertion } from "./expression/read-step.ts";
import { type Finding, finding } from "./finding.ts";
import type { IconId } from "./icon-id.ts";
import { surveyDiagram } from "./structure/survey.ts";

/** A diagram of an agent and its file name. */
export interface NamedDiagram {
  readonly file: string;
  readonly diagram: Diagram;
}

/** One insertion icon: the calling file, the icon and the called file. */
interface Call {
  readonly from: string;
  readonly icon: IconId;
  readonly text: string;
  /** Undefined if no diagram has that name. */
  readonly to: string | undefined;
}

interface Insertions {
  readonly calls: readonly Call[];
  /** `E-INSERTION` for calls of missing diagrams and for recursive calls, with the names on the cycle (D-7). */
  readonly findings: readonly (Finding & { readonly file: string })[];
}

/** The call graph of one agent's diagrams. Unreachable insertion icons are ignored. */
export function checkInsertions(diagrams: readonly NamedDiagram[]): Insertions {
  const find = finder(diagrams);
  const calls = diagrams.flatMap(({ file, diagram }) =>
    [...surveyDiagram(diagram).reached.keys()].flatMap((id): Call[] => {
      const icon = diagram.icons.get(id)!;
      return icon.type === "insertion" ? [{ from: file, icon: id, text: icon.text, to: find(icon.text) }] : [];
    }),
  );
  const callees = new Map<string, Set<string>>();
  for (const { from, to } of calls) {
    if (to === undefined) continue;
    const known = callees.get(from);
    if (known) known.add(to);
    else callees.set(from, new Set([to]));
  }
  const findings = calls.flatMap(({ from, icon, text, to }) => {
    const cycle =
      to === undefined
        ? [fileDiagramName(from), calledName(text) || "–"]
        : callCycle(callees, from, to)?.map(fileDiagramName);
    return cycle
      ? [{ file: from, ...finding("E-INSERTION", { icon, iconText: text, detail: cycle.join(" → ") }) }]
      : [];
  });
  return { calls, findings };
}

/** The files that a diagram calls, directly or not, in order of name; without its own. */
export function calledFrom(main: string, diagrams: readonly NamedDiagram[]): string[] {
  const { calls } = checkInsertions(diagrams);
  const files = new Set([main]);
  for (const file of files) for (const { from, to } of calls) if (from === file && to !== undefined) files.add(to);
  files.delete(main);
  return [...files].toSorted();
}

/** `agents/x/Перевірка.drakon.json` → `Перевірка`. */
export const fileDiagramName = (file: string): string =>
  file.replace(/^.*[/\\]/, "").replace(/\.drakon(\.json)?$/i, "");

/** `Перевірка тегів(нотатка)` and `теги ← Перевірка тегів(нотатка)` → `Перевірка тегів`. */
function calledName(text: string): string {
  const { target, diagram } = readInsertion(text);
  return target === undefined ? text.replace(/\(.*$/s, "").trim() : diagram;
}

/** Matches by file name, then by the diagram's own name, then by both with case and Unicode composition ignored. */
function finder(diagrams: readonly NamedDiagram[]): (text: string) => string | undefined {
  const folded = (name: string): string => name.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
  const namings: ((one: NamedDiagram) => string)[] = [
    ({ file }) => fileDiagramName(file),
    ({ diagram }) => diagram.name,
  ];
  const index = (fold: (name: string) => string): Map<string, string> => {
    const found = new Map<string, string>();
    for (const naming of namings) {
      for (const one of diagrams) {
        const name = fold(naming(one));
        if (name !== "" && !found.has(name)) found.set(name, one.file);
      }
    }
    return found;
  };
  const [byExactName, byFoldedName] = [index((name) => name), index(folded)];
  return (text) => {
    const whole = text.trim();
    const called = calledName(text);
    return (
      byExactName.get(whole) ??
      byExactName.get(called) ??
      byFoldedName.get(folded(whole)) ??
      byFoldedName.get(folded(called))
    );
  };
}

/** The shortest call cycle through a caller and its callee, with the caller at both ends; undefined if there is none. */
function callCycle(callees: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): string[] | undefined {
  const cameFrom = new Map<string, string>([[to, from]]);
  const queue = [to];
  for (const at of queue) {
    if (at === from) break;
    for (const next of callees.get(at) ?? []) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      queue.push(next);
    }
  }
  if (!cameFrom.has(from)) return undefined;
  const cycle = [from];
  for (let at = cameFrom.get(from)!; at !== from; at = cameFrom.get(at)!) cycle.unshift(at);
  return [from, ...cycle];
}
