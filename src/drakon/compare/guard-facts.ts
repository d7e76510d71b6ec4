import type { IconId } from "../icon-id.ts";
import { callsOf } from "./calls.ts";
import type { Changes } from "./changes.ts";
import { type Fact, fact } from "./fact.ts";
import type { DiagramOutline } from "./outline.ts";
import { ANSWERS } from "./own-facts.ts";
import type { Guard, RouteFlow } from "./route-flow.ts";
import { iconName, nameList } from "./target-names.ts";

/**
 * An answer guards an icon if every way to the icon passes it (dominance). Facts about removed and reversed checks, and about icons
 * that lost a guard which is still there.
 */
export function guardFacts(
  before: DiagramOutline,
  after: DiagramOutline,
  changes: Changes,
  flows: { readonly before: RouteFlow; readonly after: RouteFlow },
): Fact[] {
  const above = guardsAbove(flows.before);
  const kept = [...changes.partners.after].filter(
    ([a, b]) => before.routes.reached.has(a) && after.routes.reached.has(b),
  );
  const guarding = guardsOf(
    kept.map(([a]) => a),
    flows.before,
    above,
  );
  const facts: Fact[] = [];
  for (const index of changes.removed) {
    const { icon, reached } = before.entries[index]!;
    if (!reached || (icon.type !== "question" && icon.type !== "select")) continue;
    const cases = (before.routes.exits.get(icon.id) ?? []).map(({ to }) => to);
    const isGuard = [icon.id, ...(icon.type === "select" ? cases : [])].some((id) => guarding.has(id));
    facts.push(fact(isGuard ? "guard-removed" : "question-removed", icon.text, { before: icon.id }));
  }
  for (const icon of changes.swapped) {
    if (changes.negated.has(icon)) continue;
    const isGuard = guarding.get(icon)?.size === 1;
    const now = changes.partners.after.get(icon)!;
    facts.push(
      fact(isGuard ? "guard-reversed" : "answers-swapped", [iconName(before.routes, icon)], {
        before: icon,
        after: now,
      }),
    );
  }
  facts.push(...evasions(before, after, changes, flows, above, kept));
  return facts;
}

/** The nearest answer or case on every way to a node, or -1. */
function guardsAbove({ order, guardAt }: RouteFlow): Int32Array {
  const above = new Int32Array(order.position.length).fill(-1);
  for (const number of order.order.slice(1)) {
    const parent = order.dominator[number]!;
    above[number] = guardAt(parent) ? parent : above[parent]!;
  }
  return above;
}

/** The questions and cases that guard one of these icons, with the answers that do. */
function guardsOf(icons: readonly IconId[], flow: RouteFlow, above: Int32Array): Map<IconId, Set<string>> {
  const found = new Map<IconId, Set<string>>();
  const passed = new Uint8Array(above.length);
  for (const icon of icons) {
    const number = flow.numberOf(icon);
    if (number === undefined) continue;
    for (let at = above[number]!; at >= 0 && !passed[at]; at = above[at]!) {
      passed[at] = 1;
      const { icon: question, answer } = flow.guardAt(at)!;
      found.set(question, (found.get(question) ?? new Set()).add(answer));
    }
  }
  return found;
}

/** Maximum number of lost guards reported for one icon. */
const MAX_LOST = 8;
/** Limit of added calls that are compared with the guards of earlier calls. */
const MAX_SUSPECTS = 300;

function evasions(
  before: DiagramOutline,
  after: DiagramOutline,
  changes: Changes,
  flows: { readonly before: RouteFlow; readonly after: RouteFlow },
  above: Int32Array,
  kept: readonly (readonly [IconId, IconId])[],
): Fact[] {
  const { partners, swapped } = changes;
  /** True if the guard, where it is still in the diagram, no longer stands on every way to the icon. */
  const isEvaded = ({ icon, answer }: Guard, now: IconId): boolean => {
    const same = partners.after.get(icon);
    if (same === undefined || swapped.has(icon)) return false;
    const node = answer === "case" ? flows.after.numberOf(same) : flows.after.answerOf(same, answer);
    return node === undefined || !flows.after.order.dominates(node, flows.after.numberOf(now)!);
  };
  const lost = new Map<string, { readonly guard: Guard; readonly icons: (readonly [IconId | undefined, IconId])[] }>();
  const note = (guard: Guard, was: IconId | undefined, is: IconId): void => {
    const key = `${guard.answer} ${guard.icon}`;
    const known = lost.get(key);
    if (known) known.icons.push([was, is]);
    else lost.set(key, { guard, icons: [[was, is]] });
  };
  const twins = Map.groupBy(changes.merged.keys(), (icon) => partners.before.get(changes.merged.get(icon)!) ?? "");
  const guardsAll = (at: number, icon: IconId): boolean =>
    (twins.get(icon) ?? []).every((twin) => flows.before.order.dominates(at, flows.before.numberOf(twin)!));
  for (const [a, b] of kept) {
    if (!NAMED.test(before.routes.diagram.icons.get(a)!.type)) continue;
    // Up to the first guard that still holds: the ones above it guard it, and are checked there.
    let left = MAX_LOST;
    for (let at = above[flows.before.numberOf(a)!]!; at >= 0 && left > 0; at = above[at]!) {
      const guard = flows.before.guardAt(at)!;
      if (!partners.after.has(guard.icon) || swapped.has(guard.icon) || !guardsAll(at, a)) continue;
      if (!isEvaded(guard, b)) break;
      note(guard, a, b);
      left--;
    }
  }
  const callers = Map.groupBy(
    kept.flatMap(([a]) => callsOf(before.diagram.icons.get(a)!).map((name) => [name, a] as const)),
    ([name]) => name,
  );
  // A rewritten icon can bypass a guard like a new one: by what it did not call before.
  const suspects = [
    ...changes.added.map((index) => ({ icon: after.entries[index]!.icon, names: callsOf(after.entries[index]!.icon) })),
    ...changes.changed.map(([a, b]) => {
      const had = new Set(callsOf(before.entries[a]!.icon));
      const { icon } = after.entries[b]!;
      return { icon, names: callsOf(icon).filter((name) => !had.has(name)) };
    }),
  ].filter(({ icon, names }) => names.length > 0 && after.routes.reached.has(icon.id));
  for (const { icon, names } of suspects.slice(0, MAX_SUSPECTS)) {
    const earlier = names.flatMap((name) => callers.get(name) ?? []);
    if (earlier.length === 0) continue;
    const [first, ...others] = earlier.slice(0, MAX_SUSPECTS).map(([, a]) => guardChain(flows.before, above, a));
    for (const [key, guard] of first!)
      if (others.every((chain) => chain.has(key)) && isEvaded(guard, icon.id)) note(guard, undefined, icon.id);
  }
  return [...lost.values()].map(({ guard, icons }) => {
    const names = icons.map(([, is]) => iconName(after.routes, is));
    const { icon, answer } = guard;
    const asked = answer === "case" ? (before.routes.selects.get(icon) ?? icon) : icon;
    const how = answer === "case" ? iconName(before.routes, icon) : ANSWERS[answer];
    const [was, is] = icons[0]!;
    return fact("guard-evaded", [iconName(before.routes, asked), how, nameList(names)], {
      ...(was !== undefined && { before: was }),
      after: is,
      alsoBefore: [icon, ...icons.flatMap(([one]) => one ?? [])],
      alsoAfter: [...[partners.after.get(icon)].flatMap((one) => one ?? []), ...icons.map(([, one]) => one)],
    });
  });
}

/** Limit of guards above one call. */
const MAX_GUARDS = 200;

function guardChain(flow: RouteFlow, above: Int32Array, icon: IconId): Map<string, Guard> {
  const chain = new Map<string, Guard>();
  for (let at = above[flow.numberOf(icon)!]!; at >= 0 && chain.size < MAX_GUARDS; at = above[at]!) {
    const guard = flow.guardAt(at)!;
    chain.set(`${guard.answer} ${guard.icon}`, guard);
  }
  return chain;
}

/** Arrows, lower ends and the like follow their construct and are not named. */
export const NAMED = /^(?!end$|loopend$|parend$|parbegin$|arrow-loop$|duration$|case$|branch$)/;
