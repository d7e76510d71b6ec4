import { assert } from "../../base/assert.ts";
import type { IconId } from "../icon-id.ts";
import type { Block, Condition, ForEach, Label, Select, Step, Tree, TreeNode } from "../tree.ts";

/**
 * A tree as a flat list of instructions, so that walking it needs no stack as deep as the drawing. Icons are numbered in order
 * of appearance: ids of requests are made from these numbers and survive when an editor renames the icons.
 */
export interface CompiledTree {
  readonly instructions: readonly Instruction[];
  /** How many icons are numbered. */
  readonly icons: number;
}

/** A place in the code; filled in when it is reached. */
interface Address {
  at: number;
}

type Question = Extract<Condition, { is: "question" }>;

export type Instruction =
  /** Passes an icon that does nothing by itself: the head of a branch, a process, or a loop. */
  | { readonly op: "pass"; readonly icon: IconId; readonly number: number }
  | { readonly op: "step"; readonly icon: IconId; readonly number: number; readonly step: Step }
  | {
      readonly op: "ask";
      readonly icon: IconId;
      readonly number: number;
      readonly question: Question;
      readonly yes: Address;
      readonly no: Address;
    }
  | {
      readonly op: "select";
      readonly icon: IconId;
      readonly number: number;
      readonly select: Select;
      readonly cases: readonly Address[];
      readonly otherwise: Address | undefined;
    }
  /** Begins a loop anew; the rounds follow. */
  | { readonly op: "enter"; readonly icon: IconId; readonly number: number; readonly loop: ForEach }
  | {
      readonly op: "round";
      readonly icon: IconId;
      readonly number: number;
      readonly loop: ForEach;
      readonly done: Address;
    }
  | { readonly op: "jump"; readonly to: Address }
  | { readonly op: "fork"; readonly processes: readonly Address[]; readonly next: Address }
  /** A process has come to its end. */
  | { readonly op: "join" }
  | { readonly op: "return" };

interface Target {
  readonly onward: Address;
  /** Where its next round begins, for loops. */
  readonly again?: Address;
  readonly level: number;
}

interface Context {
  readonly loop: Target | undefined;
  /** How many processes lie around. */
  readonly level: number;
}

type Task = () => void;

const compiled = new WeakMap<Tree, CompiledTree>();

/** The same code for the same tree object, made once. */
export function compiledTree(tree: Tree): CompiledTree {
  const known = compiled.get(tree);
  if (known) return known;
  const made = compile(tree);
  compiled.set(tree, made);
  return made;
}

function compile(tree: Tree): CompiledTree {
  const instructions: Instruction[] = [];
  const labels = new Map<Label, Target>();
  const branches = new Map<IconId, Address>(tree.branches.map(({ icon }) => [icon, newAddress()]));
  const end = newAddress();
  const work: Task[] = [];
  let icons = 0;
  const emit = (instruction: Instruction): void => void instructions.push(instruction);
  const later = (tasks: readonly Task[]): void => {
    for (let i = tasks.length - 1; i >= 0; i--) work.push(tasks[i]!);
  };
  const here = (target: Address) => () => {
    target.at = instructions.length;
  };
  /** Nodes one by one, each before the next: a block may hold thousands. */
  const block = (nodes: Block, context: Context, from = 0): Task => {
    return () => {
      if (from >= nodes.length) return;
      if (from + 1 < nodes.length) work.push(block(nodes, context, from + 1));
      node(nodes[from]!, context);
    };
  };

  for (const branch of tree.branches.toReversed()) {
    later([
      here(branches.get(branch.icon)!),
      () => emit({ op: "pass", icon: branch.icon, number: icons++ }),
      block(branch.body, { loop: undefined, level: 0 }),
      // A branch that does not say where it goes on is the end of the procedure.
      () => emit({ op: "jump", to: end }),
    ]);
  }
  for (let task = work.pop(); task; task = work.pop()) task();
  here(end)();
  emit({ op: "return" });
  return { instructions, icons };

  function node(one: TreeNode, context: Context): void {
    switch (one.node) {
      case "step":
        return emit({ op: "step", icon: one.icon, number: icons++, step: one });
      case "if": {
        const [yes, no, after] = [newAddress(), newAddress(), newAddress()];
        return later([
          () => condition(one.condition, yes, no),
          here(yes),
          block(one.yes, context),
          () => emit({ op: "jump", to: after }),
          here(no),
          block(one.no, context),
          here(after),
        ]);
      }
      case "select":
        return select(one, context);
      case "for-each": {
        const [again, onward] = [newAddress(), newAddress()];
        const loop: Target = { onward, again, level: context.level };
        if (one.label !== undefined) labels.set(one.label, loop);
        const number = icons++;
        emit({ op: "enter", icon: one.icon, number, loop: one });
        return later([
          here(again),
          () => emit({ op: "round", icon: one.icon, number, loop: one, done: onward }),
          block(one.body, { ...context, loop }),
          () => emit({ op: "jump", to: again }),
          here(onward),
        ]);
      }
      case "loop": {
        const [again, onward] = [newAddress(), newAddress()];
        const loop: Target = { onward, again, level: context.level };
        if (one.label !== undefined) labels.set(one.label, loop);
        return later([
          here(again),
          () => emit({ op: "pass", icon: one.icon, number: icons++ }),
          block(one.body, { ...context, loop }),
          () => emit({ op: "jump", to: again }),
          here(onward),
        ]);
      }
      case "block": {
        const onward = newAddress();
        labels.set(one.label, { onward, level: context.level });
        return later([block(one.body, context), here(onward)]);
      }
      case "parallel": {
        const next = newAddress();
        const places = one.processes.map(newAddress);
        emit({ op: "fork", processes: places, next });
        const inner: Context = { loop: context.loop, level: context.level + 1 };
        return later([
          ...one.processes.flatMap(({ icon, body }, index) => [
            here(places[index]!),
            () => emit({ op: "pass", icon, number: icons++ }),
            block(body, inner),
            () => emit({ op: "join" }),
          ]),
          here(next),
          () => emit({ op: "pass", icon: one.endIcon, number: icons++ }),
        ]);
      }
      case "break":
      case "next":
      case "leave": {
        const target = one.label === undefined ? context.loop : labels.get(one.label);
        const to = one.node === "next" ? target?.again : target?.onward;
        assert(target && to, `an exit leaves something that is around it (${one.node} ${one.label})`);
        assert(target.level === context.level, "no exit leads out of a process");
        return emit({ op: "jump", to });
      }
      case "return":
        // Inside a process it is the process that ends: the others go on, and what follows waits for them.
        return emit(context.level > 0 ? { op: "join" } : { op: "jump", to: end });
      case "go": {
        const to = branches.get(one.branch);
        assert(to && context.level === 0, `a branch leads to a branch of its tree (${one.branch})`);
        return emit({ op: "jump", to });
      }
    }
  }

  function select(one: Select, context: Context): void {
    const [after, otherwise] = [newAddress(), newAddress()];
    const cases = one.cases.map(newAddress);
    const shown = one.otherwise ? otherwise : undefined;
    emit({ op: "select", icon: one.icon, number: icons++, select: one, cases, otherwise: shown });
    const arms = one.otherwise ? [...one.cases, one.otherwise] : one.cases;
    later([
      ...arms.flatMap(({ icon, body }, index) => [
        here(cases[index] ?? otherwise),
        () => emit({ op: "pass", icon, number: icons++ }),
        block(body, context),
        () => emit({ op: "jump", to: after }),
      ]),
      here(after),
    ]);
  }

  /** Every question jumps straight to where its answer leads: "and" and "or" ask no more than needed. */
  function condition(one: Condition, yes: Address, no: Address): void {
    if (one.is === "not") return later([() => condition(one.of, no, yes)]);
    if (one.is === "question") return emit({ op: "ask", icon: one.icon, number: icons++, question: one, yes, no });
    const last = one.of.length - 1;
    later(
      one.of.flatMap((part, index) => {
        if (index === last) return [() => condition(part, yes, no)];
        const next = newAddress();
        const [onYes, onNo] = one.is === "and" ? [next, no] : [yes, next];
        return [() => condition(part, onYes, onNo), here(next)];
      }),
    );
  }
}

const newAddress = (): Address => ({ at: -1 });
