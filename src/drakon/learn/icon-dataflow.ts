import { boundNames } from "../expression/bound-names.ts";
import { classifyAsked, everyPart } from "../expression/classify.ts";
import type { Expression, Statement } from "../expression/expression.ts";
import { forEachHead } from "../expression/for-each-head.ts";
import { namesIn } from "../expression/lexer.ts";
import { readStep } from "../expression/read-step.ts";
import type { IconId } from "../icon-id.ts";
import type { Step, Tree } from "../tree.ts";
import { compiledTree, type Instruction } from "../walk/compiled-tree.ts";

/** Static facts about one icon. */
export interface DrawnIcon {
  readonly icon: IconId;
  readonly text: string;
  readonly does: "step" | "question" | "select" | "loop";
  /** Names that it reads and names that it sets. */
  readonly reads: ReadonlySet<string>;
  readonly sets: readonly string[];
  /** Tools and diagrams that it calls. A step in prose calls a model (`inWords`). */
  readonly calls: readonly string[];
  readonly inWords: boolean;
  /** Expressions in it. */
  readonly formulas: readonly Expression[];
  readonly statements: readonly Statement[];
  /** Index among the instructions of the diagram. */
  readonly at: number;
}

const drawings = new WeakMap<Tree, ReadonlyMap<IconId, DrawnIcon>>();

/** Steps, questions, selects and loops in order of appearance. Cached per tree. */
export function drawnIcons(tree: Tree): ReadonlyMap<IconId, DrawnIcon> {
  const known = drawings.get(tree);
  if (known) return known;
  const bound = boundNames(tree);
  const icons = new Map<IconId, DrawnIcon>();
  for (const [at, instruction] of compiledTree(tree).instructions.entries()) {
    const drawn = drawnIcon(instruction, bound, at);
    if (drawn && !icons.has(drawn.icon)) icons.set(drawn.icon, drawn);
  }
  drawings.set(tree, icons);
  return icons;
}

function drawnIcon(instruction: Instruction, bound: ReadonlySet<string>, at: number): DrawnIcon | undefined {
  switch (instruction.op) {
    case "step":
      return drawnStep(instruction.step, bound, at);
    case "ask":
      return asking("question", instruction.question, bound, at);
    case "select":
      return asking("select", instruction.select, bound, at);
    case "enter": {
      const { icon, text } = instruction.loop;
      const head = forEachHead(text);
      const over = head.is === "each" ? classifyAsked(head.over, bound) : undefined;
      const formulas = over?.kind === "formal" ? [over.expression] : [];
      const sets = head.is === "each" ? head.names : head.is === "count" ? head.first.flatMap(targetOf) : [];
      return { ...described(formulas, text, bound), icon, text, does: "loop", sets, statements: [], at };
    }
    default:
      return undefined;
  }
}

const targetOf = ({ target }: Statement): string[] => (target === undefined ? [] : [target]);

function asking(
  does: "question" | "select",
  { icon, text }: { readonly icon: IconId; readonly text: string },
  bound: ReadonlySet<string>,
  at: number,
): DrawnIcon {
  const read = classifyAsked(text, bound);
  const formulas = read.kind === "formal" ? [read.expression] : [];
  return { ...described(formulas, text, bound), icon, text, does, sets: [], statements: [], at };
}

function drawnStep(step: Step, bound: ReadonlySet<string>, at: number): DrawnIcon {
  const { icon, text } = step;
  const read = readStep(step, bound);
  const common = { icon, text, does: "step" as const, at };
  if (read.does === "statements") {
    const { statements } = read;
    const formulas = statements.map(({ value }) => value);
    return { ...described(formulas, text, bound), ...common, sets: statements.flatMap(targetOf), statements };
  }
  const sets = "target" in read && read.target !== undefined ? [read.target] : [];
  if (read.does === "insert") {
    const formulas = read.args.map(({ value }) => value);
    const told = described(formulas, "", bound);
    return { ...told, ...common, sets, statements: [], calls: [read.diagram, ...told.calls], inWords: false };
  }
  const silent = read.does === "nothing";
  return { ...described([], silent ? "" : text, bound), ...common, sets, statements: [], inWords: !silent };
}

function described(
  formulas: readonly Expression[],
  text: string,
  bound: ReadonlySet<string>,
): Pick<DrawnIcon, "reads" | "calls" | "formulas" | "inWords"> {
  const parts = everyPart(formulas);
  const names = formulas.length > 0 ? parts.flatMap((one) => (one.is === "name" ? [one.name] : [])) : namesIn(text);
  return {
    reads: new Set([...names].filter((name) => bound.has(name))),
    calls: parts.flatMap((one) => (one.is === "call" ? [one.name] : [])),
    formulas,
    inWords: formulas.length === 0 && text.trim() !== "",
  };
}

/** True if the icon calls a tool, a diagram or a model. */
export const asksOutside = ({ calls, inWords }: DrawnIcon): boolean => calls.length > 0 || inWords;

export interface Live {
  readonly before: readonly ReadonlySet<string>[];
  readonly behind: readonly ReadonlySet<string>[];
}

/**
 * Liveness analysis: names that may still be read before and after each instruction, by its index. The result of the
 * procedure is live at the end, because the caller reads it.
 */
export function liveNames(tree: Tree): Live {
  const { instructions } = compiledTree(tree);
  const icons = drawnIcons(tree);
  const reads = instructions.map((one) => ("icon" in one && one.op !== "pass" ? icons.get(one.icon) : undefined));
  const before: Set<string>[] = instructions.map(() => new Set());
  const behind: Set<string>[] = instructions.map(() => new Set());
  for (let changed = true; changed; ) {
    changed = false;
    for (let pc = instructions.length - 1; pc >= 0; pc--) {
      const after = behind[pc]!;
      const size = after.size;
      for (const next of nextPlaces(instructions[pc]!, pc)) for (const name of before[next] ?? []) after.add(name);
      const icon = reads[pc];
      const now = before[pc]!;
      const had = now.size;
      if (instructions[pc]!.op === "return") for (const name of RESULT_NAMES) now.add(name);
      for (const name of after) if (!icon?.sets.includes(name) || icon.reads.has(name)) now.add(name);
      for (const name of icon?.reads ?? []) now.add(name);
      if (after.size !== size || now.size !== had) changed = true;
    }
  }
  return { before, behind };
}

const RESULT_NAMES = ["result", "результат"];

/** Successors of an instruction. For liveness, processes count as running one after the other. */
export function nextPlaces(instruction: Instruction, pc: number): readonly number[] {
  switch (instruction.op) {
    case "ask":
      return [instruction.yes.at, instruction.no.at];
    case "select":
      return [...instruction.cases, ...(instruction.otherwise ? [instruction.otherwise] : [])].map(({ at }) => at);
    case "round":
      return [pc + 1, instruction.done.at];
    case "jump":
      return [instruction.to.at];
    case "fork":
      return [...instruction.processes.map(({ at }) => at), instruction.next.at];
    case "join":
      return [pc + 1];
    case "return":
      return [];
    default:
      return [pc + 1];
  }
}
