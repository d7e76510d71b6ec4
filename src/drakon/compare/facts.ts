import { callsOf } from "./calls.ts";
import type { Changes } from "./changes.ts";
import { type Fact, fact } from "./fact.ts";
import { evasions, guardFacts } from "./guard-facts.ts";
import type { DiagramOutline, OutlineEntry } from "./outline.ts";

/** All facts about a change, in no particular order of risk. */
export function changeFacts(before: DiagramOutline, after: DiagramOutline, changes: Changes): Fact[] {
  const facts: Fact[] = [];
  if (!after.tree) facts.push(fact("errors", ""));
  if (before.diagram.params !== after.diagram.params) facts.push(fact("params-changed", ""));
  facts.push(...capabilities(before, after));
  facts.push(...guardFacts(before, after, changes), ...evasions(before, after, changes));
  const known = calledBy(before);
  for (const index of changes.added) facts.push(...addedFacts(known, after.entries[index]!));
  for (const index of changes.removed) facts.push(...removedFacts(before.entries[index]!));
  const partner = new Map(changes.pairs);
  for (const index of changes.changed)
    facts.push(...changedFacts(before.entries[index]!, after.entries[partner.get(index)!]!));
  for (const index of changes.moved) {
    const { icon } = before.entries[index]!;
    facts.push(
      fact("order-changed", icon.text, { before: icon.id, after: after.entries[partner.get(index)!]!.icon.id }),
    );
  }
  return facts;
}

const calledBy = ({ entries }: DiagramOutline): Map<string, OutlineEntry> =>
  new Map(
    entries
      .filter(({ reached }) => reached)
      .flatMap((entry) => callsOf(entry).map((name): [string, OutlineEntry] => [name, entry]))
      .toReversed(),
  );

function capabilities(before: DiagramOutline, after: DiagramOutline): Fact[] {
  const [had, has] = [calledBy(before), calledBy(after)];
  const gained = [...has].filter(([name]) => !had.has(name));
  const lost = [...had].filter(([name]) => !has.has(name));
  return [
    ...gained.map(([name, { icon }]) => fact("capability-added", name, { after: icon.id })),
    ...lost.map(([name, { icon }]) => fact("capability-removed", name, { before: icon.id })),
  ];
}

function addedFacts(known: ReadonlyMap<string, OutlineEntry>, entry: OutlineEntry): Fact[] {
  const { icon } = entry;
  const at = { after: icon.id };
  const again = [...new Set(callsOf(entry))].filter((name) => known.has(name));
  const calls = again.map((name) => fact("call-added", name, at));
  switch (icon.type) {
    case "loopbegin":
    case "arrow-loop":
      return [fact("loop-added", icon.text, at), ...calls];
    case "parend":
      return [fact("parallel-added", "", at)];
    case "case":
    case "branch":
      return [fact("branch-added", icon.text, at)];
    case "question":
    case "select":
      return calls;
    default:
      return isStep(entry) ? [...calls, ...(calls.length === 0 ? [fact("step-added", icon.text, at)] : [])] : [];
  }
}

function removedFacts(entry: OutlineEntry): Fact[] {
  const { icon } = entry;
  const at = { before: icon.id };
  switch (icon.type) {
    case "loopbegin":
    case "arrow-loop":
      return [fact("loop-removed", icon.text, at)];
    case "case":
    case "branch":
      return [fact("branch-removed", icon.text, at)];
    default:
      return isStep(entry) ? [fact("step-removed", icon.text, at)] : [];
  }
}

const NO_STEPS = new Set(["end", "loopend", "parbegin", "parend", "duration", "comment", "question", "select"]);
const isStep = ({ icon, reached }: OutlineEntry): boolean => reached && !NO_STEPS.has(icon.type);

/** Facts about an icon whose own fields changed. Swapped answers are reported by `guardFacts`. */
function changedFacts(was: OutlineEntry, is: OutlineEntry): Fact[] {
  const at = { before: was.icon.id, after: is.icon.id };
  const facts = was.icon.final === is.icon.final ? [] : [fact("stop-changed", is.icon.text, at)];
  const [x, y] = [fullText(was), fullText(is)];
  if (x === y || is.icon.type === "comment") return facts;
  const what = `${x} → ${y}`;
  const condition = ["question", "select", "case", "loopbegin"].includes(is.icon.type);
  if (condition) return [...facts, fact(sameButNumbers(x, y) ? "threshold-changed" : "condition-changed", what, at)];
  const calls = [...callsOf(was), ...callsOf(is)].length > 0;
  return [...facts, fact(calls ? "call-changed" : "step-changed", what, at)];
}

const fullText = ({ icon, duration }: OutlineEntry): string =>
  [icon.secondary, icon.text, duration].filter((text) => text !== undefined && text.trim() !== "").join("\n");

const NUMBER = /\d+(?:[.,]\d+)?/g;
const sameButNumbers = (x: string, y: string): boolean => x.replace(NUMBER, "0") === y.replace(NUMBER, "0");
