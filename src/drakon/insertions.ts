import type { Diagram } from "./diagram/diagram.ts";
import { readInsertion } from "./expression/read-step.ts";
import { type Finding, finding } from "./finding.ts";
import type { IconId } from "./icon-id.ts";
import { surveyDiagram } from "./structure/survey.ts";

/** A diagram of an agent, under the name of its file. */
interface NamedDiagram {
  readonly file: string;
  readonly diagram: Diagram;
}

/** One insertion icon: who calls, at which icon, and whom. */
interface Call {
  readonly from: string;
  readonly icon: IconId;
  readonly text: string;
  /** The file that is called; undefined if no diagram has that name. */
  readonly to: string | undefined;
}

interface Insertions {
  readonly calls: readonly Call[];
  /** `E-INSERTION` for calls of what is missing and for calls that come back to the caller, with both names (D-7). */
  readonly findings: readonly (Finding & { readonly file: string })[];
}

/** Who calls whom among the diagrams of one agent. Only icons that can be reached call anybody. */
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
    const circle =
      to === undefined
        ? [diagramFileName(from), calledName(text) || "–"]
        : wayBack(callees, from, to)?.map(diagramFileName);
    return circle
      ? [{ file: from, ...finding("E-INSERTION", { icon, iconText: text, detail: circle.join(" → ") }) }]
      : [];
  });
  return { calls, findings };
}

/** `agents/x/Перевірка.drakon.json` is called "Перевірка". */
export const diagramFileName = (file: string): string =>
  file.replace(/^.*[/\\]/, "").replace(/\.drakon(\.json)?$/i, "");

/** `Перевірка тегів(нотатка)` calls "Перевірка тегів", and so does `теги ← Перевірка тегів(нотатка)`. */
function calledName(text: string): string {
  const { target, diagram } = readInsertion(text);
  return target === undefined ? text.replace(/\(.*$/s, "").trim() : diagram;
}

/** Exactly by file, then by the name inside, then both again without regard to case and composition. */
function finder(diagrams: readonly NamedDiagram[]): (text: string) => string | undefined {
  const folded = (name: string): string => name.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
  const namings: ((one: NamedDiagram) => string)[] = [
    ({ file }) => diagramFileName(file),
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
  const [exactly, roughly] = [index((name) => name), index(folded)];
  return (text) => {
    const whole = text.trim();
    const called = calledName(text);
    return exactly.get(whole) ?? exactly.get(called) ?? roughly.get(folded(whole)) ?? roughly.get(folded(called));
  };
}

/** The shortest way from a callee back to its caller, the caller at both ends; undefined if there is none. */
function wayBack(callees: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): string[] | undefined {
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
  const way = [from];
  for (let at = cameFrom.get(from)!; at !== from; at = cameFrom.get(at)!) way.unshift(at);
  return [from, ...way];
}
