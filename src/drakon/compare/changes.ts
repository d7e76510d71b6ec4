import type { Icon } from "../diagram/diagram.ts";
import type { IconId } from "../icon-id.ts";
import { longestIncreasing } from "./longest-increasing.ts";
import type { IconMatching } from "./match-icons.ts";
import type { Container, DiagramOutline, OutlineEntry } from "./outline.ts";

/** Changes between two outlines, as positions in them. */
export interface Changes {
  readonly pairs: readonly (readonly [before: number, after: number])[];
  readonly added: readonly number[];
  readonly removed: readonly number[];
  /** Pairs that differ in text, type, duration or `final`, or whose answers are swapped. */
  readonly changed: ReadonlySet<number>;
  /** Questions whose "yes" leads where "no" did. */
  readonly swapped: ReadonlySet<number>;
  /** Pairs in another order, or in another container. */
  readonly moved: ReadonlySet<number>;
}

export function changesBetween(before: DiagramOutline, after: DiagramOutline, matching: IconMatching): Changes {
  const pairs = [...matching.toAfter].toSorted(([a], [b]) => a - b);
  const partner = new Map<IconId, IconId>(
    pairs.map(([a, b]) => [before.entries[a]!.icon.id, after.entries[b]!.icon.id]),
  );
  const swapped = new Set<number>();
  const changed = new Set<number>();
  for (const [a, b] of pairs) {
    const [x, y] = [before.entries[a]!, after.entries[b]!];
    if (answersSwapped(x.icon, y.icon, partner)) swapped.add(a);
    if (swapped.has(a) || !looksSame(x, y)) changed.add(a);
  }
  return {
    pairs,
    added: [...after.entries.keys()].filter((index) => !matching.toBefore.has(index)),
    removed: [...before.entries.keys()].filter((index) => !matching.toAfter.has(index)),
    changed,
    swapped,
    moved: movedOf(before, after, pairs, partner, new Set([...swapped].map((a) => before.entries[a]!.icon.id))),
  };
}

const looksSame = (a: OutlineEntry, b: OutlineEntry): boolean =>
  a.icon.text === b.icon.text &&
  a.icon.type === b.icon.type &&
  (a.icon.secondary ?? "") === (b.icon.secondary ?? "") &&
  a.duration === b.duration &&
  a.icon.final === b.icon.final;

function answersSwapped(x: Icon, y: Icon, partner: ReadonlyMap<IconId, IconId>): boolean {
  if (x.type !== "question" || y.type !== "question") return false;
  const [yes, no] = answers(x).map((id) => (id === undefined ? undefined : partner.get(id)));
  const [nowYes, nowNo] = answers(y);
  return yes !== no && yes !== undefined && no !== undefined && yes === nowNo && no === nowYes;
}

const answers = ({ one, two, yesIsDown }: Icon): [IconId | undefined, IconId | undefined] =>
  yesIsDown ? [one, two] : [two, one];

/** Lower ends, arrows and the like move with their construct; only named icons are reported as moved. */
const NAMED = /^(?!end$|loopend$|parend$|parbegin$|arrow-loop$|duration$)/;

function movedOf(
  before: DiagramOutline,
  after: DiagramOutline,
  pairs: Changes["pairs"],
  partner: ReadonlyMap<IconId, IconId>,
  swapped: ReadonlySet<IconId>,
): Set<number> {
  const moved = new Set<number>();
  const named = pairs.filter(([a]) => NAMED.test(before.entries[a]!.icon.type) && before.entries[a]!.reached);
  const kept = new Set(longestIncreasing(named.map(([, b]) => b)));
  const back = new Set(partner.values());
  const homeBefore = nearest((id) => partner.has(id));
  const homeAfter = nearest((id) => back.has(id));
  for (const [index, [a, b]] of named.entries()) {
    const [x, y] = [before.entries[a]!, after.entries[b]!];
    if (!y.reached) continue;
    if (!kept.has(index) || !sameHome(homeBefore(x.inside), homeAfter(y.inside))) moved.add(a);
  }
  return moved;

  function sameHome(x: Container | undefined, y: Container | undefined): boolean {
    if (!x || !y || !before.tree || !after.tree) return true;
    const shared = x.icons.find((id) => partner.has(id) && y.icons.includes(partner.get(id)!));
    if (shared === undefined) return false;
    return (x.arm === y.arm) !== (x.arm !== "" && swapped.has(shared));
  }
}

/** The innermost container with an icon in both diagrams; added and removed containers are skipped. */
function nearest(has: (id: IconId) => boolean): (inside: Container | undefined) => Container | undefined {
  const known = new Map<Container, Container | undefined>();
  return (inside) => {
    const passed: Container[] = [];
    let at = inside;
    while (at && !known.has(at) && !at.icons.some(has)) {
      passed.push(at);
      at = at.up;
    }
    const found = at && (known.has(at) ? known.get(at) : at);
    for (const one of passed) known.set(one, found);
    return found;
  };
}
