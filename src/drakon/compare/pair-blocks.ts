import type { IconId } from "../icon-id.ts";
import type { IconMatching } from "./match-icons.ts";
import type { DiagramOutline } from "./outline.ts";

/**
 * Corrects a matching so that parts follow their constructs: the lower ends of matched loops and the ends of matched parallel
 * blocks are matched, and a case only to a case of the matched select. Lower ends have no text, so that matching by text and
 * neighbours may confuse them.
 */
export function pairBlocks(before: DiagramOutline, after: DiagramOutline, matching: IconMatching): IconMatching {
  const toAfter = new Map(matching.toAfter);
  const toBefore = new Map(matching.toBefore);
  const [atBefore, atAfter] = [before, after].map(
    ({ entries }) => new Map(entries.map(({ icon }, index) => [icon.id, index])),
  ) as [Map<IconId, number>, Map<IconId, number>];
  const part = (a: number): void => {
    const b = toAfter.get(a);
    if (b === undefined) return;
    toAfter.delete(a);
    toBefore.delete(b);
  };
  const pair = (x: IconId | undefined, y: IconId | undefined): void => {
    const [a, b] = [x === undefined ? undefined : atBefore.get(x), y === undefined ? undefined : atAfter.get(y)];
    if (a === undefined || b === undefined || toAfter.get(a) === b) return;
    part(a);
    const other = toBefore.get(b);
    if (other !== undefined) part(other);
    toAfter.set(a, b);
    toBefore.set(b, a);
  };
  const partner = (icon: IconId): IconId | undefined => {
    const at = atBefore.get(icon);
    const to = at === undefined ? undefined : toAfter.get(at);
    return to === undefined ? undefined : after.entries[to]!.icon.id;
  };
  const [old, now] = [before.routes, after.routes];
  for (const [begin, end] of old.loopEnds) {
    const other = partner(begin);
    const lower = other === undefined ? undefined : now.loopEnds.get(other);
    if (lower !== undefined) pair(end, lower);
    else if (atBefore.has(end)) part(atBefore.get(end)!);
  }
  for (const [block, processes] of Map.groupBy(old.blocks.keys(), (process) => old.blocks.get(process)!)) {
    const blockNow = (process: IconId): IconId | undefined => now.blocks.get(partner(process) ?? "");
    const votes = Map.groupBy(processes.map(blockNow), (one) => one);
    votes.delete(undefined);
    const [winner] = [...votes].toSorted(([, x], [, y]) => y.length - x.length)[0] ?? [];
    pair(block, winner);
    for (const one of processes) if ((blockNow(one) ?? winner) !== winner) part(atBefore.get(one)!);
  }
  for (const [one, select] of old.selects) {
    const other = partner(one);
    const selectNow = now.selects.get(other ?? ""); // unknown if no line leads to it
    if (selectNow !== undefined && partner(select) !== selectNow) part(atBefore.get(one)!);
  }
  return { toAfter, toBefore };
}
