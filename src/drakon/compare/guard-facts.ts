import type { IconId } from "../icon-id.ts";
import { callsOf } from "./calls.ts";
import type { Changes } from "./changes.ts";
import { type Fact, fact } from "./fact.ts";
import type { Container, DiagramOutline } from "./outline.ts";

/**
 * A guard is a question that decides whether an icon in both diagrams is reached. A reviewer must not overlook a lost guard,
 * so a removed question counts as one whenever an icon that it guarded is still there.
 */
export function guardFacts(before: DiagramOutline, after: DiagramOutline, changes: Changes): Fact[] {
  const facts: Fact[] = [];
  const kept = holding(
    before,
    changes.pairs.map(([a]) => a),
  );
  const held = holding(
    after,
    changes.pairs.map(([, b]) => b),
  );
  for (const index of changes.removed) {
    const { icon, leaves } = before.entries[index]!;
    if (icon.type !== "question" && icon.type !== "select") continue;
    const guarded = leaves || kept.has(icon.id);
    facts.push(fact(guarded ? "guard-removed" : "branch-removed", icon.text, { before: icon.id }));
  }
  for (const index of changes.added) {
    const { icon, leaves } = after.entries[index]!;
    if (icon.type !== "question" && icon.type !== "select") continue;
    const guards = leaves || held.has(icon.id);
    facts.push(fact(guards ? "guard-added" : "branch-added", icon.text, { after: icon.id }));
  }
  for (const [a, b] of changes.pairs) {
    const [was, is] = [before.entries[a]!, after.entries[b]!];
    if (was.leaves && !is.leaves && is.reached && !held.has(is.icon.id))
      facts.push(fact("guard-removed", was.icon.text, { before: was.icon.id, after: is.icon.id }));
  }
  const arms = filledArms(before);
  for (const index of changes.swapped) {
    const { icon, leaves } = before.entries[index]!;
    facts.push(
      fact(leaves || arms.get(icon.id)?.size === 1 ? "guard-reversed" : "answers-swapped", icon.text, {
        before: icon.id,
      }),
    );
  }
  return facts;
}

/** The answers of each question that lead to icons. */
function filledArms({ entries }: DiagramOutline): Map<IconId, Set<string>> {
  const arms = new Map<IconId, Set<string>>();
  for (const container of new Set(entries.map(({ inside }) => inside))) {
    if (!container || container.arm === "") continue;
    for (const id of container.icons) arms.set(id, (arms.get(id) ?? new Set()).add(container.arm));
  }
  return arms;
}

/** Questions and cases that contain one of these icons, at any depth. */
function holding({ entries }: DiagramOutline, indices: readonly number[]): Set<IconId> {
  const passed = new Set<Container>();
  const found = new Set<IconId>();
  for (const index of indices) {
    for (let at = entries[index]!.inside; at && !passed.has(at); at = at.up) {
      passed.add(at);
      for (const id of at.icons) found.add(id);
    }
  }
  return found;
}

/** Limit of calls checked one by one; a larger change reports its moves anyway. */
const MAX_SUSPECTS = 300;

/** Calls that lost a check which guarded them; new calls that bypass the checks of existing calls of the same name. */
export function evasions(before: DiagramOutline, after: DiagramOutline, changes: Changes): Fact[] {
  const [partner, idAfter] = [new Map(changes.pairs), new Map<IconId, IconId>()];
  for (const [a, b] of changes.pairs) idAfter.set(before.entries[a]!.icon.id, after.entries[b]!.icon.id);
  const still = (guards: ReadonlySet<IconId>): IconId[] => [...guards].flatMap((id) => idAfter.get(id) ?? []);
  const [guardsBefore, guardsAfter] = [guardFinder(before), guardFinder(after)];
  const facts: Fact[] = [];
  const calls = [...partner.keys()].filter((index) => callsOf(before.entries[index]!).length > 0);
  const checkMoved = [...changes.moved].some((index) => before.entries[index]!.leaves);
  for (const index of calls.filter((call) => checkMoved || changes.moved.has(call)).slice(0, MAX_SUSPECTS)) {
    const now = partner.get(index)!;
    const guards = guardsAfter(now);
    if (still(guardsBefore(index)).every((id) => guards.has(id))) continue;
    const ids = { before: before.entries[index]!.icon.id, after: after.entries[now]!.icon.id };
    facts.push(fact("guard-evaded", before.entries[index]!.icon.text, ids));
  }
  for (const index of changes.added.filter((one) => after.entries[one]!.reached).slice(0, MAX_SUSPECTS)) {
    const { icon } = after.entries[index]!;
    const names = new Set(callsOf(after.entries[index]!));
    const old =
      names.size === 0 ? [] : calls.filter((call) => callsOf(before.entries[call]!).some((name) => names.has(name)));
    if (old.length === 0) continue;
    const guards = guardsAfter(index);
    const [first, ...others] = old.map((call) => new Set(still(guardsBefore(call))));
    const always = [...first!].filter((id) => others.every((set) => set.has(id)));
    if (always.some((id) => !guards.has(id))) facts.push(fact("guard-evaded", icon.text, { after: icon.id }));
  }
  return facts;
}

/** Questions that decide whether an icon is reached: those around it, and earlier ones with an answer that leads away. */
function guardFinder({ entries }: DiagramOutline): (index: number) => Set<IconId> {
  const leaving = [...entries.keys()].filter((index) => entries[index]!.leaves);
  return (index) => {
    const guards = new Set<IconId>();
    const around = new Set<Container | undefined>();
    for (let at = entries[index]!.inside; at; at = at.up) {
      around.add(at);
      if (at.arm !== "") for (const id of at.icons) guards.add(id);
    }
    for (const check of leaving) {
      if (check >= index) break;
      if (around.has(entries[check]!.inside)) guards.add(entries[check]!.icon.id);
    }
    return guards;
  };
}
