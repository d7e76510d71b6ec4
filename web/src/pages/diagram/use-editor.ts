import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Checked, checkText } from "../../../../src/drakon/check.ts";
import { type Diagram, readDiagram } from "../../../../src/drakon/diagram.ts";
import { type Drawing, drawDiagram } from "../../../../src/drakon/draw/draw.ts";
import { apply, applyAll } from "../../../../src/drakon/edit/apply.ts";
import type { Operation, Refused } from "../../../../src/drakon/edit/operation.ts";
import { useIsDark } from "../../parts/dark.ts";
import { useDraft } from "../../parts/draft.ts";
import { useReader } from "../../words/say.ts";
import { type Place, placesIn } from "./places.ts";

/** What is edited: the diagram that an agent follows, and as which version. */
export interface Base {
  readonly slug: string;
  /** Undefined for an agent without a diagram. */
  readonly version: string | undefined;
  readonly text: string;
}

export interface Editor {
  readonly base: Base;
  readonly diagram: Diagram;
  readonly checked: Checked;
  readonly drawing: Drawing;
  readonly places: readonly Place[];
  readonly chosen: Place | undefined;
  readonly isChanged: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly choose: (key: string | undefined) => void;
  /** All of them or none, as one step of undo. */
  readonly act: (...operations: readonly Operation[]) => Refused | undefined;
  /** Another diagram in its place; it can be undone like any step. */
  readonly replace: (text: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Back to what the agent follows; it can be undone like any step. */
  readonly revert: (to: Base) => void;
  /** What was drawn has been sent: it is no draft any more. */
  readonly forget: () => void;
  /** Goes on with what is drawn, as a change of this version. */
  readonly rest: (on: Base) => void;
}

/** Operations to apply, or a whole diagram that was there before. */
type Step = { readonly operations: readonly Operation[] } | { readonly diagram: Diagram };

interface State {
  readonly base: Base;
  readonly diagram: Diagram;
  readonly undo: readonly Step[];
  readonly redo: readonly Step[];
  readonly chosen: string | undefined;
}

/** The draft of a diagram: every step is kept in this browser, can be undone, and is checked and drawn at once. */
export function useEditor(current: Base): Editor {
  const { language } = useReader();
  const theme = useIsDark() ? "dark" : "light";
  const [kept, keep] = useDraft(`diagram.${current.slug}`);
  const [state, setState] = useState<State>(() => begin(current, kept));
  // Two steps within one event see each other through this, not through what was last shown.
  const latest = useRef(state);
  const become = useCallback((next: State): void => {
    latest.current = next;
    setState(next);
  }, []);
  const { base, diagram, undo, redo } = state;

  const keeping = useRef(keep);
  keeping.current = keep;
  useEffect(() => {
    const { text } = diagram.source;
    keeping.current(text === base.text ? undefined : JSON.stringify({ base, text } satisfies Kept));
  }, [base, diagram]);

  // Whoever has drawn nothing sees what the agent follows now.
  const isChanged = diagram.source.text !== base.text;
  useEffect(() => {
    if (!isChanged && (current.text !== base.text || current.version !== base.version)) become(begin(current, ""));
  }, [isChanged, current, base, become]);

  const checked = useMemo(() => checkText(diagram.source.text), [diagram]);
  const drawing = useMemo(
    () => drawDiagram(diagram, { language, theme, name: current.slug, authorColours: false }),
    [diagram, language, theme, current.slug],
  );
  const places = useMemo(() => placesIn(diagram, drawing.picture), [diagram, drawing]);
  const chosen = useMemo(
    () => places.find(({ key }) => key === state.chosen) ?? heir(places, state.chosen),
    [places, state.chosen],
  );

  const steps = useMemo(
    () => ({
      choose: (key: string | undefined) => become({ ...latest.current, chosen: key }),
      act: (...operations: readonly Operation[]): Refused | undefined => {
        const now = latest.current;
        const done = applyAll(now.diagram, operations);
        if (done.kind === "refused") return done;
        if (done.diagram.source.text === now.diagram.source.text) return undefined;
        become({
          ...now,
          diagram: done.diagram,
          undo: [...now.undo, { operations: done.inverses }],
          redo: [],
          chosen: chosenAfter(now, done.diagram, operations),
        });
        return undefined;
      },
      replace: (text: string) => {
        const now = latest.current;
        const { diagram: next } = readDiagram(text);
        become({ ...now, diagram: next, undo: [...now.undo, { diagram: now.diagram }], redo: [], chosen: "header" });
      },
      undo: () => become(stepped(latest.current, "undo", "redo")),
      redo: () => become(stepped(latest.current, "redo", "undo")),
      revert: (to: Base) => {
        const now = latest.current;
        become({ ...begin(to, ""), undo: [...now.undo, { diagram: now.diagram }] });
      },
      forget: () => become(begin(latest.current.base, "")),
      rest: (on: Base) => become({ ...latest.current, base: on }),
    }),
    [become],
  );

  return {
    base,
    diagram,
    checked,
    drawing,
    places,
    chosen,
    isChanged,
    canUndo: undo.length > 0,
    canRedo: redo.length > 0,
    ...steps,
  };
}

interface Kept {
  readonly base: Base;
  readonly text: string;
}

function begin(current: Base, kept: string): State {
  const { base, text } = readKept(kept) ?? { base: current, text: current.text };
  return { base, diagram: readDiagram(text).diagram, undo: [], redo: [], chosen: "header" };
}

function readKept(kept: string): Kept | undefined {
  try {
    const { base, text } = JSON.parse(kept) as Partial<Kept>;
    return base && typeof base.text === "string" && typeof text === "string" ? { base, text } : undefined;
  } catch {
    return undefined;
  }
}

function stepped(now: State, from: "undo" | "redo", to: "undo" | "redo"): State {
  const step = now[from].at(-1);
  if (!step) return now;
  const rest = now[from].slice(0, -1);
  if ("diagram" in step)
    return { ...now, diagram: step.diagram, [from]: rest, [to]: [...now[to], { diagram: now.diagram }] };
  let { diagram } = now;
  const inverses: Operation[] = [];
  for (const operation of step.operations) {
    const applied = apply(diagram, operation);
    if (applied.kind === "refused") return { ...now, [from]: rest };
    inverses.unshift(applied.inverse);
    diagram = applied.diagram;
  }
  const back = fresh(now.diagram, diagram);
  return {
    ...now,
    diagram,
    [from]: rest,
    [to]: [...now[to], { operations: inverses }],
    chosen: back === undefined ? now.chosen : `icon ${back}`,
  };
}

/** What came is chosen; where something went, the line that led to it. */
function chosenAfter(now: State, after: Diagram, operations: readonly Operation[]): string | undefined {
  const came = fresh(now.diagram, after);
  if (came !== undefined) return `icon ${came}`;
  const [operation] = operations;
  if (operation?.op !== "delete") return now.chosen;
  for (const { id, one, two } of now.diagram.icons.values()) {
    if (!after.icons.has(id)) continue;
    if (one === operation.icon) return `line ${id}.one`;
    if (two === operation.icon) return `line ${id}.two`;
  }
  return now.chosen;
}

/** Ends and points come with what they belong to. */
const ATTENDANT = new Set(["loopend", "parend", "arrow-loop", "end"]);

function fresh(before: Diagram, after: Diagram): string | undefined {
  const came = [...after.icons.values()].filter(({ id, type }) => !before.icons.has(id) && !ATTENDANT.has(type));
  return (came.find(({ type }) => type !== "case") ?? came[0])?.id;
}

/** A line that is behind a join now, or before one no more, is still chosen. */
function heir(places: readonly Place[], key: string | undefined): Place | undefined {
  if (key === undefined) return undefined;
  const links = key.split(" ").slice(1);
  return (
    places.find(
      ({ kind, line }) => kind === "line" && line.some(({ icon, exit }) => links.includes(`${icon}.${exit}`)),
    ) ?? places[0]
  );
}
