import type { IconId } from "../icon-id.ts";
import { pairLoops } from "../structure/loop-pairs.ts";
import { surveyDiagram } from "../structure/survey.ts";
import { compiledTree } from "../walk/compiled-tree.ts";
import { quotedText } from "./finding-text.ts";
import { loopEndAround } from "./guard-repairs.ts";
import { asksOutside, type DrawnIcon, liveNames } from "./icon-dataflow.ts";
import {
  blamedIcon,
  contextIcons,
  diagramIcon,
  lineInto,
  type RepairCandidate,
  type RepairContext,
  stepsBehind,
} from "./repair-context.ts";
import { loopAroundInvariant, onlyLooks } from "./smells.ts";

const MOST_STEPS = 6;

/** Reorders steps: a late step before its reader, an early one after the question, a prerequisite before the failing call. */
export function orderRepairs(context: RepairContext): RepairCandidate[] {
  const { finding } = context;
  const drawn = blamedIcon(context);
  if (drawn?.does !== "step") return [];
  if (finding.smell === "late") return beforeReaders(context, drawn);
  if (finding.smell === "early") return behindQuestion(context, drawn);
  if (finding.smell === "invariant") return beforeLoop(context, drawn);
  return [...laterFirst(context, drawn), ...beforeReaders(context, drawn)];
}

function moveStepRepair(context: RepairContext, step: DrawnIcon, before: DrawnIcon, mends: number): RepairCandidate[] {
  const at = lineInto(context, before.icon);
  if (!at) return [];
  return [
    {
      kind: "reorder",
      operations: [{ op: "move-step", icon: step.icon, at }],
      mends,
      keeps: 0.93,
      words: {
        uk: `Виконувати ${quotedText(step.text)} перед ${quotedText(before.text)}.`,
        en: `Do ${quotedText(step.text)} before ${quotedText(before.text)}.`,
      },
    },
  ];
}

/** Does a step once before its loop, which asks the same in every round. */
function beforeLoop(context: RepairContext, step: DrawnIcon): RepairCandidate[] {
  const loop = loopAroundInvariant(context.tree, step);
  const at = loop && lineInto(context, loop.icon);
  if (!at) return [];
  return [
    {
      kind: "reorder",
      operations: [{ op: "move-step", icon: step.icon, at }],
      mends: 0.9,
      keeps: 0.97,
      words: {
        uk: `Виконувати ${quotedText(step.text)} один раз, перед циклом ${quotedText(loop.text)}.`,
        en: `Do ${quotedText(step.text)} once, before the loop ${quotedText(loop.text)}.`,
      },
    },
  ];
}

/** Moves a step that sets a value before the first step that reads the value. */
function beforeReaders(context: RepairContext, step: DrawnIcon): RepairCandidate[] {
  const before = [...contextIcons(context).values()].filter((one) => one.at < step.at);
  return step.sets.flatMap((name) => {
    if (!step.reads.has(name) && context.finding.smell !== "late") return [];
    const made = before.findLast((one) => one.sets.includes(name));
    const reader = before.find(
      (one) => one.does === "step" && one.reads.has(name) && !one.sets.includes(name) && one.at > (made?.at ?? -1),
    );
    return reader && !needs(step, reader) ? moveStepRepair(context, step, reader, 0.85) : [];
  });
}

const needs = (step: DrawnIcon, other: DrawnIcon): boolean => other.sets.some((name) => step.reads.has(name));

/** A failing call may need a later step first. The more the two have in common, the more likely this is. */
function laterFirst(context: RepairContext, step: DrawnIcon): RepairCandidate[] {
  const { finding, onlyReads } = context;
  if (finding.kind === "cost") return [];
  const first = (behind: readonly DrawnIcon[], passed: readonly DrawnIcon[], before: DrawnIcon): RepairCandidate[] =>
    behind.flatMap((later, index) => {
      const between = [...passed, ...behind.slice(0, index)];
      if (!asksOutside(later) || onlyLooks(later, onlyReads) || between.some((one) => needs(later, one))) return [];
      // Steps that propose or publish results must stay last.
      if (later.calls.some((name) => PROPOSES.has(name))) return [];
      const mends = 0.2 + 0.55 * kinship(step, later) - 0.04 * index;
      return mends < 0.3 ? [] : moveStepRepair(context, later, before, mends);
    });
  const end = loopEndAround(context, step.icon);
  const loop = end === undefined ? undefined : loopEndingAt(context, end);
  if (!loop) return first(stepsBehind(context, step.icon, MOST_STEPS), [step], step);
  // A prerequisite of calls in a loop may come after the loop: then it is moved before the loop.
  const behind = stepsBehind(context, end!, MOST_STEPS);
  const body = [...contextIcons(context).values()].filter(
    ({ at }) => at >= loop.at && at < (behind[0]?.at ?? Number.POSITIVE_INFINITY),
  );
  return [...first(stepsBehind(context, step.icon, MOST_STEPS), [step], step), ...first(behind, body, loop)];
}

/** The head of a loop, by its lower end. */
function loopEndingAt(context: RepairContext, end: IconId): DrawnIcon | undefined {
  const { ends } = pairLoops(context.diagram, surveyDiagram(context.diagram));
  const [head] = [...ends].find(([, { id }]) => id === end) ?? [];
  return head === undefined ? undefined : contextIcons(context).get(head);
}

const PROPOSES = new Set(["create-proposal", "propose-memory-update", "propose-logic-update", "notify", "commit"]);

/** Similarity of two steps: shared arguments, and shared words in their tool names. */
function kinship(one: DrawnIcon, other: DrawnIcon): number {
  const shared = [...other.reads].filter((name) => one.reads.has(name)).length;
  const names = other.reads.size === 0 ? 0 : shared / other.reads.size;
  const words = (icon: DrawnIcon): Set<string> =>
    new Set(icon.calls.flatMap((name) => name.split("-")).filter((word) => word.length > 1));
  const [mine, theirs] = [words(one), words(other)];
  const common = [...theirs].filter((word) => mine.has(word)).length;
  return 0.6 * names + 0.4 * Math.min(1, common);
}

/** Moves a step to the only side of the next question that reads its result. */
function behindQuestion(context: RepairContext, step: DrawnIcon): RepairCandidate[] {
  const { tree } = context;
  const { instructions } = compiledTree(tree);
  const { before } = liveNames(tree);
  for (let pc = step.at + 1; pc < instructions.length; pc++) {
    const instruction = instructions[pc]!;
    if (instruction.op !== "ask") continue;
    const question = diagramIcon(context, instruction.icon);
    if (!question) return [];
    const onYes = step.sets.some((name) => before[instruction.yes.at]!.has(name));
    const exit = onYes === question.yesIsDown ? "one" : "two";
    const operation = { op: "move-step" as const, icon: step.icon, at: [{ icon: question.id, exit } as const] };
    return [
      {
        kind: "reorder",
        operations: [operation],
        mends: 0.9,
        keeps: 0.97,
        words: {
          uk: `Виконувати ${quotedText(step.text)} лише після питання ${quotedText(question.text)}, на тому боці, де результат потрібен.`,
          en: `Do ${quotedText(step.text)} only after the question ${quotedText(question.text)}, on the side that needs its result.`,
        },
      },
    ];
  }
  return [];
}
