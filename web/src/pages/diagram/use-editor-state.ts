import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Checked, checkText } from "../../../../src/drakon/check.ts";
import { type Diagram, readDiagram } from "../../../../src/drakon/diagram/diagram.ts";
import { type Drawing, drawDiagram } from "../../../../src/drakon/draw/draw.ts";
import { applyOperation, applyOperations } from "../../../../src/drakon/edit/apply-operation.ts";
import type { EditOperation, EditRefused } from "../../../../src/drakon/edit/operation.ts";
import { useIsDark } from "../../components/use-is-dark.ts";
import { usePreferences } from "../../i18n/use-t.ts";
import { type DiagramBase, type DrawingDraft, useDrawingDraft } from "./drawing-draft.ts";
import { type DiagramPlace, placesIn } from "./places.ts";

export interface EditorState {
  readonly base: DiagramBase;
  readonly diagram: Diagram;
  readonly checked: Checked;
  readonly drawing: Drawing;
  readonly places: readonly DiagramPlace[];
  readonly chosen: DiagramPlace | undefined;
  readonly isChanged: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly choose: (key: string | undefined) => void;
  /** Applies all operations or none, as one undo step. */
  readonly act: (...operations: readonly EditOperation[]) => EditRefused | undefined;
  /** Replaces the diagram. Can be undone. */
  readonly replace: (text: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Goes back to the diagram that the agent follows. Can be undone. */
  readonly revert: (to: DiagramBase) => void;
  /** Deletes the draft after it was proposed. */
  readonly forget: () => void;
  /** Keeps the drawing as a change of another version. */
  readonly rebase: (on: DiagramBase) => void;
  /** Another tab has a different drawing of the same diagram. */
  readonly isElsewhere: boolean;
  /** Continues with the other tab's drawing. Can be undone. */
  readonly takeOther: () => void;
  readonly keepOwn: () => void;
  /** False if the browser cannot store the drawing. */
  readonly isKept: boolean;
}

/** An undo step: operations to apply, or a whole diagram to restore. */
type Step = { readonly operations: readonly EditOperation[] } | { readonly diagram: Diagram };

interface State {
  readonly base: DiagramBase;
  readonly diagram: Diagram;
  readonly undo: readonly Step[];
  readonly redo: readonly Step[];
  readonly chosen: string | undefined;
}

/** The draft of a diagram. Every step is stored in this browser, can be undone, and is checked and drawn at once. */
export function useEditorState(current: DiagramBase): EditorState {
  const { language } = usePreferences();
  const theme = useIsDark() ? "dark" : "light";
  const [other, setOther] = useState<DrawingDraft>();
  const { first, keep, isKept } = useDrawingDraft(current.slug, (now, before) => {
    const { base: from, diagram: drawn, undo: steps } = latest.current;
    const { text } = drawn.source;
    setOther(undefined);
    // A tab without changes of its own, or with the same ones, follows the other tab.
    if ((text === from.text || text === before?.text) && text !== now?.text)
      become({ ...initialState(current, now), undo: [...steps, { diagram: drawn }] });
    else if (now && now.text !== text) setOther(now);
  });
  const [state, setState] = useState<State>(() => initialState(current, first()));
  // Two steps in one event must see each other: `state` is only updated by the next render.
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

  // Without changes, the editor shows what the agent follows now.
  const isChanged = diagram.source.text !== base.text;
  useEffect(() => {
    if (!isChanged && (current.text !== base.text || current.version !== base.version))
      become(initialState(current, undefined));
  }, [isChanged, current, base, become]);

  const checked = useMemo(() => checkText(diagram.source.text), [diagram]);
  const drawing = useMemo(
    () => drawDiagram(diagram, { language, theme, name: current.slug, authorColours: false }),
    [diagram, language, theme, current.slug],
  );
  const places = useMemo(() => placesIn(diagram, drawing.picture), [diagram, drawing]);
  const chosen = useMemo(
    () => places.find(({ key }) => key === state.chosen) ?? successorOf(places, state.chosen),
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
      revert: (to: DiagramBase) => {
        const now = latest.current;
        become({ ...initialState(to, undefined), undo: [...now.undo, { diagram: now.diagram }] });
      },
      forget: () => become(initialState(latest.current.base, undefined)),
      rebase: (on: DiagramBase) => become({ ...latest.current, base: on }),
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
      if (other) become({ ...initialState(current, other), undo: [...undo, { diagram }] });
      setOther(undefined);
    },
    keepOwn: () => setOther(undefined),
    isKept,
  };
}

function initialState(current: DiagramBase, kept: DrawingDraft | undefined): State {
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
  const back = addedIcon(now.diagram, diagram);
  return {
    ...now,
    diagram,
    [from]: rest,
    [to]: [...now[to], { operations: inverses }],
    chosen: back === undefined ? now.chosen : `icon ${back}`,
  };
}

/** After a step, the added icon is chosen; after a deletion, the line that led to the deleted icon. */
function chosenAfter(now: State, after: Diagram, operations: readonly EditOperation[]): string | undefined {
  const came = addedIcon(now.diagram, after);
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

/** Icons that are added together with another one, and are not chosen. */
const ATTENDANT = new Set(["loopend", "parend", "arrow-loop", "end"]);

function addedIcon(before: Diagram, after: Diagram): string | undefined {
  const came = [...after.icons.values()].filter(({ id, type }) => !before.icons.has(id) && !ATTENDANT.has(type));
  return (came.find(({ type }) => type !== "case") ?? came[0])?.id;
}

/** The place that replaces a chosen line which is now part of a join, or no longer is. */
function successorOf(places: readonly DiagramPlace[], key: string | undefined): DiagramPlace | undefined {
  if (key === undefined) return undefined;
  const links = key.split(" ").slice(1);
  return (
    places.find(
      ({ kind, line }) => kind === "line" && line.some(({ icon, exit }) => links.includes(`${icon}.${exit}`)),
    ) ?? places[0]
  );
}
