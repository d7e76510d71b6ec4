import { assert } from "../../base/assert.ts";
import type { IconId } from "../icon-id.ts";
import type { Block, Condition, ForEach, Label, Parallel, Select, Step, Tree, TreeNode } from "../tree.ts";

/**
 * A tree as a flat list of instructions, so that the interpreter needs no stack as deep as the drawing. Icons are numbered in
 * order of appearance: request ids are made from these numbers, so they survive when an editor renumbers the icons.
 */
export interface CompiledTree {
  readonly instructions: readonly Instruction[];
  /** Number of icons. */
  readonly icons: number;
}

/** A jump target; `at` is set when the compiler reaches it. */
interface Address {
  at: number;
}

type Question = Extract<Condition, { is: "question" }>;

export type Instruction =
  /** Passes an icon without work: the head of a branch, a case, a process or an arrow loop. */
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
  /** Enters a for-each loop; its `round` instruction follows. */
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
  /** Ends a process. */
  | { readonly op: "join" }
  | { readonly op: "return" };

interface Target {
  readonly onward: Address;
  /** Start of the next round; only loops have it. */
  readonly again?: Address;
  readonly level: number;
}

interface Context {
  readonly loop: Target | undefined;
  /** Number of enclosing processes. */
  readonly level: number;
}

type Task = () => void;

const compiled = new WeakMap<Tree, CompiledTree>();

/** Compiles a tree; cached per tree object. */
export function compiledTree(tree: Tree): CompiledTree {
  const known = compiled.get(tree);
  if (known) return known;
  const made = new Compiler(tree).compile();
  compiled.set(tree, made);
  return made;
}

/** Compiles from a stack of tasks instead of recursing, because a tree may be very deep. */
class Compiler {
  readonly #tree: Tree;
  readonly #instructions: Instruction[] = [];
  readonly #labels = new Map<Label, Target>();
  readonly #branches: ReadonlyMap<IconId, Address>;
  readonly #end = newAddress();
  readonly #tasks: Task[] = [];
  #icons = 0;

  constructor(tree: Tree) {
    this.#tree = tree;
    this.#branches = new Map(tree.branches.map(({ icon }) => [icon, newAddress()]));
  }

  compile(): CompiledTree {
    for (const branch of this.#tree.branches.toReversed()) {
      this.#later([
        this.#here(this.#branches.get(branch.icon)!),
        this.#pass(branch.icon),
        this.#block(branch.body, { loop: undefined, level: 0 }),
        // A branch without an exit ends the procedure.
        this.#jump(this.#end),
      ]);
    }
    for (let task = this.#tasks.pop(); task; task = this.#tasks.pop()) task();
    this.#here(this.#end)();
    this.#emit({ op: "return" });
    return { instructions: this.#instructions, icons: this.#icons };
  }

  #emit(instruction: Instruction): void {
    this.#instructions.push(instruction);
  }

  #later(tasks: readonly Task[]): void {
    for (let i = tasks.length - 1; i >= 0; i--) this.#tasks.push(tasks[i]!);
  }

  #here(target: Address): Task {
    return () => {
      target.at = this.#instructions.length;
    };
  }

  #pass(icon: IconId): Task {
    return () => this.#emit({ op: "pass", icon, number: this.#icons++ });
  }

  #jump(to: Address): Task {
    return () => this.#emit({ op: "jump", to });
  }

  /** Queues one node at a time: a block may hold thousands. */
  #block(nodes: Block, context: Context, from = 0): Task {
    return () => {
      if (from >= nodes.length) return;
      if (from + 1 < nodes.length) this.#tasks.push(this.#block(nodes, context, from + 1));
      this.#node(nodes[from]!, context);
    };
  }

  #node(node: TreeNode, context: Context): void {
    switch (node.node) {
      case "step":
        return this.#emit({ op: "step", icon: node.icon, number: this.#icons++, step: node });
      case "if": {
        const [yes, no, after] = [newAddress(), newAddress(), newAddress()];
        return this.#later([
          () => this.#condition(node.condition, yes, no),
          this.#here(yes),
          this.#block(node.yes, context),
          this.#jump(after),
          this.#here(no),
          this.#block(node.no, context),
          this.#here(after),
        ]);
      }
      case "select":
        return this.#select(node, context);
      case "for-each": {
        const number = this.#icons++;
        const { icon } = node;
        this.#emit({ op: "enter", icon, number, loop: node });
        return this.#loop(node, context, (done) => this.#emit({ op: "round", icon, number, loop: node, done }));
      }
      case "loop":
        return this.#loop(node, context, this.#pass(node.icon));
      case "block": {
        const onward = newAddress();
        this.#labels.set(node.label, { onward, level: context.level });
        return this.#later([this.#block(node.body, context), this.#here(onward)]);
      }
      case "parallel":
        return this.#parallel(node, context);
      case "return":
        // Inside a process only the process ends: the others continue, and the code after the block waits for them.
        return this.#emit(context.level > 0 ? { op: "join" } : { op: "jump", to: this.#end });
      case "go": {
        const to = this.#branches.get(node.branch);
        assert(to && context.level === 0, `a branch leads to a branch of its tree (${node.branch})`);
        return this.#emit({ op: "jump", to });
      }
      default: {
        const target = node.label === undefined ? context.loop : this.#labels.get(node.label);
        const to = node.node === "next" ? target?.again : target?.onward;
        assert(target && to, `an exit leaves something that is around it (${node.node} ${node.label})`);
        assert(target.level === context.level, "no exit leads out of a process");
        return this.#emit({ op: "jump", to });
      }
    }
  }

  #loop(node: Extract<TreeNode, { node: "for-each" | "loop" }>, context: Context, head: (done: Address) => void): void {
    const [again, onward] = [newAddress(), newAddress()];
    const loop: Target = { onward, again, level: context.level };
    if (node.label !== undefined) this.#labels.set(node.label, loop);
    this.#later([
      this.#here(again),
      () => head(onward),
      this.#block(node.body, { ...context, loop }),
      this.#jump(again),
      this.#here(onward),
    ]);
  }

  #parallel({ processes, endIcon }: Parallel, context: Context): void {
    const next = newAddress();
    const starts = processes.map(newAddress);
    this.#emit({ op: "fork", processes: starts, next });
    const inner: Context = { loop: context.loop, level: context.level + 1 };
    this.#later([
      ...processes.flatMap(({ icon, body }, index) => [
        this.#here(starts[index]!),
        this.#pass(icon),
        this.#block(body, inner),
        () => this.#emit({ op: "join" }),
      ]),
      this.#here(next),
      this.#pass(endIcon),
    ]);
  }

  #select(select: Select, context: Context): void {
    const [after, last] = [newAddress(), newAddress()];
    const cases = select.cases.map(newAddress);
    const otherwise = select.otherwise ? last : undefined;
    this.#emit({ op: "select", icon: select.icon, number: this.#icons++, select, cases, otherwise });
    const arms = select.otherwise ? [...select.cases, select.otherwise] : select.cases;
    this.#later([
      ...arms.flatMap(({ icon, body }, index) => [
        this.#here(cases[index] ?? last),
        this.#pass(icon),
        this.#block(body, context),
        this.#jump(after),
      ]),
      this.#here(after),
    ]);
  }

  /** Compiles to jumps with short circuit: each question jumps to the target of its answer. */
  #condition(condition: Condition, yes: Address, no: Address): void {
    if (condition.is === "not") return this.#later([() => this.#condition(condition.of, no, yes)]);
    if (condition.is === "question")
      return this.#emit({ op: "ask", icon: condition.icon, number: this.#icons++, question: condition, yes, no });
    const last = condition.of.length - 1;
    this.#later(
      condition.of.flatMap((part, index) => {
        if (index === last) return [() => this.#condition(part, yes, no)];
        const next = newAddress();
        const [onYes, onNo] = condition.is === "and" ? [next, no] : [yes, next];
        return [() => this.#condition(part, onYes, onNo), this.#here(next)];
      }),
    );
  }
}

const newAddress = (): Address => ({ at: -1 });
