import { useMemo, useState } from "react";
import type { EditOperation, EditRefused } from "../../../../src/drakon/edit/operation.ts";
import { useToast } from "../../components/toasts.tsx";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { placeName } from "./canvas.tsx";
import { clipboardCommands, deletingSteps, stepsFrom, useClipboard } from "./clipboard.ts";
import type { EditorCommand } from "./command.ts";
import { commandsAt } from "./commands.ts";
import { type DragItem, dragItemOfPlace, dropRefusal } from "./drag-item.ts";
import type { Direction } from "./neighbours.ts";
import type { DiagramPlace } from "./places.ts";
import type { EditorState } from "./use-editor-state.ts";
import { type OpenPrompt, useTextPrompt } from "./use-text-prompt.ts";

/** The commands of the selected place, and the unfinished ones: an open prompt, a picked-up item. */
export interface EditorActions {
  readonly commands: readonly EditorCommand[];
  /** The selected steps: the chosen icon and those selected with it. */
  readonly steps: readonly string[];
  readonly prompt: OpenPrompt | undefined;
  readonly setPrompt: (prompt: OpenPrompt | undefined) => void;
  readonly picking: DragItem | undefined;
  readonly setPicking: (item: DragItem | undefined) => void;
  readonly run: (command: EditorCommand) => void;
  readonly drop: (item: DragItem, place: DiagramPlace) => void;
  readonly dragItemAt: (key: string) => DragItem | undefined;
  /** Selects a place; with `isMore`, all steps from the chosen one to it. Drops a picked-up item there instead. */
  readonly select: (key: string, isMore: boolean) => void;
  readonly extend: (direction: Direction) => void;
  readonly nameOf: (place: DiagramPlace) => string;
  readonly toastRefusal: (reason: Text) => void;
}

export function useEditorActions(editor: EditorState, focusList: () => void): EditorActions {
  const t = useT();
  const toast = useToast();
  const { language } = usePreferences();
  const { diagram, places, chosen } = editor;
  const [prompt, setPrompt] = useTextPrompt(editor);
  const [picking, setPicking] = useState<DragItem>();
  const [copied, copy] = useClipboard();
  const [more, setMore] = useState<{ readonly from: string; readonly count: number }>();
  const steps = useMemo(() => {
    if (chosen?.kind !== "icon" || chosen.icon === undefined) return NO_STEPS;
    return stepsFrom(diagram, chosen.icon, more?.from === chosen.key ? more.count : 0);
  }, [diagram, chosen, more]);
  const commands = useMemo(() => {
    if (!chosen) return [];
    const own = commandsAt(diagram, chosen, language).map((command) => deletingSteps(command, steps));
    return [...own, ...clipboardCommands(diagram, chosen, steps, copied)];
  }, [diagram, chosen, language, steps, copied]);
  const boxes = useMemo(
    () =>
      new Map(places.flatMap((each) => (each.kind === "line" || each.icon === undefined ? [] : [[each.icon, each]]))),
    [places],
  );
  const nameOf = (place: DiagramPlace): string => placeName(place, boxes, t);

  const toastRefusal = (reason: EditRefused["reason"]): void => toast(`${t(words.refused)} ${t(reason)}`);
  const act = (...operations: readonly EditOperation[]): boolean => {
    const refused = editor.act(...operations);
    if (refused) toastRefusal(refused.reason);
    return !refused;
  };
  const run = (command: EditorCommand): void => {
    if (command.needs === "jump") editor.choose(command.to);
    else if (command.needs === "nothing") act(command.operation);
    else if (command.needs === "several") act(...command.operations);
    else if (command.needs === "copy") {
      copy(command.icons);
      if (act(...command.operations)) toast(t(words.copied, command.icons.length));
    } else if (command.needs === "place" && chosen) setPicking(dragItemOfPlace(nameOf(chosen), chosen, [command]));
    else if (command.needs === "text" && chosen) {
      setPrompt({ command, place: chosen });
      return; // the prompt takes the focus
    }
    focusList();
  };
  const drop = (item: DragItem, place: DiagramPlace): void => {
    const result = item.dropAt(place);
    if (!result) toast(t(item.hint));
    else if ("operation" in result) {
      if (act(result.operation)) setPicking(undefined);
    } else {
      const refused = dropRefusal(diagram, result);
      if (refused) return toastRefusal(refused.reason);
      editor.choose(place.key);
      setPrompt({ command: result.command, place });
      setPicking(undefined);
    }
  };
  const dragItemAt = (key: string): DragItem | undefined => {
    const place = places.find((each) => each.key === key);
    if (!place) return undefined;
    const movable = commandsAt(diagram, place, language).filter((command) => command.needs === "place");
    return dragItemOfPlace(nameOf(place), place, movable);
  };
  const select = (key: string, isMore: boolean): void => {
    const place = places.find((each) => each.key === key);
    if (picking && place) drop(picking, place);
    else if (isMore && chosen?.kind === "icon" && place?.kind === "icon") {
      const count = stepsFrom(diagram, chosen.icon!, diagram.icons.size).indexOf(place.icon!);
      if (count < 0) toast(t(words.notInARow));
      else setMore({ from: chosen.key, count });
    } else editor.choose(key);
    focusList();
  };
  const extend = (direction: Direction): void => {
    if (chosen?.kind !== "icon" || (direction !== "down" && direction !== "up")) return;
    const now = steps.length - 1;
    setMore({ from: chosen.key, count: direction === "down" ? now + 1 : Math.max(0, now - 1) });
  };
  return {
    commands,
    steps,
    prompt,
    setPrompt,
    picking,
    setPicking,
    run,
    drop,
    dragItemAt,
    select,
    extend,
    nameOf,
    toastRefusal,
  };
}

const NO_STEPS: readonly string[] = [];

const words = {
  refused: { en: "Not possible:", uk: "Цього не можна зробити:" },
  copied: {
    en: "Copied {} [step|steps]. Paste on any line, also in another agent.",
    uk: "Скопійовано: {}. Можна вставити на будь-яку лінію, і в іншого агента.",
  },
  notInARow: {
    en: "Only consecutive steps on one line can be selected together.",
    uk: "Разом можна вибрати лише кроки, що йдуть один за одним на одній лінії.",
  },
} as const satisfies Record<string, Text>;
