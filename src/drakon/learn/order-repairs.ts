import { codeOf } from "../walk/code.ts";
import { asksOutside, type DrawnIcon, liveNames } from "./drawing.ts";
import { type Candidate, drawnAt, type Ground, iconAt, iconsOf, lineInto, stepsBehind } from "./ground.ts";
import { onlyLooks } from "./smells.ts";
import { named } from "./words.ts";

const MOST_STEPS = 6;

/** Steps in another order: what is late comes before its reader, what is early behind the question, what is needed first before. */
export function orderRepairs(ground: Ground): Candidate[] {
  const { finding } = ground;
  const drawn = drawnAt(ground);
  if (drawn?.does !== "step") return [];
  if (finding.smell === "late") return beforeReaders(ground, drawn);
  if (finding.smell === "early") return behindQuestion(ground, drawn);
  return [...laterFirst(ground, drawn), ...beforeReaders(ground, drawn)];
}

function moved(ground: Ground, step: DrawnIcon, before: DrawnIcon, mends: number): Candidate[] {
  const at = lineInto(ground, before.icon);
  if (!at) return [];
  return [
    {
      kind: "reorder",
      operations: [{ op: "move-step", icon: step.icon, at }],
      mends,
      keeps: 0.93,
      words: {
        uk: `Виконувати ${named(step.text)} перед ${named(before.text)}.`,
        en: `Do ${named(step.text)} before ${named(before.text)}.`,
      },
    },
  ];
}

/** A step that changes a value goes before the first step that looks at the value since it was made. */
function beforeReaders(ground: Ground, step: DrawnIcon): Candidate[] {
  const before = [...iconsOf(ground).values()].filter((one) => one.at < step.at);
  return step.sets.flatMap((name) => {
    if (!step.reads.has(name) && ground.finding.smell !== "late") return [];
    const made = before.findLast((one) => one.sets.includes(name));
    const reader = before.find(
      (one) => one.does === "step" && one.reads.has(name) && !one.sets.includes(name) && one.at > (made?.at ?? -1),
    );
    return reader && !needs(step, reader) ? moved(ground, step, reader, 0.85) : [];
  });
}

const needs = (step: DrawnIcon, other: DrawnIcon): boolean => other.sets.some((name) => step.reads.has(name));

/** A call that fails may lack what a later step does. The more the two are about the same, the likelier. */
function laterFirst(ground: Ground, step: DrawnIcon): Candidate[] {
  const { finding, onlyReads } = ground;
  if (finding.kind === "cost") return [];
  const behind = stepsBehind(ground, step.icon, MOST_STEPS);
  return behind.flatMap((later, index) => {
    const between = [step, ...behind.slice(0, index)];
    if (!asksOutside(later) || onlyLooks(later, onlyReads) || between.some((one) => needs(later, one))) return [];
    // What only closes or proposes what was done has to be last.
    if (later.calls.some((name) => PROPOSES.has(name))) return [];
    const mends = 0.2 + 0.55 * kinship(step, later) - 0.04 * index;
    return mends < 0.3 ? [] : moved(ground, later, step, mends);
  });
}

const PROPOSES = new Set(["create-proposal", "propose-memory-update", "propose-logic-update", "notify", "commit"]);

/** How much two steps are about the same things: shared arguments, and shared words in the names of their tools. */
function kinship(one: DrawnIcon, other: DrawnIcon): number {
  const shared = [...other.reads].filter((name) => one.reads.has(name)).length;
  const names = other.reads.size === 0 ? 0 : shared / other.reads.size;
  const words = (icon: DrawnIcon): Set<string> =>
    new Set(icon.calls.flatMap((name) => name.split("-")).filter((word) => word.length > 1));
  const [mine, theirs] = [words(one), words(other)];
  const common = [...theirs].filter((word) => mine.has(word)).length;
  return 0.6 * names + 0.4 * Math.min(1, common);
}

/** A step whose result only one side of the next question needs goes to that side. */
function behindQuestion(ground: Ground, step: DrawnIcon): Candidate[] {
  const { tree } = ground;
  const { instructions } = codeOf(tree);
  const { before } = liveNames(tree);
  for (let pc = step.at + 1; pc < instructions.length; pc++) {
    const instruction = instructions[pc]!;
    if (instruction.op !== "ask") continue;
    const question = iconAt(ground, instruction.icon);
    if (!question) return [];
    const onYes = step.sets.some((name) => before[instruction.yes.at]!.has(name));
    const exit = onYes === question.yesIsDown ? "one" : "two";
    const operation = {
      op: "move-step" as const,
      icon: step.icon,
      at: [{ icon: question.id, exit } as const],
    };
    return [
      {
        kind: "reorder",
        operations: [operation],
        mends: 0.9,
        keeps: 0.97,
        words: {
          uk: `Виконувати ${named(step.text)} лише після питання ${named(question.text)}, на тому боці, де результат потрібен.`,
          en: `Do ${named(step.text)} only behind the question ${named(question.text)}, on the side that needs its result.`,
        },
      },
    ];
  }
  return [];
}
