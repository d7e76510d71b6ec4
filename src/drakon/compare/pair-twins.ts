import type { IconId } from "../icon-id.ts";
import { sourcesOfSteps, stepKey } from "./equal-steps.ts";
import type { IconMatching } from "./match-icons.ts";
import type { DiagramOutline } from "./outline.ts";
import type { Place } from "./route-graph.ts";

/** Limit of unmatched icons that are looked at. */
const MAX_ALONE = 500;

/**
 * Corrects a matching among equal steps, of which one diagram has more: the step that the same exits lead to is the partner. Matching
 * by text and order may take the first of them.
 */
export function pairTwins(before: DiagramOutline, after: DiagramOutline, matching: IconMatching): IconMatching {
  const toAfter = new Map(matching.toAfter);
  const toBefore = new Map(matching.toBefore);
  exchange({ one: after, other: before, toOne: toAfter, toOther: toBefore });
  exchange({ one: before, other: after, toOne: toBefore, toOther: toAfter });
  return { toAfter, toBefore };
}

interface Sides {
  /** The diagram with more equal steps. */
  readonly one: DiagramOutline;
  readonly other: DiagramOutline;
  readonly toOne: Map<number, number>;
  readonly toOther: Map<number, number>;
}

function exchange({ one, other, toOne, toOther }: Sides): void {
  const alone = [...one.entries.keys()].filter((index) => !toOther.has(index) && one.entries[index]!.reached);
  if (alone.length === 0 || alone.length > MAX_ALONE) return;
  const twins = Map.groupBy(toOther.keys(), (index) => stepKey(one.entries[index]!));
  const candidates = alone.filter((index) => twins.has(stepKey(one.entries[index]!)));
  if (candidates.length === 0) return;
  const idOf = ({ entries }: DiagramOutline, index: number): IconId => entries[index]!.icon.id;
  const concerned = candidates.flatMap((index) => [index, ...twins.get(stepKey(one.entries[index]!))!]);
  const inOne = sourcesOfSteps(one.routes, new Set(concerned.map((index) => idOf(one, index))));
  const partners = concerned.flatMap((index) => toOther.get(index) ?? []).map((index) => idOf(other, index));
  const inOther = sourcesOfSteps(other.routes, new Set(partners));
  const indexOf = new Map(one.entries.map(({ icon }, index) => [icon.id, index]));
  const placeInOther = (place: Place): Place => {
    const index = toOther.get(indexOf.get(place) ?? -1);
    return index === undefined ? place : idOf(other, index);
  };
  const entries = (index: number): string =>
    namesOf((inOne.get(idOf(one, index)) ?? []).map(({ from, label }) => `${label} ${placeInOther(from)}`));
  for (const index of candidates) {
    const mine = entries(index);
    const better = twins.get(stepKey(one.entries[index]!))!.find((twin) => {
      const partner = toOther.get(twin);
      if (partner === undefined || mine === "") return false;
      const theirs = namesOf((inOther.get(idOf(other, partner)) ?? []).map(({ from, label }) => `${label} ${from}`));
      return mine === theirs && entries(twin) !== theirs;
    });
    if (better === undefined) continue;
    const partner = toOther.get(better)!;
    toOther.delete(better);
    toOther.set(index, partner);
    toOne.set(partner, index);
  }
}

const namesOf = (names: readonly string[]): string => names.toSorted().join("\n");
