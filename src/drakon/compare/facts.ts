import { verbatim } from "../../base/text.ts";
import type { Changes } from "./changes.ts";
import { type Fact, fact } from "./fact.ts";
import { guardFacts, NAMED } from "./guard-facts.ts";
import type { DiagramOutline } from "./outline.ts";
import { ownFacts } from "./own-facts.ts";
import { exitFacts, reachFacts, withConditions } from "./route-facts.ts";
import { routeFlow } from "./route-flow.ts";
import { changedText } from "./text-difference.ts";

/** The edits themselves, without their consequences for other icons. */
export function editFacts(before: DiagramOutline, after: DiagramOutline, changes: Changes): Fact[] {
  const flows = { before: routeFlow(before.routes), after: routeFlow(after.routes) };
  return [
    ...headFacts(before, after),
    ...ownFacts(before, after, changes, flows.after),
    ...guardFacts(before, after, changes, flows),
    ...exitFacts(before, after, changes, flows),
  ];
}

/**
 * All facts about a change, in no particular order of risk. Never empty: if no icon and no way differs, the procedure is the same
 * in another form (branches in another order, one loop arrow instead of two).
 */
export function changeFacts(before: DiagramOutline, after: DiagramOutline, changes: Changes): Fact[] {
  const flows = { before: routeFlow(before.routes), after: routeFlow(after.routes) };
  const facts = [
    ...headFacts(before, after),
    ...mostlyGone(before, after, changes),
    ...ownFacts(before, after, changes, flows.after),
    ...guardFacts(before, after, changes, flows),
    ...exitFacts(before, after, changes, flows),
    ...reachFacts(before, after, changes, flows),
  ];
  const all = withConditions(before, after, changes, facts);
  return all.length > 0 ? all : [rewritten(before, after, changes)];
}

/** Names the icons whose lines differ by loop arrows; else the heads of the branches, whose order differs. */
function rewritten({ routes: old }: DiagramOutline, { routes: now, entries }: DiagramOutline, changes: Changes): Fact {
  const { partners } = changes;
  const drawn = [...partners.after].filter(([a, b]) => {
    const [was, is] = [old.exits.get(a) ?? [], now.exits.get(b) ?? []];
    return was.some(({ to }, index) => (partners.after.get(to) ?? to) !== is[index]?.to);
  });
  const arrows = changes.added.map((index) => entries[index]!.icon.id);
  const heads = [...partners.after].filter(([, b]) => now.diagram.icons.get(b)!.type === "branch");
  const pairs = drawn.length + arrows.length > 0 ? drawn : heads;
  return fact("rewritten", "", {
    alsoBefore: pairs.map(([a]) => a),
    alsoAfter: [...pairs.map(([, b]) => b), ...arrows],
  });
}

function headFacts(before: DiagramOutline, after: DiagramOutline): Fact[] {
  const facts: Fact[] = [];
  if (!after.tree) facts.push(fact("errors", ""));
  else if (!before.tree) facts.push(fact("errors-mended", ""));
  if (before.diagram.params !== after.diagram.params)
    facts.push(fact("params-changed", [changedText(before.diagram.params, after.diagram.params)]));
  return facts;
}

/** From this number of lost icons on, losing at least half of them is a fact of its own. */
const MIN_LOST = 3;

function mostlyGone(before: DiagramOutline, after: DiagramOutline, { partners }: Changes): Fact[] {
  const had = before.entries.filter(({ icon }) => NAMED.test(icon.type) && before.routes.reached.has(icon.id));
  const lost = had.filter(({ icon }) => !after.routes.reached.has(partners.after.get(icon.id) ?? ""));
  if (lost.length < MIN_LOST || lost.length * 2 < had.length) return [];
  const icons = lost.map(({ icon }) => icon.id);
  return [fact("mostly-gone", [verbatim(`${lost.length} / ${had.length}`)], { alsoBefore: icons })];
}
