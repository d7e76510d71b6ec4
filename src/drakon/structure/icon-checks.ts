import type { Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import type { IconId } from "../icon-id.ts";

/** Fields with a text that is not part of the procedure. */
export function ignoredTexts({ type, text, secondary }: Icon): ("content" | "secondary")[] {
  const role = roleOf(type);
  const hasNone = role === "arrow-loop" || role === "parend" || role === "end";
  return [
    ...(hasNone && text.trim() !== "" ? ["content" as const] : []),
    ...(role !== "step" && secondary?.trim() ? ["secondary" as const] : []),
  ];
}

/** The cases of all selects, also of those that no line leads to. */
export function casesOfSelects(icons: ReadonlyMap<IconId, Icon>): ReadonlySet<IconId> {
  const found = new Set<IconId>();
  for (const select of icons.values()) {
    if (select.type !== "select") continue;
    for (let id = select.one; id !== undefined && !found.has(id); id = icons.get(id)?.two) {
      if (icons.get(id)?.type !== "case") break;
      found.add(id);
    }
  }
  return found;
}
