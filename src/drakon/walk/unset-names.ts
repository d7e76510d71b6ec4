import type { Text } from "../../base/text.ts";
import { boundNames, namesSetBy } from "../expression/bound-names.ts";
import { classify, classifyAsked, subexpressions } from "../expression/classify.ts";
import type { Expression, Statement } from "../expression/expression.ts";
import { forEachHead } from "../expression/for-each-head.ts";
import { parametersOf } from "../expression/parameters.ts";
import { readStep } from "../expression/read-step.ts";
import { type Finding, finding } from "../finding.ts";
import type { Tree } from "../tree.ts";
import { type CompiledTree, compiledTree, type Instruction } from "./compiled-tree.ts";
import { instructionTargets } from "./differing-icons.ts";

/** Above this many pairs of instruction and name, only the first names are checked: the check must not delay an editor. */
const MAX_WORK = 30_000_000;

/**
 * Definite assignment: an error for every icon that computes with a name which is set elsewhere in the procedure, but not on every
 * path to the icon. A run that takes such a path ends there. Conditions are not related to each other: a name that is set and used
 * under two questions with the same text counts as unset.
 */
export function unsetNames(tree: Tree, given: Iterable<string> = []): Finding[] {
  const bound = boundNames(tree);
  const known = new Set([...parametersOf(tree.params), ...given]);
  const code = compiledTree(tree);
  const reads = code.instructions.map((one) => readsOf(one, bound));
  const used = new Set(reads.flat());
  const names = [...bound].filter((name) => !known.has(name) && used.has(name));
  const writes = code.instructions.map(writesOf);
  const most = Math.max(1, Math.floor(MAX_WORK / code.instructions.length));
  const forks = forksOf(code);
  return names.slice(0, most).flatMap((name) => {
    const from = pathsWithout(code, forks, (at) => writes[at]!.includes(name));
    const first = reads.findIndex((read, at) => from.has(at) && read.includes(name));
    return first < 0 ? [] : [unset(code, from, first, name)];
  });
}

/** Names that an instruction reads before it sets them. Parts of `and` and `or` after the first may not be reached. */
function readsOf(instruction: Instruction, bound: ReadonlySet<string>): string[] {
  switch (instruction.op) {
    case "ask":
      return asked(instruction.question.text, bound);
    case "select":
      return asked(instruction.select.text, bound);
    case "enter": {
      const head = forEachHead(instruction.loop.text);
      if (head.is === "count") return statementReads(head.first);
      if (head.is === "words") return [];
      const over = classify(head.over, bound);
      return over.kind === "formal" ? namesRead([over.expression]) : [];
    }
    case "step": {
      const read = readStep(instruction.step, bound);
      if (read.does === "statements") return statementReads(read.statements);
      return read.does === "insert" ? namesRead(read.args.map(({ value }) => value)) : [];
    }
    default:
      return [];
  }
}

function asked(text: string, bound: ReadonlySet<string>): string[] {
  const read = classifyAsked(text, bound);
  return read.kind === "formal" ? namesRead([read.expression]) : [];
}

function statementReads(statements: readonly Statement[]): string[] {
  const set = new Set<string>();
  return statements.flatMap(({ target, value }) => {
    const read = namesRead([value]).filter((name) => !set.has(name));
    if (target !== undefined) set.add(target);
    return read;
  });
}

/** Names in the parts of expressions that are always evaluated. */
function namesRead(expressions: readonly Expression[]): string[] {
  const found: string[] = [];
  const work = [...expressions];
  for (let next = work.pop(); next; next = work.pop()) {
    if (next.is === "name") found.push(next.name);
    else if (next.is === "and" || next.is === "or") work.push(next.of[0]!);
    else work.push(...subexpressions(next));
  }
  return found;
}

/** A round of a loop sets its names; entering it sets those of `i = 0`. */
function writesOf(instruction: Instruction): readonly string[] {
  if (instruction.op === "step") return namesSetBy(instruction.step);
  if (instruction.op !== "round" && instruction.op !== "enter") return [];
  const head = forEachHead(instruction.loop.text);
  if (head.is === "count") return head.first.flatMap(({ target }) => target ?? []);
  return head.is === "each" && instruction.op === "round" ? head.names : [];
}

interface JoinPlace {
  readonly fork: number;
  readonly process: number;
}

/** The fork and process that each `join` ends. Processes are compiled one after the other, inner blocks inside outer ones. */
function forksOf({ instructions }: CompiledTree): ReadonlyMap<number, JoinPlace> {
  const joins = new Map<number, JoinPlace>();
  const open: { fork: number; starts: readonly number[]; end: number }[] = [];
  for (const [at, one] of instructions.entries()) {
    while (open.length > 0 && open.at(-1)!.end <= at) open.pop();
    if (one.op === "fork") open.push({ fork: at, starts: one.processes.map((start) => start.at), end: one.next.at });
    const inner = open.at(-1);
    if (one.op === "join" && inner)
      joins.set(at, { fork: inner.fork, process: inner.starts.findLastIndex((start) => start <= at) });
  }
  return joins;
}

/**
 * The instructions that can be reached from the start without passing one that `sets`, each with the one before it. A parallel block is
 * left so only if every process can end so.
 */
function pathsWithout(
  { instructions }: CompiledTree,
  joins: ReadonlyMap<number, JoinPlace>,
  sets: (at: number) => boolean,
): ReadonlyMap<number, number> {
  const from = new Map<number, number>([[0, -1]]);
  const ended = new Map<number, Set<number>>();
  const work = [0];
  const reach = (at: number, before: number): void => {
    if (from.has(at)) return;
    from.set(at, before);
    work.push(at);
  };
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    const one = instructions[at]!;
    const place = joins.get(at);
    if (place) {
      const done = ended.get(place.fork) ?? new Set<number>();
      ended.set(place.fork, done.add(place.process));
      const fork = instructions[place.fork]!;
      if (fork.op === "fork" && done.size === fork.processes.length) reach(fork.next.at, at);
    }
    // The last round of a loop sets nothing.
    if (one.op === "round") reach(one.done.at, at);
    if (!sets(at)) for (const next of successors(one, at)) reach(next, at);
  }
  return from;
}

/** A parallel block is left when all its processes have ended, and a loop apart from its rounds: both are handled by the caller. */
function successors(one: Instruction, at: number): readonly number[] {
  if (one.op === "round") return [at + 1];
  if (one.op === "fork" && one.processes.length > 0) return one.processes.map((start) => start.at);
  return instructionTargets(one, at);
}

/** Names the last decision on a path to the icon, because it is the one that a person can change. */
function unset(code: CompiledTree, from: ReadonlyMap<number, number>, at: number, name: string): Finding {
  const icon = code.instructions[at]!;
  const iconText = icon.op === "step" ? icon.step.text : icon.op === "ask" ? icon.question.text : headText(icon);
  const id = "icon" in icon ? { icon: icon.icon } : {};
  for (let to = at, before = from.get(at)!; before >= 0; to = before, before = from.get(before)!) {
    const when = decision(code.instructions[before]!, to);
    if (when) return finding("E-UNSET", { ...id, iconText, detail: name, when });
  }
  return finding("E-UNSET", { ...id, iconText, detail: name });
}

const headText = (one: Instruction): string =>
  one.op === "select" ? one.select.text : one.op === "enter" || one.op === "round" ? one.loop.text : "";

function decision(one: Instruction, to: number): Text | undefined {
  if (one.op === "ask") {
    const isYes = one.yes.at === to;
    const question = one.question.text.trim();
    return {
      en: `“${question}” is answered ${isYes ? "yes" : "no"}`,
      uk: `на «${question}» відповідь «${isYes ? "так" : "ні"}»`,
    };
  }
  if (one.op === "round" && one.done.at === to) {
    const loop = one.loop.text.trim();
    return { en: `the loop “${loop}” has no round`, uk: `цикл «${loop}» не має жодного проходу` };
  }
  if (one.op !== "select") return undefined;
  const label = one.select.cases[one.cases.findIndex((address) => address.at === to)]?.text.trim();
  return label === undefined
    ? { en: "no case fits", uk: "жоден варіант не підходить" }
    : { en: `the case is “${label}”`, uk: `варіант — «${label}»` };
}
