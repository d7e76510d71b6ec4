import type { IconId } from "../icon-id.ts";
import { equalSteps } from "./equal-steps.ts";
import { type Partners, type RouteChanges, routeChanges } from "./exit-changes.ts";
import { matchIcons } from "./match-icons.ts";
import { areOpposite } from "./negation.ts";
import type { DiagramOutline, OutlineEntry } from "./outline.ts";
import { pairBlocks } from "./pair-blocks.ts";
import { pairTwins } from "./pair-twins.ts";
import { blockEnding, END, type Place, processEnd, START } from "./route-graph.ts";

/** Changes between two outlines, as positions in them; routes by icon. */
export interface Changes extends RouteChanges {
  readonly pairs: readonly (readonly [before: number, after: number])[];
  readonly partners: Partners;
  readonly added: readonly number[];
  readonly removed: readonly number[];
  /** Pairs that differ in text, type, duration or `final`. */
  readonly changed: readonly (readonly [before: number, after: number])[];
  /** Removed steps that are drawn as one with an equal step: the step of the new diagram. */
  readonly merged: ReadonlyMap<IconId, IconId>;
  /** Added steps that were drawn as one with an equal step: the step of the old diagram. */
  readonly split: ReadonlyMap<IconId, IconId>;
  /** Swapped questions, by their id before, whose new condition is the old one denied. */
  readonly negated: ReadonlySet<IconId>;
}

export function changesBetween(before: DiagramOutline, after: DiagramOutline): Changes {
  const matching = pairTwins(before, after, pairBlocks(before, after, matchIcons(before.entries, after.entries)));
  const pairs = [...matching.toAfter].toSorted(([a], [b]) => a - b);
  const ids = pairs.map(([a, b]): [IconId, IconId] => [before.entries[a]!.icon.id, after.entries[b]!.icon.id]);
  const partners: Partners = { after: new Map(ids), before: new Map(ids.map(([a, b]) => [b, a])) };
  const added = [...after.entries.keys()].filter((index) => !matching.toBefore.has(index));
  const removed = [...before.entries.keys()].filter((index) => !matching.toAfter.has(index));
  const changed = pairs.filter(([a, b]) => !looksSame(before.entries[a]!, after.entries[b]!));
  const idsOf = ({ entries }: DiagramOutline, indices: readonly number[]): IconId[] =>
    indices.map((index) => entries[index]!.icon.id);
  const later = (place: Place): Place | undefined => placeIn(partners.after, place);
  const earlier = (place: Place): Place | undefined => placeIn(partners.before, place);
  const merged = equalSteps(before, after, idsOf(before, removed), { partnerOf: later, originOf: earlier });
  const split = equalSteps(after, before, idsOf(after, added), { partnerOf: earlier, originOf: later });
  const routes = routeChanges(before.routes, after.routes, partners, { merged, split });
  const negated = changed.flatMap(([a, b]) => {
    const [was, is] = [before.entries[a]!.icon, after.entries[b]!.icon];
    return routes.swapped.has(was.id) && areOpposite(was.text, is.text) ? [was.id] : [];
  });
  return { ...routes, pairs, partners, added, removed, changed, merged, split, negated: new Set(negated) };
}

/** A place of one diagram in the other one. */
function placeIn(partners: ReadonlyMap<IconId, IconId>, place: Place): Place | undefined {
  const block = blockEnding(place);
  if (block === undefined) return partners.get(place) ?? (place === END || place === START ? place : undefined);
  const other = partners.get(block);
  return other === undefined ? undefined : processEnd(other);
}

const looksSame = (a: OutlineEntry, b: OutlineEntry): boolean =>
  a.icon.text === b.icon.text &&
  a.icon.type === b.icon.type &&
  (a.icon.secondary ?? "") === (b.icon.secondary ?? "") &&
  a.duration === b.duration &&
  a.icon.final === b.icon.final;
