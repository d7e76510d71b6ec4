import type { Text } from "../../base/text.ts";
import { boundNames } from "../expression/bound-names.ts";
import { namesIn } from "../expression/lexer.ts";
import type { IconId } from "../icon-id.ts";
import { callsOf, isOutput } from "./calls.ts";
import type { Changes } from "./changes.ts";
import { concerning, type Fact, type FactKind, fact } from "./fact.ts";
import { NAMED } from "./guard-facts.ts";
import { orderFact } from "./order-fact.ts";
import type { DiagramOutline } from "./outline.ts";
import type { RouteFlow } from "./route-flow.ts";
import { type Place, placesBehind, START } from "./route-graph.ts";
import { destination, exitName, iconName, inBody, loopsAround, nameList, targetName } from "./target-names.ts";
import { addedWeights, denial, visitWeights } from "./visit-weights.ts";

interface Flows {
  readonly before: RouteFlow;
  readonly after: RouteFlow;
}

/** Facts about exits that lead elsewhere, steps that stand elsewhere, and the order of cases. */
export function exitFacts(before: DiagramOutline, after: DiagramOutline, changes: Changes, flows: Flows): Fact[] {
  const [old, now] = [before.routes, after.routes];
  const facts = changes.exits.map(({ before: a, after: b, label, was, is }) => {
    const inside = new Set([
      ...loopsAround(old, flows.before, a)
        .flatMap((loop) => changes.partners.after.get(loop) ?? [])
        .filter((loop) => inBody(now, flows.after, loop, b)),
      ...loopsAround(now, flows.after, b),
    ]);
    const { name, isBack, leaving } = destination(now, flows.after, { from: b, to: is, inside: [...inside] });
    const earlier = targetName(old, was);
    const alike = earlier.en === name.en;
    const to: Text = {
      en: `${isBack ? "back to" : "to"} ${name.en}${alike ? " in another place" : ""}${leaving ? `, ${leaving.en},` : ""}`,
      uk: `${isBack ? "назад до" : "до"} ${name.uk}${alike ? " в іншому місці" : ""}${leaving ? `, ${leaving.uk},` : ""}`,
    };
    return fact("exit-changed", [exitName(now, b, label), to, alike ? THE_OTHER : earlier], {
      ...(a !== START && { before: a, after: b }),
      alsoBefore: iconsAt(before, was),
      alsoAfter: iconsAt(after, is),
    });
  });
  return [
    ...facts,
    ...changes.moved.map((run) => orderFact(before, after, changes, flows, run)),
    ...reordered(before, after, changes),
  ];
}

const THE_OTHER: Text = { en: "the earlier one", uk: "попереднього" };

const iconsAt = ({ diagram }: DiagramOutline, place: Place): IconId[] => (diagram.icons.has(place) ? [place] : []);

/** Selects whose common cases are in another order: the first fitting case is taken. */
function reordered(before: DiagramOutline, after: DiagramOutline, { partners }: Changes): Fact[] {
  const facts: Fact[] = [];
  for (const [a, b] of partners.after) {
    if (after.diagram.icons.get(b)?.type !== "select") continue;
    const was = (before.routes.exits.get(a) ?? []).flatMap(({ to }) => partners.after.get(to) ?? []);
    const is = (after.routes.exits.get(b) ?? []).flatMap(({ to }) => (partners.before.has(to) ? [to] : []));
    if (was.join("\n") === is.join("\n") || was.toSorted().join("\n") !== is.toSorted().join("\n")) continue;
    facts.push(fact("cases-reordered", [iconName(after.routes, b)], { before: a, after: b, alsoAfter: is }));
  }
  return facts;
}

/** Consequences for icons in both diagrams: no longer or newly reached, repeated, reached on other conditions. */
export function reachFacts(before: DiagramOutline, after: DiagramOutline, changes: Changes, flows: Flows): Fact[] {
  const [old, now] = [before.routes, after.routes];
  const pairs = [...changes.partners.after];
  const isStep = (icon: IconId): boolean => {
    const { type } = after.diagram.icons.get(icon)!;
    return NAMED.test(type) && !ASKING.has(type);
  };
  const both = pairs.filter(([a, b]) => old.reached.has(a) && now.reached.has(b));
  const lost = pairs.filter(([a, b]) => old.reached.has(a) && !now.reached.has(b));
  const won = pairs.filter(([a, b]) => !old.reached.has(a) && now.reached.has(b));
  const again = both.filter(([a, b]) => isStep(b) && !flows.before.repeats(a) && flows.after.repeats(b));
  const once = both.filter(([a, b]) => isStep(b) && flows.before.repeats(a) && !flows.after.repeats(b));
  const effect = ([, b]: readonly [IconId, IconId]): boolean => isOutput(after.diagram.icons.get(b)!);
  const listed = (kind: FactKind, all: readonly (readonly [IconId, IconId])[]): Fact[] =>
    all.length === 0 ? [] : [listFact(kind, after, all)];
  return [
    ...listed("output-unreached", lost.filter(effect)),
    ...listed(
      "unreached",
      lost.filter((one) => !effect(one)),
    ),
    ...listed("newly-reached", won),
    ...listed("output-repeated", [...again.filter(effect), ...doneTwice(before, after, changes, flows)]),
    ...listed(
      "step-repeated",
      again.filter((one) => !effect(one)),
    ),
    ...listed("no-longer-repeated", once),
  ];
}

/** Limit of added effects that are searched for a second one like them. */
const MAX_TWICE = 50;

/** Effects of both diagrams that an added icon with the same text repeats: a way leads from one to the other. */
function doneTwice(
  before: DiagramOutline,
  after: DiagramOutline,
  changes: Changes,
  flows: Flows,
): (readonly [IconId, IconId])[] {
  const { partners, split } = changes;
  const added = changes.added
    .map((index) => after.entries[index]!.icon)
    .filter((icon) => after.routes.reached.has(icon.id) && isOutput(icon) && !split.has(icon.id));
  const found = new Map<IconId, IconId>();
  for (const { id, type, text } of added.slice(0, MAX_TWICE)) {
    const twins = [...partners.after].filter(([a, b]) => {
      const [was, is] = [before.diagram.icons.get(a)!, after.diagram.icons.get(b)!];
      return is.type === type && is.text === text && was.text === text && after.routes.reached.has(b);
    });
    const behind = twins.length === 0 ? new Set() : placesBehind(after.routes, id);
    for (const [a, b] of twins)
      if (!flows.before.repeats(a) && (behind.has(b) || placesBehind(after.routes, b).has(id))) found.set(a, b);
  }
  return [...found];
}

const ASKING = new Set(["question", "select", "loopbegin", "comment"]);

/** A fact about several icons. Lower ends, arrows and the like are named only if there is nothing else. */
function listFact(kind: FactKind, { routes }: DiagramOutline, all: readonly (readonly [IconId, IconId])[]): Fact {
  const named = all.filter(([, b]) => NAMED.test(routes.diagram.icons.get(b)!.type));
  const list = named.length > 0 ? named : all;
  const [first] = list;
  return fact(kind, [nameList(list.map(([, b]) => iconName(routes, b)))], {
    before: first![0],
    after: first![1],
    alsoBefore: all.map(([a]) => a),
    alsoAfter: all.map(([, b]) => b),
  });
}

/** Kinds that say why icons are reached on other conditions. */
const CAUSES: ReadonlySet<FactKind> = new Set<FactKind>([
  "exit-changed",
  "guard-added",
  "guard-removed",
  "question-removed",
  "guard-reversed",
  "answers-swapped",
  "order-changed",
  "case-added",
  "case-removed",
  "cases-reordered",
  "loop-added",
  "loop-removed",
]);

/**
 * Adds the icons that are reached on other conditions: calls and outputs with a sentence of their own, unless another fact names
 * them; other icons are added to the first fact that is a cause.
 */
export function withConditions(
  before: DiagramOutline,
  after: DiagramOutline,
  changes: Changes,
  facts: readonly Fact[],
): Fact[] {
  if (!before.tree || !after.tree) return [...facts];
  const affected = otherwiseReached(before, after, changes, resorted(before, after, changes, false));
  if (affected.length === 0) return [...facts];
  const surely = new Map(otherwiseReached(before, after, changes, resorted(before, after, changes, true)));
  const told = new Set(facts.flatMap(({ icons }) => icons.after));
  const notable = affected.filter(([a, b]) => {
    const icon = after.diagram.icons.get(b)!;
    return surely.has(a) && !told.has(b) && (isOutput(icon) || callsOf(icon).length > 0);
  });
  const [x, y] = [affected.map(([a]) => a), affected.map(([, b]) => b)];
  const cause = facts.findIndex(({ kind }) => CAUSES.has(kind));
  if (notable.length > 0 || cause < 0) {
    const list = notable.length > 0 ? notable : affected;
    return [...facts, concerning(listFact("conditions-changed", after, list), x, y)];
  }
  return facts.map((one, index) => (index === cause ? concerning(one, x, y) : one));
}

/** Icons of both diagrams that are reached on other conditions, if these cases are chosen on others. */
function otherwiseReached(
  before: DiagramOutline,
  after: DiagramOutline,
  { partners, negated, merged, split }: Changes,
  other: ReadonlySet<IconId>,
): [IconId, IconId][] {
  const old = visitWeights(before.routes, (icon) =>
    partners.after.has(icon) && !other.has(icon) ? icon : `- ${icon}`,
  );
  const now = visitWeights(after.routes, (icon) => {
    const was = partners.before.get(icon);
    if (was === undefined || other.has(was)) return `+ ${icon}`;
    return negated.has(was) ? denial(was) : was;
  });
  const sums = { old: totals(old, merged, partners.before), now: totals(now, split, partners.after) };
  return [...partners.after].filter(
    ([a, b]) =>
      before.routes.reached.has(a) &&
      after.routes.reached.has(b) &&
      after.diagram.icons.get(b)!.type !== "arrow-loop" &&
      sums.old(a) !== sums.now(b),
  );
}

/** The weight of an icon, with the weights of the equal steps that stand for it. `partners`: of the icons that `twins` leads to. */
function totals(
  weights: ReadonlyMap<Place, number>,
  twins: ReadonlyMap<IconId, IconId>,
  partners: ReadonlyMap<IconId, IconId>,
): (icon: IconId) => number | undefined {
  const groups = Map.groupBy(twins.keys(), (twin) => partners.get(twins.get(twin)!) ?? "");
  return (icon) => {
    const own = weights.get(icon);
    return own === undefined
      ? undefined
      : (groups.get(icon) ?? []).reduce((sum, twin) => addedWeights(sum, weights.get(twin) ?? 0), own);
  };
}

/**
 * Cases, by their id before, of selects that have other cases or another order now. `surely`: only those that other values choose.
 * A constant is chosen by its own value, wherever it stands among constants; a default case by every value that no other case has.
 */
function resorted(
  before: DiagramOutline,
  after: DiagramOutline,
  { partners }: Changes,
  surely: boolean,
): ReadonlySet<IconId> {
  const found = new Set<IconId>();
  const [old, now] = [
    chosenBy(before, (icon) => icon),
    chosenBy(after, (icon) => partners.before.get(icon) ?? `+ ${icon}`),
  ];
  for (const [a, b] of partners.after) {
    if (before.diagram.icons.get(a)!.type !== "select") continue;
    const was = (before.routes.exits.get(a) ?? []).map(({ to }) => to);
    const is = (after.routes.exits.get(b) ?? []).map(({ to }) => to);
    if (was.length === is.length && was.every((one, index) => partners.after.get(one) === is[index])) continue;
    for (const [index, one] of was.entries()) {
      const other = is.indexOf(partners.after.get(one) ?? "");
      if (!surely || other < 0 || old(was, index) !== now(is, other)) found.add(one);
    }
  }
  return found;
}

/** Names the cases that must not fit for a case to be chosen. */
function chosenBy(
  { tree, diagram }: DiagramOutline,
  name: (icon: IconId) => string,
): (cases: readonly IconId[], index: number) => string {
  const bound = tree ? boundNames(tree) : new Set<string>();
  const text = (icon: IconId): string => diagram.icons.get(icon)!.text.trim();
  const isConstant = (icon: IconId): boolean => ![...namesIn(text(icon))].some((one) => bound.has(one));
  return (cases, index) => {
    const icon = cases[index]!;
    const others = text(icon) === "" ? cases.filter((one) => one !== icon) : cases.slice(0, index);
    const deciding = text(icon) !== "" && isConstant(icon) ? others.filter((one) => !isConstant(one)) : others;
    return deciding.map(name).toSorted().join("\n");
  };
}
