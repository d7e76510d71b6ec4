import { useEffect, useState } from "react";
import type { Diagram } from "../../../../src/drakon/diagram/diagram.ts";
import { roleOf } from "../../../../src/drakon/diagram/icon-types.ts";
import type { EditOperation } from "../../../../src/drakon/edit/operation.ts";
import type { Text } from "../../words/say.ts";
import type { CopiedIcon, Move } from "./moves.ts";
import type { Place } from "./places.ts";

/** The steps that stand below each other from this one on: it, and as many more as are wanted and there. */
export function runFrom(diagram: Diagram, first: string, more: number): readonly string[] {
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

/** What copying adds to what can be done at a place. */
export function copyMoves(
  diagram: Diagram,
  place: Place,
  run: readonly string[],
  copied: readonly CopiedIcon[],
): readonly Move[] {
  if (place.kind === "line") {
    if (copied.length === 0) return [];
    // Each is put before those that were put there already.
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

/** Deletes a whole run instead of its first icon. */
export const deletingRun = (move: Move, run: readonly string[]): Move =>
  move.id === "delete" && run.length > 1
    ? {
        id: "delete",
        name: move.name,
        key: "Delete",
        needs: "several",
        operations: run.map((icon) => ({ op: "delete", icon })),
      }
    : move;

const KEY = "garden-bloom.diagram.copied";

/** What was copied last, in this tab or in another. */
export function useCopied(): [readonly CopiedIcon[], (icons: readonly CopiedIcon[]) => void] {
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
      try {
        localStorage.setItem(KEY, JSON.stringify(icons));
      } catch {
        // A full or closed storage: it is still copied in this tab.
      }
    },
  ];
}

function stored(): readonly CopiedIcon[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(read) ? read.filter(isCopied) : [];
  } catch {
    return [];
  }
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
