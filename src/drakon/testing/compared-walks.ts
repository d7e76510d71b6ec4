import { expect } from "vitest";
import type { DiagramComparison } from "../compare/compare.ts";
import type { Fact } from "../compare/fact.ts";
import type { Diagram } from "../diagram/diagram.ts";
import type { IconId } from "../icon-id.ts";
import { pairLoops } from "../structure/loop-pairs.ts";
import { surveyDiagram } from "../structure/survey.ts";
import { graphTrace, type Oracle } from "./traces.ts";

/** Answers that depend on the icon, its visit and the sample only; `name` gives an icon of both diagrams one name. */
function sampledAnswers(sample: number, name: (icon: IconId) => string): Oracle {
  const bias = [0.5, 0.8, 0.2][sample % 3]!;
  return (icon, visit, choices) => {
    let hash = 0x811c9dc5;
    for (const letter of `${sample} ${name(icon)} ${visit}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    const chance = ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
    return choices === 2 ? Number(chance < bias) : Math.floor(chance * choices);
  };
}

const iconIn = (event: string): IconId => event.replace(/=.*$/, "").replace(/^(branch|arrow|process) /, "");

function visitsIn(trace: readonly string[]): Map<IconId, number> {
  const visits = new Map<IconId, number>();
  for (const event of trace) visits.set(iconIn(event), (visits.get(iconIn(event)) ?? 0) + 1);
  return visits;
}

/**
 * Walks both diagrams over sampled answers and returns what contradicts the comparison: an icon said to be unreached that is
 * visited, an icon named by no fact that is visited more or less often, a low risk although other icons of both are visited.
 */
export function contradictions(
  before: Diagram,
  after: Diagram,
  { facts, matched, riskLevel }: DiagramComparison,
  samples: number,
): string[] {
  const toAfter = new Map(matched.map((pair) => [pair.before, pair.after]));
  const toBefore = new Map(matched.map((pair) => [pair.after, pair.before]));
  const concerned = new Set(facts.flatMap(({ icons }) => icons.after));
  const lost = facts.filter(({ kind }) => kind === "unreached" || kind === "output-unreached");
  const won = facts.filter(({ kind }) => kind === "newly-reached");
  const found: string[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const old = graphTrace(
      before,
      sampledAnswers(sample, (icon) => icon),
    );
    const now = graphTrace(
      after,
      sampledAnswers(sample, (icon) => toBefore.get(icon) ?? `+${icon}`),
    );
    const [was, is] = [visitsIn(old), visitsIn(now)];
    for (const icon of lost.flatMap(({ icons }) => icons.after)) if (is.has(icon)) found.push(`${icon} is reached`);
    for (const icon of won.flatMap(({ icons }) => icons.before)) if (was.has(icon)) found.push(`${icon} was reached`);
    if (old.at(-1) !== "stop" || now.at(-1) !== "stop") continue; // cut off: the visits cannot be compared
    for (const [a, b] of toAfter) {
      const { type } = before.icons.get(a)!;
      if (type === "arrow-loop" || was.get(a) === is.get(b)) continue;
      if (!concerned.has(b)) found.push(`${a} is not named, and is visited ${was.get(a)} and ${is.get(b)} times`);
      if (riskLevel === "low" && type !== "comment" && type !== "branch") found.push(`low risk, but ${a} changes`);
    }
  }
  return found;
}

/** True if the icon can be reached by choosing answers, without ever giving this answer to this question. */
export function reachedWithout(diagram: Diagram, icon: IconId, question: IconId, answer: "yes" | "no"): boolean {
  const passed = new Set<IconId>();
  const first = [...diagram.icons.values()]
    .filter(({ type }) => type === "branch")
    .toSorted((a, b) => (a.branchId ?? 0) - (b.branchId ?? 0))[0]!;
  const lowerEnds = pairLoops(diagram, surveyDiagram(diagram)).ends;
  const parallelEnds = [...diagram.icons.values()].filter(({ type }) => type === "parend").map(({ id }) => id);
  const work = [first.id];
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    const at = diagram.icons.get(id);
    if (!at || passed.has(id)) continue;
    passed.add(id);
    if (id === icon) return true;
    if (at.final) {
      work.push(...parallelEnds); // in a process only the process ends; elsewhere this is too generous
      continue;
    }
    const behindLoop = lowerEnds.get(id)?.one; // the way of an empty list
    if (behindLoop !== undefined) work.push(behindLoop);
    const other = (answer === "yes") === at.yesIsDown ? at.two : at.one;
    for (const to of id === question ? [other] : [at.one, at.two]) if (to !== undefined) work.push(to);
  }
  return false;
}

/** Facts that say that something is gone must be about an icon that the new diagram does not have, or has once less by its text. */
export function expectGone(before: Diagram, after: Diagram, facts: readonly Fact[]): void {
  const key = (diagram: Diagram, icon: IconId): string => {
    const { type, text } = diagram.icons.get(icon)!;
    return `${type}\n${text}`;
  };
  const count = (diagram: Diagram, of: string): number =>
    [...diagram.icons.keys()].filter((icon) => key(diagram, icon) === of).length;
  for (const { kind, before: icon, text } of facts) {
    if (!/^(?:guard|question|step|output|case|loop|branch|comment)-removed$/.test(kind) || icon === undefined) continue;
    if (!after.icons.has(icon)) continue;
    const of = key(before, icon);
    expect(count(after, of), `${text.en}: ${of}`).toBeLessThan(count(before, of));
  }
}
