import { withCalledDiagrams } from "../../../../src/drakon/called-logic.ts";
import { splitDiagrams } from "../../../../src/drakon/diagram/called-diagrams.ts";
import { type Diagram, readDiagram } from "../../../../src/drakon/diagram/diagram.ts";
import { applyOperation, applyOperations } from "../../../../src/drakon/edit/apply-operation.ts";
import type { EditOperation, EditRefused } from "../../../../src/drakon/edit/operation.ts";
import type { DiagramBase, DrawingDraft } from "./drawing-draft.ts";

/** The agent's diagrams by file; the main one is under `MAIN_PART`. */
export type DiagramFiles = ReadonlyMap<string, Diagram>;
export const MAIN_PART = "";

/** An undo step: operations on one diagram, or all diagrams to restore. `path` is where it was made. */
type Step = { readonly path: readonly string[] } & (
  | { readonly operations: readonly EditOperation[] }
  | { readonly parts: DiagramFiles }
);

export interface EditorHistory {
  readonly base: DiagramBase;
  readonly parts: DiagramFiles;
  /** The called diagrams that were opened one inside the other; empty for the main one. */
  readonly path: readonly string[];
  readonly undo: readonly Step[];
  readonly redo: readonly Step[];
  readonly chosen: string | undefined;
}

export function initialHistory(current: DiagramBase, kept: DrawingDraft | undefined): EditorHistory {
  const { base, text } = kept ?? { base: current, text: current.text };
  const { main, called } = splitDiagrams(text);
  const texts = new Map([...(current.others ?? []).map(({ file, text: one }) => [file, one] as const), ...called]);
  const parts = new Map([[MAIN_PART, main], ...texts].map(([file, one]) => [file!, readDiagram(one!).diagram]));
  return { base, parts, path: [], undo: [], redo: [], chosen: "header" };
}

export const openPart = ({ path }: Pick<EditorHistory, "path">): string => path.at(-1) ?? MAIN_PART;
export const openDiagram = (now: EditorHistory): Diagram => now.parts.get(openPart(now)) ?? now.parts.get(MAIN_PART)!;

/** The text to keep and to propose: the main diagram with those that it calls inside. */
export function wholeText(parts: DiagramFiles): string {
  const main = parts.get(MAIN_PART)!.source.text;
  if (parts.size === 1) return main;
  const others = [...parts].flatMap(([file, { source }]) => (file === MAIN_PART ? [] : [{ file, text: source.text }]));
  return withCalledDiagrams(main, { mainFile: MAIN_PART, others }).text;
}

const withPart = (now: EditorHistory, diagram: Diagram): DiagramFiles => new Map(now.parts).set(openPart(now), diagram);

/** The state with all diagrams replaced, as one step that can be undone. */
export const withParts = (now: EditorHistory, parts: DiagramFiles): EditorHistory => ({
  ...now,
  parts,
  undo: [...now.undo, { path: now.path, parts: now.parts }],
  redo: [],
});

/** The state with the open diagram replaced. */
export const withReplaced = (now: EditorHistory, text: string): EditorHistory => ({
  ...withParts(now, new Map([...now.parts, ...importedParts(openPart(now), text)])),
  chosen: "header",
});

/** An imported file may hold called diagrams. */
function importedParts(part: string, text: string): [string, Diagram][] {
  const { main, called } = splitDiagrams(text);
  return [[part, main] as const, ...called].map(([file, one]) => [file, readDiagram(one).diagram]);
}

/** All operations on the open diagram or none, as one step. Unchanged if they change nothing. */
export function acted(now: EditorHistory, operations: readonly EditOperation[]): EditorHistory | EditRefused {
  const diagram = openDiagram(now);
  const done = applyOperations(diagram, operations);
  if (done.kind === "refused") return done;
  if (done.diagram.source.text === diagram.source.text) return now;
  return {
    ...now,
    parts: withPart(now, done.diagram),
    undo: [...now.undo, { path: now.path, operations: done.inverses }],
    redo: [],
    chosen: chosenAfter(now.chosen, diagram, done.diagram, operations),
  };
}

/** One step back or forward, in the diagram where it was made. */
export function stepped(before: EditorHistory, from: "undo" | "redo", to: "undo" | "redo"): EditorHistory {
  const step = before[from].at(-1);
  if (!step) return before;
  const rest = before[from].slice(0, -1);
  const now = { ...before, path: step.path, [from]: rest };
  if ("parts" in step) return { ...now, parts: step.parts, [to]: [...now[to], { path: step.path, parts: now.parts }] };
  const old = openDiagram(now);
  let diagram = old;
  const inverses: EditOperation[] = [];
  for (const operation of step.operations) {
    const applied = applyOperation(diagram, operation);
    if (applied.kind === "refused") return now;
    inverses.unshift(applied.inverse);
    diagram = applied.diagram;
  }
  const back = addedIcon(old, diagram);
  return {
    ...now,
    parts: withPart(now, diagram),
    [to]: [...now[to], { path: step.path, operations: inverses }],
    chosen: back === undefined ? now.chosen : `icon ${back}`,
  };
}

/** After a step, the added icon is chosen; after a deletion, the line that led to the deleted icon. */
function chosenAfter(
  chosen: string | undefined,
  before: Diagram,
  after: Diagram,
  operations: readonly EditOperation[],
): string | undefined {
  const came = addedIcon(before, after);
  if (came !== undefined) return `icon ${came}`;
  const [operation] = operations;
  if (operation?.op !== "delete") return chosen;
  for (const { id, one, two } of before.icons.values()) {
    if (!after.icons.has(id)) continue;
    if (one === operation.icon) return `line ${id}.one`;
    if (two === operation.icon) return `line ${id}.two`;
  }
  return chosen;
}

/** Icons that are added together with another one, and are not chosen. */
const ATTENDANT = new Set(["loopend", "parend", "arrow-loop", "end"]);

function addedIcon(before: Diagram, after: Diagram): string | undefined {
  const came = [...after.icons.values()].filter(({ id, type }) => !before.icons.has(id) && !ATTENDANT.has(type));
  return (came.find(({ type }) => type !== "case") ?? came[0])?.id;
}
