import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Checked, checkText } from "../../../../src/drakon/check.ts";
import { type Diagram, readDiagram } from "../../../../src/drakon/diagram/diagram.ts";
import { type Drawing, drawDiagram } from "../../../../src/drakon/draw/draw.ts";
import { applyOperation, applyOperations } from "../../../../src/drakon/edit/apply-operation.ts";
import type { EditOperation, EditRefused } from "../../../../src/drakon/edit/operation.ts";
import { useIsDark } from "../../parts/dark.ts";
import { useReader } from "../../words/say.ts";
import { type Base, type Kept, useKeptDrawing } from "./kept-drawing.ts";
import { type Place, placesIn } from "./places.ts";

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
  readonly act: (...operations: readonly EditOperation[]) => EditRefused | undefined;
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
  /** Another tab has drawn something else from the same diagram. */
  readonly isElsewhere: boolean;
  /** Goes on with what the other tab drew; it can be undone like any step. */
  readonly takeOther: () => void;
  readonly keepOwn: () => void;
  /** False if this browser has no room to keep what is drawn. */
  readonly isKept: boolean;
}

/** Operations to apply, or a whole diagram that was there before. */
type Step = { readonly operations: readonly EditOperation[] } | { readonly diagram: Diagram };

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
  const [other, setOther] = useState<Kept>();
  const { first, keep, isKept } = useKeptDrawing(current.slug, (now, before) => {
    const { base: from, diagram: drawn, undo: steps } = latest.current;
    const { text } = drawn.source;
    setOther(undefined);
    // Who has drawn nothing, or the same, goes along with the other tab, also when that has sent it.
    if ((text === from.text || text === before?.text) && text !== now?.text)
      become({ ...begin(current, now), undo: [...steps, { diagram: drawn }] });
    else if (now && now.text !== text) setOther(now);
  });
  const [state, setState] = useState<State>(() => begin(current, first()));
  // Two steps within one event see each other through this, not through what was last shown.
  const latest = useRef(state);
  const become = useCallback((next: State): void => {
    latest.current = next;
    setState(next);
  }, []);
  const { base, diagram, undo, redo } = state;

  useEffect(() => {
    const { text } = diagram.source;
    keep(text === base.text ? undefined : { base, text }, other === undefined);
  }, [base, diagram, other, keep]);

  // Whoever has drawn nothing sees what the agent follows now.
  const isChanged = diagram.source.text !== base.text;
  useEffect(() => {
    if (!isChanged && (current.text !== base.text || current.version !== base.version))
      become(begin(current, undefined));
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
      act: (...operations: readonly EditOperation[]): EditRefused | undefined => {
        const now = latest.current;
        const done = applyOperations(now.diagram, operations);
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
        become({ ...begin(to, undefined), undo: [...now.undo, { diagram: now.diagram }] });
      },
      forget: () => become(begin(latest.current.base, undefined)),
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
    isElsewhere: other !== undefined,
    takeOther: () => {
      if (other) become({ ...begin(current, other), undo: [...undo, { diagram }] });
      setOther(undefined);
    },
    keepOwn: () => setOther(undefined),
    isKept,
  };
}

function begin(current: Base, kept: Kept | undefined): State {
  const { base, text } = kept ?? { base: current, text: current.text };
  return { base, diagram: readDiagram(text).diagram, undo: [], redo: [], chosen: "header" };
}

function stepped(now: State, from: "undo" | "redo", to: "undo" | "redo"): State {
  const step = now[from].at(-1);
  if (!step) return now;
  const rest = now[from].slice(0, -1);
  if ("diagram" in step)
    return { ...now, diagram: step.diagram, [from]: rest, [to]: [...now[to], { diagram: now.diagram }] };
  let { diagram } = now;
  const inverses: EditOperation[] = [];
  for (const operation of step.operations) {
    const applied = applyOperation(diagram, operation);
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
function chosenAfter(now: State, after: Diagram, operations: readonly EditOperation[]): string | undefined {
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
