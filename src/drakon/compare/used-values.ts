import type { Text } from "../../base/text.ts";
import type { IconId } from "../icon-id.ts";
import { asksOutside, type DrawnIcon, drawnIcons } from "../learn/icon-dataflow.ts";
import type { DiagramOutline } from "./outline.ts";
import { iconName } from "./target-names.ts";

/**
 * For a step that sets a value: the name of the first question, choice, loop, call or step in words that reads it, directly or
 * through other values. Undefined if the value decides nothing.
 */
export type UseOfValue = (step: IconId) => Text | undefined;

export function usesOfValues({ tree, routes }: DiagramOutline): UseOfValue {
  let readers: Map<string, DrawnIcon[]> | undefined;
  return (step) => {
    if (!tree) return undefined;
    const icons = drawnIcons(tree);
    readers ??= readersIn(icons);
    const names = new Set(icons.get(step)?.sets ?? []);
    for (const name of names) {
      for (const reader of readers.get(name) ?? []) {
        if (reader.icon === step) continue;
        if (reader.does !== "step" || asksOutside(reader)) return iconName(routes, reader.icon);
        for (const next of reader.sets) names.add(next);
      }
    }
    return undefined;
  };
}

function readersIn(icons: ReadonlyMap<IconId, DrawnIcon>): Map<string, DrawnIcon[]> {
  const found = new Map<string, DrawnIcon[]>();
  for (const icon of icons.values())
    for (const name of icon.reads) {
      const known = found.get(name);
      if (known) known.push(icon);
      else found.set(name, [icon]);
    }
  return found;
}
