import { diagramName } from "../expression/read-step.ts";
import type { IconId } from "../icon-id.ts";
import { type CompiledTree, compiledTree, type Instruction } from "./compiled-tree.ts";
import { instructionTargets } from "./differing-icons.ts";
import type { Program } from "./frame.ts";
import type { WalkMachine } from "./machine.ts";
import type { Thread } from "./thread.ts";

/** An icon and all of its text. */
interface ReachableIcon {
  readonly icon: IconId;
  readonly text: string;
}

/** Every icon that a waiting walk may still reach under any answers, including those that it waits at. */
export function reachableIcons(machine: WalkMachine, program: Program): ReachableIcon[] {
  const found = new Map<CompiledTree, Set<number>>();
  const work: [CompiledTree, number][] = [];
  const threads = new Set<Thread>();
  for (const { thread } of machine.pending.values())
    for (let each: Thread | undefined = thread; each && !threads.has(each); each = each.parent) threads.add(each);
  for (const { activations } of threads) for (const { frame, pc } of activations) work.push([frame.code, pc]);
  const ahead: ReachableIcon[] = [];
  for (let next = work.pop(); next; next = work.pop()) {
    const [code, pc] = next;
    const seen = found.get(code) ?? new Set<number>();
    found.set(code, seen);
    const one = code.instructions[pc];
    if (!one || seen.has(pc)) continue;
    seen.add(pc);
    if ("icon" in one) ahead.push({ icon: one.icon, text: textIn(one) });
    for (const to of instructionTargets(one, pc)) work.push([code, to]);
    for (const [name, tree] of program.trees) if (mayCall(one, name)) work.push([compiledTree(tree), 0]);
  }
  return ahead;
}

/** Overestimates: an icon may call every diagram whose name occurs in its text. */
const mayCall = (one: Instruction, name: string): boolean => diagramName(textIn(one)).includes(diagramName(name));

function textIn(one: Instruction): string {
  switch (one.op) {
    case "step":
      return [one.step.text, one.step.secondary ?? ""].join("\n");
    case "ask":
      return one.question.text;
    case "select":
      return [one.select.text, ...one.select.cases.map(({ text }) => text)].join("\n");
    case "enter":
    case "round":
      return one.loop.text;
    default:
      return "";
  }
}
