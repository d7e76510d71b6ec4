import { useEffect } from "react";
import { fileCalledBy } from "./called-diagram.tsx";
import type { EditorCommand } from "./command.ts";
import { type Direction, neighbour } from "./neighbours.ts";
import type { EditorActions } from "./use-editor-actions.ts";
import type { EditorState } from "./use-editor-state.ts";
import { clampZoom } from "./use-pan.ts";

export interface KeyTargets {
  readonly editor: EditorState;
  readonly actions: EditorActions;
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
  readonly onFit: () => void;
  /** Enter: edits the chosen place, or moves the focus to its commands. */
  readonly onOpen: () => void;
}

/** The keyboard shortcuts of the drawing. */
export function handleKey(event: React.KeyboardEvent, targets: KeyTargets): void {
  if (event.altKey) return;
  const action = actionOf(event, targets);
  if (!action) return;
  event.preventDefault();
  action();
}

function actionOf(event: React.KeyboardEvent, targets: KeyTargets): (() => void) | undefined {
  const { editor, actions } = targets;
  const latin = latinKey(event.code);
  if (event.ctrlKey || event.metaKey) {
    const letter = /^[a-z]$/i.test(event.key) ? event.key : latin;
    return runOf(actions, `Ctrl+${letter.toUpperCase()}`);
  }
  const direction = ARROWS[event.key];
  if (!direction) return plainKeyAction(event.key, targets) ?? plainKeyAction(latin, targets);
  return () => (event.shiftKey && !actions.picking ? actions.extend(direction) : step(editor, direction));
}

function plainKeyAction(key: string, targets: KeyTargets): (() => void) | undefined {
  const { editor, actions, zoom, onZoom, onFit, onOpen } = targets;
  const { picking } = actions;
  if (key === "Home" || key === "End") return () => editor.choose(editor.places.at(key === "Home" ? 0 : -1)?.key);
  if (key === "+" || key === "=") return () => onZoom(clampZoom(zoom * 1.25));
  if (key === "-") return () => onZoom(clampZoom(zoom / 1.25));
  if (key === "0") return onFit;
  if (picking) {
    const { chosen } = editor;
    if (key === "Enter" && chosen) return () => actions.drop(picking, chosen);
    if (key !== "Escape") return undefined;
    return () => {
      if (picking.from !== undefined) editor.choose(picking.from);
      actions.setPicking(undefined);
    };
  }
  if (key === "Enter" || key === " ") return onOpen;
  if (key === "o") return openCalled(editor);
  return runOf(actions, key === "Backspace" ? "Delete" : key);
}

/** Opens the diagram that the chosen insertion calls. */
function openCalled({ chosen, parts, path, openAt }: EditorState): (() => void) | undefined {
  const icon = chosen?.kind === "icon" && chosen.type === "insertion" ? chosen.icon : undefined;
  const file = icon === undefined ? undefined : fileCalledBy(parts, path, icon);
  return file === undefined ? undefined : () => openAt([...path, file]);
}

function runOf({ commands, run }: EditorActions, key: string): (() => void) | undefined {
  const command: EditorCommand | undefined = commands.find((each) => each.key === key);
  return command && (() => run(command));
}

/** The letter on the key, so that shortcuts work with any keyboard layout. */
const latinKey = (code: string): string => (code.startsWith("Key") ? code.slice(3).toLowerCase() : "");

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

function step({ diagram, places, chosen, choose }: EditorState, direction: Direction): void {
  const next = chosen ? neighbour(diagram, places, chosen, direction) : places[0];
  if (next) choose(next.key);
}

/** Undo and redo work on the whole page, except in fields, which have their own. */
export function useUndoKeys({ undo, redo }: EditorState): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if ((event.target as HTMLElement).closest("input, textarea, dialog")) return;
      const key = event.key.toLowerCase();
      const action = key === "z" ? (event.shiftKey ? redo : undo) : key === "y" ? redo : undefined;
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [undo, redo]);
}
