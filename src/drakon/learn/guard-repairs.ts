import { procedureEnd } from "../edit/insert.ts";
import type { EditLine } from "../edit/operation.ts";
import type { Expression } from "../expression/expression.ts";
import { printExpression } from "../expression/printer.ts";
import type { IconId } from "../icon-id.ts";
import { pairLoops } from "../structure/loop-pairs.ts";
import { surveyDiagram } from "../structure/survey.ts";
import type { Circumstance } from "./finding.ts";
import { circumstanceText, quotedText } from "./finding-text.ts";
import {
  blamedIcon,
  contextIcons,
  diagramIcon,
  lineInto,
  measuredAt,
  type RepairCandidate,
  type RepairContext,
  sizeSign,
  stepsBehind,
} from "./repair-context.ts";
import { onlyLooks } from "./smells.ts";
import { comparedKeys } from "./terms.ts";
import { gapIn, roundest } from "./threshold-gap.ts";

const AT = { at: 0 } as const;
const MOST_SKIPPED = 6;

/** Guards before the icon. A run that fails the check skips the dependent steps, continues with the next item, or ends. */
export function guardRepairs(context: RepairContext): RepairCandidate[] {
  const { finding, language } = context;
  const when = finding.when && withLearnedBound(context, finding.when);
  const drawn = blamedIcon(context);
  if (!when || !drawn) return [];
  // An unread result cannot be the cause of a rejection.
  const unseen = finding.smell === "late" || finding.smell === "unused";
  if (unseen && finding.kind === "rejection" && onlyLooks(drawn, context.onlyReads)) return [];
  // A question that compares this term is repaired by its threshold instead.
  if ("bound" in when && comparedKeys(drawn).includes(printExpression(when.term, "en"))) return [];
  const at = drawn.does === "step" ? lineInto(context, finding.icon) : exitLine(context);
  if (!at) return [];
  const text = printExpression(opposite(when), language);
  const said = circumstanceText(when);
  return alternatives(context, at).map(({ otherwise, ends }): RepairCandidate => {
    const to = otherwise === undefined || ends ? undefined : diagramIcon(context, otherwise);
    return {
      kind: "guard",
      operations: [{ op: "insert-guard", at, text, ...(otherwise !== undefined && { otherwise }) }],
      mends: 0.9,
      keeps: 0.9,
      words: {
        uk: `Додати перевірку «${text}» перед ${quotedText(drawn.text)}: коли ${said.uk}, ${to ? (to.text ? `перейти до ${quotedText(to.text)}` : "піти далі без цього") : "завершити"}.`,
        en: `Add the check «${text}» before ${quotedText(drawn.text)}: when ${said.en}, ${to ? (to.text ? `go on with ${quotedText(to.text)}` : "go on without it") : "end"}.`,
      },
    };
  });
}

/**
 * Joins a second condition to the blamed question: where its answer goes wrong only for some values, runs with these values take the other
 * answer.
 */
export function joinRepairs(context: RepairContext): RepairCandidate[] {
  const { finding, language } = context;
  const when = finding.when && withLearnedBound(context, finding.when);
  const drawn = blamedIcon(context);
  const [formula, ...more] = drawn?.formulas ?? [];
  if (!when || !formula || more.length > 0 || drawn?.does !== "question" || typeof finding.answer !== "boolean")
    return [];
  if ("bound" in when && comparedKeys(drawn).includes(printExpression(when.term, "en"))) return [];
  const against = opposite(when);
  const holds: Expression = against.is === "not" ? against.of : { is: "not", of: against, ...AT };
  const joined: Expression = finding.answer
    ? { is: "and", of: [formula, against], ...AT }
    : { is: "or", of: [formula, holds], ...AT };
  const text = printExpression(joined, language);
  return [
    {
      kind: "guard",
      operations: [{ op: "edit-text", icon: finding.icon, field: "content", text }],
      mends: 0.92,
      keeps: 0.95,
      words: {
        uk: `Доповнити питання ${quotedText(drawn.text)} до «${text}»: коли ${circumstanceText(when).uk}, відповідь має бути інша.`,
        en: `Extend the question ${quotedText(drawn.text)} to «${text}»: when ${circumstanceText(when).en}, the other answer is right.`,
      },
    },
  ];
}

/** The exit of the question that the finding blames. */
function exitLine({ finding, diagram }: RepairContext): EditLine | undefined {
  const icon = diagram.icons.get(finding.icon);
  if (icon?.type !== "question" || typeof finding.answer !== "boolean") return undefined;
  return [{ icon: icon.id, exit: finding.answer === icon.yesIsDown ? "one" : "two" }];
}

/** Replaces the bound, which is one of a few fixed cuts, by one learned from all runs. */
export function withLearnedBound(context: RepairContext, when: Circumstance): Circumstance {
  if (!("bound" in when)) return when;
  const sign = sizeSign(context, printExpression(when.term, "en"));
  const side = when.is === "at-most" ? "low" : "high";
  const gap = sign && gapIn(measuredAt(context, sign, side), side);
  return gap ? { ...when, bound: roundest(gap) } : when;
}

/** The negated condition: the check that must hold to continue. */
export function opposite(when: Circumstance): Expression {
  const { term } = when;
  const compare = (op: "≠" | "≤" | ">" | "contains", right: Expression): Expression =>
    // `a - b ≤ 0` is written `a ≤ b`.
    term.is === "arithmetic" && term.op === "-" && right.is === "number" && right.value === 0
      ? { is: "compare", op, left: term.left, right: term.right, ...AT }
      : { is: "compare", op, left: term, right, ...AT };
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
    case "holds":
      return { is: "not", of: compare("contains", { is: "text", value: when.text, ...AT }), ...AT };
    case "equal":
      return compare("≠", { is: "text", value: when.text, ...AT });
  }
}

/** Targets for a failed check, the one that skips least first. */
function alternatives(
  context: RepairContext,
  at: EditLine,
): { readonly otherwise: IconId | undefined; readonly ends: boolean }[] {
  const { finding, diagram } = context;
  const ways = new Set<IconId>();
  const onStep = blamedIcon(context)?.does === "step";
  const [first] = at;
  const begin = onStep ? finding.icon : first && diagram.icons.get(first.icon)?.[first.exit];
  const behind = begin === undefined ? undefined : behindDependants(context, begin);
  if (behind !== undefined) ways.add(behind);
  const loop = loopEndAround(context, finding.icon);
  if (loop !== undefined) ways.add(loop);
  // Without a target the operation itself goes on with the next item.
  const end = loop === undefined ? undefined : procedureEnd(diagram.icons, surveyDiagram(diagram), finding.icon);
  return [...[...ways].map((otherwise) => ({ otherwise, ends: false })), { otherwise: end, ends: true }];
}

/** The first icon directly below that does not depend on the skipped steps; undefined if a question or loop depends on them. */
function behindDependants(context: RepairContext, begin: IconId): IconId | undefined {
  const icons = contextIcons(context);
  const first = icons.get(begin);
  if (first?.does !== "step") return undefined;
  const missing = new Set(first.sets.filter((name) => !setBefore(name, first.at)));
  let last = begin;
  for (const step of stepsBehind(context, begin, MOST_SKIPPED)) {
    if (![...missing].some((name) => step.reads.has(name))) break;
    for (const name of step.sets) if (!setBefore(name, first.at)) missing.add(name);
    last = step.icon;
  }
  const next = diagramIcon(context, last)?.one;
  const needs = next === undefined ? undefined : icons.get(next);
  return needs && [...missing].some((name) => needs.reads.has(name)) ? undefined : next;

  function setBefore(name: string, before: number): boolean {
    return [...icons.values()].some((icon) => icon.at < before && icon.sets.includes(name));
  }
}

/** The end of the innermost for-each loop around an icon; jumping there continues with the next item. */
export function loopEndAround({ diagram, tree }: RepairContext, icon: IconId): IconId | undefined {
  const { ends } = pairLoops(diagram, surveyDiagram(diagram));
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
