import type { IconId } from "../icon-id.ts";
import { type Partners, type RouteChanges, routeChanges } from "./exit-changes.ts";
import { matchIcons } from "./match-icons.ts";
import type { DiagramOutline, OutlineEntry } from "./outline.ts";
import { pairBlocks } from "./pair-blocks.ts";

/** Changes between two outlines, as positions in them; routes by icon. */
export interface Changes extends RouteChanges {
  readonly pairs: readonly (readonly [before: number, after: number])[];
  readonly partners: Partners;
  readonly added: readonly number[];
  readonly removed: readonly number[];
  /** Pairs that differ in text, type, duration or `final`. */
  readonly changed: readonly (readonly [before: number, after: number])[];
}

export function changesBetween(before: DiagramOutline, after: DiagramOutline): Changes {
  const matching = pairBlocks(before, after, matchIcons(before.entries, after.entries));
  const pairs = [...matching.toAfter].toSorted(([a], [b]) => a - b);
  const ids = pairs.map(([a, b]): [IconId, IconId] => [before.entries[a]!.icon.id, after.entries[b]!.icon.id]);
  const partners: Partners = { after: new Map(ids), before: new Map(ids.map(([a, b]) => [b, a])) };
  return {
    ...routeChanges(before.routes, after.routes, partners),
    pairs,
    partners,
    added: [...after.entries.keys()].filter((index) => !matching.toBefore.has(index)),
    removed: [...before.entries.keys()].filter((index) => !matching.toAfter.has(index)),
    changed: pairs.filter(([a, b]) => !looksSame(before.entries[a]!, after.entries[b]!)),
  };
}

const looksSame = (a: OutlineEntry, b: OutlineEntry): boolean =>
  a.icon.text === b.icon.text &&
  a.icon.type === b.icon.type &&
  (a.icon.secondary ?? "") === (b.icon.secondary ?? "") &&
  a.duration === b.duration &&
  a.icon.final === b.icon.final;
