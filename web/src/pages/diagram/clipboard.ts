import { useEffect, useState } from "react";
import type { Diagram } from "../../../../src/drakon/diagram/diagram.ts";
import { roleOf } from "../../../../src/drakon/diagram/icon-types.ts";
import type { EditOperation } from "../../../../src/drakon/edit/operation.ts";
import { storedJson, storeJson } from "../../browser-storage.ts";
import type { Text } from "../../i18n/use-t.ts";
import type { CopiedIcon, EditorCommand } from "./command.ts";
import type { DiagramPlace } from "./places.ts";

/** A step and up to `more` consecutive steps below it. */
export function stepsFrom(diagram: Diagram, first: string, more: number): readonly string[] {
  const run = [first];
  if (!isStep(diagram, first)) return run;
  for (let next = diagram.icons.get(first)?.one; run.length <= more; next = diagram.icons.get(next)?.one) {
    if (next === undefined || run.includes(next) || !isStep(diagram, next)) break;
    run.push(next);
  }
  return run;
}

function isStep(diagram: Diagram, id: string): boolean {
  const icon = diagram.icons.get(id);
  return icon !== undefined && !icon.final && roleOf(icon.type) === "step";
}

/** Copy and cut for selected steps, paste for a line. */
export function clipboardCommands(
  diagram: Diagram,
  place: DiagramPlace,
  run: readonly string[],
  copied: readonly CopiedIcon[],
): readonly EditorCommand[] {
  if (place.kind === "line") {
    if (copied.length === 0) return [];
    // In reverse: each is inserted before the one inserted last.
    const operations = copied
      .toReversed()
      .map((icon): EditOperation => ({ op: "insert-icon", at: place.line, ...icon }));
    return [{ id: "paste", name: words.paste, key: "Ctrl+V", needs: "several", operations }];
  }
  const [first] = run;
  if (place.kind !== "icon" || first === undefined || !isStep(diagram, first)) return [];
  const icons = run.flatMap((id): CopiedIcon[] => {
    const icon = diagram.icons.get(id);
    return icon
      ? [{ type: icon.type, text: icon.text, ...(icon.secondary !== undefined && { secondary: icon.secondary }) }]
      : [];
  });
  const operations = run.map((icon): EditOperation => ({ op: "delete", icon }));
  return [
    { id: "copy", name: words.copy, key: "Ctrl+C", needs: "copy", icons, operations: [] },
    { id: "cut", name: words.cut, key: "Ctrl+X", needs: "copy", icons, operations },
  ];
}

/** Makes the delete command delete all selected steps. */
export const deletingSteps = (command: EditorCommand, steps: readonly string[]): EditorCommand =>
  command.id === "delete" && steps.length > 1
    ? {
        id: "delete",
        name: command.name,
        key: "Delete",
        needs: "several",
        operations: steps.map((icon) => ({ op: "delete", icon })),
      }
    : command;

const KEY = "garden-bloom.diagram.copied";

/** The steps copied last, in this tab or in another. */
export function useClipboard(): [readonly CopiedIcon[], (icons: readonly CopiedIcon[]) => void] {
  const [copied, setCopied] = useState(stored);
  useEffect(() => {
    const changed = ({ key }: StorageEvent): void => {
      if (key === KEY) setCopied(stored());
    };
    addEventListener("storage", changed);
    return () => removeEventListener("storage", changed);
  }, []);
  return [
    copied,
    (icons) => {
      setCopied(icons);
      storeJson(KEY, icons);
    },
  ];
}

function stored(): readonly CopiedIcon[] {
  const read = storedJson(KEY);
  return Array.isArray(read) ? read.filter(isCopied) : [];
}

function isCopied(value: unknown): value is CopiedIcon {
  const { type, text, secondary } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof type === "string" && typeof text === "string" && (secondary === undefined || typeof secondary === "string")
  );
}

const words = {
  copy: { en: "Copy", uk: "Копіювати" },
  cut: { en: "Cut", uk: "Вирізати" },
  paste: { en: "Paste", uk: "Вставити скопійоване" },
} as const satisfies Record<string, Text>;
