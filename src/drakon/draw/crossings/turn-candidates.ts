import type { Diagram } from "../../diagram/diagram.ts";
import type { IconId } from "../../icon-id.ts";
import type { Picture } from "../picture.ts";
import type { Flaw } from "./find-flaws.ts";

/** Maximum distance of a candidate from the flaw, in lines. */
const MAX_STEPS = 40;

/** Questions upstream of the crossing lines, nearest first: turning one of them may remove the crossing. */
export function questionsNear(diagram: Diagram, picture: Picture, flaws: readonly Flaw[]): IconId[] {
  const iconOf = new Map(picture.icons.map(({ key, icon }) => [key, icon]));
  const before = new Map<number, number[]>();
  for (const { from, to, arrow } of picture.lines) {
    if (arrow) continue;
    const known = before.get(to);
    if (known) known.push(from);
    else before.set(to, [from]);
  }
  const found = new Set<IconId>();
  const seen = new Set<number>();
  let front = flaws.slice(0, 8).flatMap(({ a, b }) => [...a, ...b]);
  for (let step = 0; step < MAX_STEPS && front.length > 0; step++) {
    const next: number[] = [];
    for (const key of front) {
      if (seen.has(key)) continue;
      seen.add(key);
      const id = iconOf.get(key);
      if (id !== undefined && diagram.icons.get(id)?.type === "question") found.add(id);
      for (const from of before.get(key) ?? []) next.push(from);
    }
    front = next;
  }
  return [...found];
}
