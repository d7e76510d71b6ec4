import type { IconId } from "../icon-id.ts";
import type { OutlineEntry } from "./outline.ts";
import { behindArrows, type ExitLabel, type Place, type RouteGraph } from "./route-graph.ts";

/** Limit of icons that are looked at. */
const MAX_STEPS = 500;

interface Side {
  readonly routes: RouteGraph;
  readonly entries: readonly OutlineEntry[];
}

/** Places of both diagrams that stand for each other. */
interface PlacePartners {
  readonly partnerOf: (place: Place) => Place | undefined;
  readonly originOf: (place: Place) => Place | undefined;
}

/**
 * Steps of one diagram that the other has once less, because equal steps with the same way on are drawn as one there: every way to
 * such a step, and to its equal, leads to the one step there. `alone`: icons without a partner.
 */
export function equalSteps(
  one: Side,
  other: Side,
  alone: readonly IconId[],
  { partnerOf, originOf }: PlacePartners,
): ReadonlyMap<IconId, IconId> {
  const found = new Map<IconId, IconId>();
  const candidates = alone.filter((icon) => one.routes.reached.has(icon) && nextOf(one.routes, icon) !== undefined);
  if (candidates.length === 0 || candidates.length > MAX_STEPS) return found;
  const keys = new Map(one.entries.map((entry) => [entry.icon.id, stepKey(entry)]));
  const equals = Map.groupBy(
    other.entries.filter(
      ({ icon }) => other.routes.reached.has(icon.id) && nextOf(other.routes, icon.id) !== undefined,
    ),
    stepKey,
  );
  const image = (place: Place): Place | undefined => found.get(place) ?? partnerOf(place);
  for (let more = true; more; ) {
    more = false;
    for (const icon of candidates) {
      if (found.has(icon)) continue;
      const next = image(nextOf(one.routes, icon)!);
      const same = (equals.get(keys.get(icon)!) ?? []).find(({ icon: { id } }) => nextOf(other.routes, id) === next);
      if (next === undefined || !same) continue;
      found.set(icon, same.icon.id);
      more = true;
    }
  }
  const entered = sourcesOfSteps(
    one.routes,
    new Set([...found.keys(), ...[...found.values()].flatMap((to) => originOf(to) ?? [])]),
  );
  const isEnteredAt = (icon: IconId | undefined, same: IconId): boolean =>
    (entered.get(icon ?? "") ?? []).every(({ from, label }) => targetOf(other.routes, image(from), label) === same);
  for (let more = true; more; ) {
    more = false;
    for (const [icon, same] of found) {
      const kept =
        image(nextOf(one.routes, icon)!) === nextOf(other.routes, same) &&
        isEnteredAt(icon, same) &&
        isEnteredAt(originOf(same), same);
      if (kept) continue;
      found.delete(icon);
      more = true;
    }
  }
  return found;
}

/** The place behind a plain step; undefined for other icons. */
function nextOf(routes: RouteGraph, icon: IconId): Place | undefined {
  const out = routes.exits.get(icon);
  const isStep = out?.length === 1 && out[0]!.label === "next" && !HEADS.has(routes.diagram.icons.get(icon)!.type);
  return isStep ? behindArrows(routes, out[0]!.to) : undefined;
}

const HEADS = new Set(["branch", "case", "parbegin", "parend", "arrow-loop"]);

function targetOf(routes: RouteGraph, from: Place | undefined, label: ExitLabel): Place | undefined {
  const exit = from === undefined ? undefined : routes.exits.get(from)?.find((one) => one.label === label);
  return exit && behindArrows(routes, exit.to);
}

interface Source {
  readonly from: Place;
  readonly label: ExitLabel;
}

/** The exits that lead to each of these icons, behind loop arrows. */
export function sourcesOfSteps(routes: RouteGraph, icons: ReadonlySet<IconId>): Map<IconId, Source[]> {
  const found = new Map<IconId, Source[]>();
  for (const [from, out] of routes.exits) {
    if (!routes.reached.has(from) || routes.diagram.icons.get(from)?.type === "arrow-loop") continue;
    for (const { label, to } of out) {
      const target = behindArrows(routes, to);
      if (icons.has(target)) found.set(target, [...(found.get(target) ?? []), { from, label }]);
    }
  }
  return found;
}

/** Equal for steps that look the same. */
export const stepKey = ({ icon: { type, text, secondary, final }, duration }: OutlineEntry): string =>
  JSON.stringify([type, text, secondary ?? "", duration, final]);
