import type { Diagram, Icon } from "../../diagram/diagram.ts";
import { roleOf } from "../../diagram/icon-types.ts";
import type { IconId } from "../../icon-id.ts";
import { hasRoomBeside } from "../measure/icon-box.ts";

/** Branches in drawing order. */
export const branchesOf = (diagram: Diagram): Icon[] =>
  [...diagram.icons.values()]
    .filter(({ type }) => type === "branch")
    .toSorted((a, b) => (a.branchId ?? Infinity) - (b.branchId ?? Infinity) || 0);

/**
 * Start icons for the parts that no branch reaches: first icons without an incoming line, then the members of pure cycles.
 * Searching from each that is not placed yet places all icons.
 */
export function unreachableRoots(diagram: Diagram, placed: ReadonlySet<IconId>): Icon[] {
  const left = [...diagram.icons.values()].filter(({ id, type }) => !placed.has(id) && roleOf(type) !== "none");
  const entered = new Set<IconId>();
  const beside = new Set<IconId>();
  for (const icon of diagram.icons.values()) if (icon.side !== undefined && hasRoomBeside(icon)) beside.add(icon.side);
  for (const { id, one, two } of left) for (const to of [one, two]) if (to !== undefined && to !== id) entered.add(to);
  const loose = left.filter(({ id, type }) => !(type === "duration" && beside.has(id)));
  return [...loose.filter(({ id }) => !entered.has(id)), ...loose.filter(({ id }) => entered.has(id))];
}
