import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Checked, checkText } from "../../../../src/drakon/check.ts";
import type { Diagram } from "../../../../src/drakon/diagram/diagram.ts";
import { type Drawing, drawDiagram } from "../../../../src/drakon/draw/draw.ts";
import type { EditOperation, EditRefused } from "../../../../src/drakon/edit/operation.ts";
import { useIsDark } from "../../components/use-is-dark.ts";
import { usePreferences } from "../../i18n/use-t.ts";
import { type DiagramBase, type DrawingDraft, useDrawingDraft } from "./drawing-draft.ts";
import {
  acted,
  type DiagramFiles,
  type EditorHistory,
  initialHistory,
  openDiagram,
  openPart,
  stepped,
  wholeText,
  withParts,
  withReplaced,
} from "./editor-history.ts";
import { type DiagramPlace, placesIn } from "./places.ts";

export interface EditorState {
  readonly base: DiagramBase;
  /** The open diagram: the main one, or a called one. */
  readonly diagram: Diagram;
  readonly parts: DiagramFiles;
  /** The called diagrams that were opened one inside the other. */
  readonly path: readonly string[];
  /** The main diagram with those that it calls inside: what is kept and proposed. */
  readonly text: string;
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
  /** Opens a diagram that the open one calls; `path` goes to a place, the main diagram if it is empty. */
  readonly openAt: (path: readonly string[], chosen?: string) => void;
  /** Adds a diagram and opens it inside the open one. Can be undone. */
  readonly addPart: (file: string, diagram: Diagram) => void;
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

/** The draft of an agent's diagrams. Every step is stored in this browser, can be undone, and is checked and drawn at once. */
export function useEditorState(current: DiagramBase): EditorState {
  const { language } = usePreferences();
  const theme = useIsDark() ? "dark" : "light";
  const { state, latest, become, text, other, setOther, isKept } = useKeptHistory(current);
  const { base, undo, redo, parts, path } = state;
  const diagram = openDiagram(state);
  const checked = useMemo(() => checkText(diagram.source.text), [diagram]);
  const name = openPart(state).replace(/\.drakon\.json$/i, "") || current.slug;
  const drawing = useMemo(
    () => drawDiagram(diagram, { language, theme, name, authorColours: false }),
    [diagram, language, theme, name],
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
        const done = acted(latest.current, operations);
        if ("kind" in done) return done;
        become(done);
        return undefined;
      },
      replace: (given: string) => become(withReplaced(latest.current, given)),
      openAt: (to: readonly string[], chosenThere = "header") =>
        become({ ...latest.current, path: to, chosen: chosenThere }),
      addPart: (file: string, added: Diagram) => {
        const now = latest.current;
        become({
          ...withParts(now, new Map(now.parts).set(file, added)),
          path: [...now.path, file],
          chosen: "header",
        });
      },
      undo: () => become(stepped(latest.current, "undo", "redo")),
      redo: () => become(stepped(latest.current, "redo", "undo")),
      revert: (to: DiagramBase) => {
        const { undo: before } = withParts(latest.current, latest.current.parts);
        become({ ...initialHistory(to, undefined), undo: before });
      },
      forget: () => become(initialHistory({ ...current, ...latest.current.base }, undefined)),
      rebase: (on: DiagramBase) => become({ ...latest.current, base: on }),
    }),
    [become, current, latest],
  );

  return {
    base,
    diagram,
    parts,
    path,
    text,
    checked,
    drawing,
    places,
    chosen,
    isChanged: text !== base.text,
    canUndo: undo.length > 0,
    canRedo: redo.length > 0,
    ...steps,
    isElsewhere: other !== undefined,
    takeOther: () => {
      if (other) become({ ...initialHistory(current, other), undo: withParts(state, parts).undo });
      setOther(undefined);
    },
    keepOwn: () => setOther(undefined),
    isKept,
  };
}

/** The diagrams and their steps, stored in this browser and followed in other tabs. */
function useKeptHistory(current: DiagramBase) {
  const [other, setOther] = useState<DrawingDraft>();
  const { first, keep, isKept } = useDrawingDraft(current.slug, (now, before) => {
    const { base: from, parts } = latest.current;
    const text = wholeText(parts);
    setOther(undefined);
    // A tab without changes of its own, or with the same ones, follows the other tab.
    if ((text === from.text || text === before?.text) && text !== now?.text)
      become({ ...initialHistory(current, now), undo: withParts(latest.current, parts).undo });
    else if (now && now.text !== text) setOther(now);
  });
  const [state, setState] = useState<EditorHistory>(() => initialHistory(current, first()));
  // Two steps in one event must see each other: `state` is only updated by the next render.
  const latest = useRef(state);
  const become = useCallback((next: EditorHistory): void => {
    latest.current = next;
    setState(next);
  }, []);
  const { base, parts } = state;
  const text = useMemo(() => wholeText(parts), [parts]);

  useEffect(() => {
    keep(text === base.text ? undefined : { base, text }, other === undefined);
  }, [base, text, other, keep]);

  // Without changes, the editor shows what the agent follows now.
  const isChanged = text !== base.text;
  useEffect(() => {
    if (!isChanged && (current.text !== base.text || current.version !== base.version))
      become(initialHistory(current, undefined));
  }, [isChanged, current, base, become]);
  return { state, latest, become, text, other, setOther, isKept };
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
