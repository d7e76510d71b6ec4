import type { Line } from "../edit/operation.ts";
import type { Expression } from "../expression/expression.ts";
import { printExpression } from "../expression/printer.ts";
import type { IconId } from "../icon-id.ts";
import { pairLoops } from "../loop-pairs.ts";
import { survey } from "../survey.ts";
import { gapIn, roundest } from "./bound.ts";
import type { Circumstance } from "./finding.ts";
import {
  type Candidate,
  drawnAt,
  type Ground,
  iconAt,
  iconsOf,
  lineInto,
  measuredAt,
  sizeSign,
  stepsBehind,
} from "./ground.ts";
import { onlyLooks } from "./smells.ts";
import { comparedKeys } from "./terms.ts";
import { circumstanceWords, named } from "./words.ts";

const AT = { at: 0 } as const;
const MOST_SKIPPED = 6;

/** Guards before the icon: who would go wrong leaves out what depends on it, goes on with the next item, or ends. */
export function guardRepairs(ground: Ground): Candidate[] {
  const { finding, language } = ground;
  const when = finding.when && sharpened(ground, finding.when);
  const drawn = drawnAt(ground);
  if (!when || !drawn) return [];
  // People do not turn down what nobody looks at.
  const unseen = finding.smell === "late" || finding.smell === "unused";
  if (unseen && finding.kind === "rejection" && onlyLooks(drawn, ground.onlyReads)) return [];
  // A question about that very value is mended by its threshold.
  if ("bound" in when && comparedKeys(drawn).includes(printExpression(when.term, "en"))) return [];
  const at = drawn.does === "step" ? lineInto(ground, finding.icon) : exitLine(ground);
  if (!at) return [];
  const text = printExpression(opposite(when), language);
  const said = circumstanceWords(when);
  return waysOut(ground, at).map((otherwise): Candidate => {
    const to = otherwise === undefined ? undefined : iconAt(ground, otherwise);
    return {
      kind: "guard",
      operations: [{ op: "insert-guard", at, text, ...(otherwise !== undefined && { otherwise }) }],
      mends: 0.9,
      keeps: 0.9,
      words: {
        uk: `Додати перевірку «${text}» перед ${named(drawn.text)}: коли ${said.uk}, ${to ? (to.text ? `перейти до ${named(to.text)}` : "піти далі без цього") : "завершити"}.`,
        en: `Add the check «${text}» before ${named(drawn.text)}: when ${said.en}, ${to ? (to.text ? `go on with ${named(to.text)}` : "go on without it") : "end"}.`,
      },
    };
  });
}

/** The exit of a question that the finding blames. */
function exitLine({ finding, diagram }: Ground): Line | undefined {
  const icon = diagram.icons.get(finding.icon);
  if (icon?.type !== "question" || typeof finding.answer !== "boolean") return undefined;
  return [{ icon: icon.id, exit: finding.answer === icon.yesIsDown ? "one" : "two" }];
}

/** A bound that is learned from all runs, and not only one of a few that were looked at. */
export function sharpened(ground: Ground, when: Circumstance): Circumstance {
  if (!("bound" in when)) return when;
  const sign = sizeSign(ground, printExpression(when.term, "en"));
  const side = when.is === "at-most" ? "low" : "high";
  const gap = sign && gapIn(measuredAt(ground, sign, side), side);
  return gap ? { ...when, bound: roundest(gap) } : when;
}

/** What must hold for the icon to be passed. */
export function opposite(when: Circumstance): Expression {
  const { term } = when;
  const compare = (op: "≠" | "≤" | ">", right: Expression): Expression => ({
    is: "compare",
    op,
    left: term,
    right,
    ...AT,
  });
  switch (when.is) {
    case "empty":
      return { is: "not", of: { is: "empty", of: term, ...AT }, ...AT };
    case "absent":
      return compare("≠", { is: "nothing", ...AT });
    case "true":
      return { is: "not", of: term, ...AT };
    case "false":
      return term;
    case "at-most":
      return compare(">", { is: "number", value: when.bound, ...AT });
    case "at-least":
      return compare("≤", { is: "number", value: when.bound, ...AT });
    case "equal":
      return compare("≠", { is: "text", value: when.text, ...AT });
  }
}

/** Where to go instead, the most that can still be done first. */
function waysOut(ground: Ground, at: Line): (IconId | undefined)[] {
  const { finding, diagram } = ground;
  const ways = new Set<IconId | undefined>();
  const onStep = drawnAt(ground)?.does === "step";
  const [first] = at;
  const begin = onStep ? finding.icon : first && diagram.icons.get(first.icon)?.[first.exit];
  const behind = begin === undefined ? undefined : behindDependants(ground, begin);
  if (behind !== undefined) ways.add(behind);
  const loop = loopEndAround(ground, finding.icon);
  if (loop !== undefined) ways.add(loop);
  ways.add(undefined);
  return [...ways];
}

/** The first icon straight below that does not need what is left out; undefined if a question or loop needs it. */
function behindDependants(ground: Ground, begin: IconId): IconId | undefined {
  const icons = iconsOf(ground);
  const first = icons.get(begin);
  if (first?.does !== "step") return undefined;
  const missing = new Set(first.sets.filter((name) => !setBefore(name, first.at)));
  let last = begin;
  for (const step of stepsBehind(ground, begin, MOST_SKIPPED)) {
    if (![...missing].some((name) => step.reads.has(name))) break;
    for (const name of step.sets) if (!setBefore(name, first.at)) missing.add(name);
    last = step.icon;
  }
  const next = iconAt(ground, last)?.one;
  const needs = next === undefined ? undefined : icons.get(next);
  return needs && [...missing].some((name) => needs.reads.has(name)) ? undefined : next;

  function setBefore(name: string, before: number): boolean {
    return [...icons.values()].some((icon) => icon.at < before && icon.sets.includes(name));
  }
}

/** The end of the innermost loop over items that an icon stands in: from there the next item follows. */
function loopEndAround({ diagram, tree }: Ground, icon: IconId): IconId | undefined {
  const { ends } = pairLoops(diagram, survey(diagram));
  let found: IconId | undefined;
  const work = tree.branches.map(({ body }) => ({ body, loop: undefined as IconId | undefined }));
  for (let next = work.pop(); next; next = work.pop()) {
    for (const node of next.body) {
      if ("icon" in node && node.icon === icon) found = next.loop;
      if (node.node === "if") work.push({ body: node.yes, loop: next.loop }, { body: node.no, loop: next.loop });
      else if (node.node === "select")
        for (const { body } of [...node.cases, ...(node.otherwise ? [node.otherwise] : [])])
          work.push({ body, loop: next.loop });
      else if (node.node === "for-each") work.push({ body: node.body, loop: ends.get(node.icon)?.id });
      else if (node.node === "loop" || node.node === "block") work.push({ body: node.body, loop: next.loop });
      else if (node.node === "parallel") for (const { body } of node.processes) work.push({ body, loop: next.loop });
    }
  }
  return found;
}
