import { joined, type Text } from "../../base/text.ts";
import type { Icon } from "../diagram/diagram.ts";
import type { IconId } from "../icon-id.ts";
import { callsOf, effectsOf, isOutput } from "./calls.ts";
import type { Changes } from "./changes.ts";
import { type Fact, fact } from "./fact.ts";
import type { DiagramOutline, OutlineEntry } from "./outline.ts";
import type { RouteFlow } from "./route-flow.ts";
import { behindArrows, type RouteGraph } from "./route-graph.ts";
import { destination, iconName, loopsAround, quotedInBoth } from "./target-names.ts";
import { changedText } from "./text-difference.ts";
import { type UseOfValue, usesOfValues } from "./used-values.ts";

/** Facts about icons that were added, removed or rewritten. Icons that no line leads to do not count. */
export function ownFacts(before: DiagramOutline, after: DiagramOutline, changes: Changes, flow: RouteFlow): Fact[] {
  const [had, has] = [calledIn(before), calledIn(after)];
  const used = { before: usesOfValues(before), after: usesOfValues(after) };
  const facts = [...capabilities(had, has), ...equalFacts(before, after, changes)];
  for (const index of changes.added)
    facts.push(...addedFacts(after, changes, after.entries[index]!, { had, flow, used }));
  for (const index of changes.removed)
    facts.push(...removedFacts(before, changes, before.entries[index]!, { has, used }));
  for (const [a, b] of changes.changed) {
    const [was, is] = [before.entries[a]!, after.entries[b]!];
    if (!was.reached || !is.reached) continue;
    if (changes.negated.has(was.icon.id))
      facts.push(fact("condition-negated", [changedText(fullText(was), fullText(is))], idsOf(was, is)));
    else facts.push(...changedFacts(was, is, { used, silhouette: after.tree?.silhouette === true }));
  }
  return facts;
}

interface Uses {
  readonly before: UseOfValue;
  readonly after: UseOfValue;
}

/** A step that sets a value which something reads is more than its text. */
function stepFact(
  kind: "added" | "removed" | "changed",
  what: Text,
  at: { before?: IconId; after?: IconId },
  used: Uses,
): Fact {
  const use =
    (at.after === undefined ? undefined : used.after(at.after)) ??
    (at.before === undefined ? undefined : used.before(at.before));
  return use === undefined ? fact(`step-${kind}`, [what], at) : fact(`value-${kind}`, [what, use], at);
}

const idsOf = (was: OutlineEntry, is: OutlineEntry): { before: IconId; after: IconId } => ({
  before: was.icon.id,
  after: is.icon.id,
});

/** Equal steps that are drawn as one now, or were. */
const equalFacts = ({ routes: old }: DiagramOutline, { routes: now }: DiagramOutline, changes: Changes): Fact[] => [
  ...[...changes.merged].map(([before, after]) => fact("steps-merged", [iconName(old, before)], { before, after })),
  ...[...changes.split].map(([after, before]) => fact("step-split", [iconName(now, after)], { before, after })),
];

type Callers = ReadonlyMap<string, IconId>;

/** The names that reached icons call, each with its first caller. */
function calledIn({ entries, routes }: DiagramOutline): Callers {
  const callers = new Map<string, IconId>();
  for (const { icon } of entries) {
    if (!routes.reached.has(icon.id)) continue;
    for (const name of callsOf(icon)) if (!callers.has(name)) callers.set(name, icon.id);
  }
  return callers;
}

const capabilities = (had: Callers, has: Callers): Fact[] => [
  ...[...has].filter(([name]) => !had.has(name)).map(([name, after]) => fact("capability-added", name, { after })),
  ...[...had].filter(([name]) => !has.has(name)).map(([name, before]) => fact("capability-removed", name, { before })),
];

function addedFacts(
  after: DiagramOutline,
  changes: Changes,
  entry: OutlineEntry,
  { had, flow, used }: { readonly had: Callers; readonly flow: RouteFlow; readonly used: Uses },
): Fact[] {
  const { icon } = entry;
  if (!entry.reached || changes.split.has(icon.id)) return [];
  const at = { after: icon.id };
  const calls = [...new Set(callsOf(icon))];
  const again = calls.filter((name) => had.has(name)).map((name) => fact("call-added", name, at));
  const { before: known } = changes.partners;
  switch (icon.type) {
    case "loopbegin":
      return [fact("loop-added", icon.text, at), ...again];
    case "question":
    case "select":
      return [askedFact(after.routes, flow, icon.id), ...again];
    case "case":
      return known.has(after.routes.selects.get(icon.id) ?? "")
        ? [fact("case-added", [caseName(after.routes, icon)], at)]
        : [];
    case "branch":
      return after.tree?.silhouette === false ? [] : [fact("branch-added", icon.text, at)];
    case "parend":
      return [fact("parallel-added", "", at)];
    case "parbegin":
      return known.has(after.routes.blocks.get(icon.id) ?? "") ? [fact("process-added", "", at)] : [];
    case "comment":
      return [fact("comment-added", icon.text, at)];
    default:
      if (NO_STEPS.has(icon.type)) return [];
      if (icon.type === "output" || icon.type === "simpleoutput") return [fact("output-added", fullText(entry), at)];
      // A call of something new is reported as a capability.
      if (calls.length > 0) return again;
      return [stepFact("added", quotedInBoth(fullText(entry)), at, used)];
  }
}

/** A default case is named by its select. */
function caseName(routes: RouteGraph, { id, text }: Icon): Text {
  if (text.trim() !== "") return iconName(routes, id);
  const { en, uk } = iconName(routes, routes.selects.get(id) ?? id);
  return { en: `"otherwise" of ${en}`, uk: `«інше» у ${uk}` };
}

const NO_STEPS = new Set(["end", "loopend", "arrow-loop", "duration"]);

/** The ways from a new question, each answer with its target. */
function askedFact(routes: RouteGraph, flow: RouteFlow, icon: IconId): Fact {
  const text = routes.diagram.icons.get(icon)!.text;
  const exits = routes.exits.get(icon) ?? [];
  const targets = exits.map(({ label, to }) =>
    behindArrows(routes, label === "case" ? (routes.exits.get(to)?.[0]?.to ?? to) : to),
  );
  if (new Set(targets).size < 2) return fact("question-added", text, { after: icon });
  const inside = loopsAround(routes, flow, icon);
  const ways = exits.map(({ label, to }, index): Text => {
    const { name, leaving } = destination(routes, flow, { from: icon, to: targets[index]!, inside });
    const answer = label === "case" ? iconName(routes, to) : ANSWERS[label === "yes" ? "yes" : "no"];
    return joined(
      [{ en: `${answer.en} → ${name.en}`, uk: `${answer.uk} → до ${name.uk}` }, ...(leaving ? [leaving] : [])],
      ", ",
    );
  });
  return fact("guard-added", [iconName(routes, icon), joined(ways, "; ")], { after: icon });
}

export const ANSWERS = { yes: { en: "yes", uk: "так" }, no: { en: "no", uk: "ні" } } as const satisfies Record<
  string,
  Text
>;

/** Questions are reported by the facts about guards. */
function removedFacts(
  before: DiagramOutline,
  changes: Changes,
  entry: OutlineEntry,
  { has, used }: { readonly has: Callers; readonly used: Uses },
): Fact[] {
  const { icon } = entry;
  if (!entry.reached || changes.merged.has(icon.id)) return [];
  const at = { before: icon.id };
  const { after: known } = changes.partners;
  switch (icon.type) {
    case "loopbegin":
      return [fact("loop-removed", icon.text, at)];
    case "question":
    case "select":
      return [];
    case "case":
      return known.has(before.routes.selects.get(icon.id) ?? "")
        ? [fact("case-removed", [caseName(before.routes, icon)], at)]
        : [];
    case "branch":
      return before.tree?.silhouette === false ? [] : [fact("branch-removed", icon.text, at)];
    case "parend":
      return [fact("parallel-removed", "", at)];
    case "parbegin":
      return known.has(before.routes.blocks.get(icon.id) ?? "") ? [fact("process-removed", "", at)] : [];
    case "comment":
      return [fact("comment-removed", icon.text, at)];
    default: {
      if (NO_STEPS.has(icon.type)) return [];
      if (isOutput(icon)) return [fact("output-removed", fullText(entry), at)];
      const calls = [...new Set(callsOf(icon))];
      if (calls.length === 0) return [stepFact("removed", quotedInBoth(fullText(entry)), at, used)];
      return calls.filter((name) => has.has(name)).map((name) => fact("call-removed", name, at));
    }
  }
}

function changedFacts(
  was: OutlineEntry,
  is: OutlineEntry,
  { used, silhouette }: { readonly used: Uses; readonly silhouette: boolean },
): Fact[] {
  const at = { before: was.icon.id, after: is.icon.id };
  const [x, y] = [fullText(was), fullText(is)];
  if (x === y) return [];
  const what = [changedText(x, y)];
  switch (is.icon.type) {
    case "comment":
      return [fact("comment-changed", what, at)];
    case "branch":
      return silhouette ? [fact("branch-renamed", what, at)] : [];
    case "loopbegin":
      return [fact("loop-changed", what, at)];
    case "question":
    case "select":
    case "case":
      return [fact(sameButNumbers(x, y) ? "threshold-changed" : "condition-changed", what, at)];
    case "output":
    case "simpleoutput":
      return [fact("output-changed", what, at)];
    default: {
      const effects = new Set(effectsOf(is.icon));
      if (effectsOf(was.icon).some((name) => !effects.has(name))) return [fact("output-replaced", what, at)];
      const calls = [...callsOf(was.icon), ...callsOf(is.icon)].length > 0;
      return [calls ? fact("call-changed", what, at) : stepFact("changed", what[0]!, at, used)];
    }
  }
}

const fullText = ({ icon, duration }: OutlineEntry): string =>
  [icon.secondary, icon.text, duration].filter((text) => text !== undefined && text.trim() !== "").join("\n");

/** Not the digits of a name such as `list2`. */
const NUMBER = /(?<![\p{L}\p{N}_])\d+(?:[.,]\d+)?/gu;
const sameButNumbers = (x: string, y: string): boolean => x.replace(NUMBER, "0") === y.replace(NUMBER, "0");
