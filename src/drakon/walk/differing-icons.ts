import type { IconId } from "../icon-id.ts";
import type { Tree } from "../tree.ts";
import { type CompiledTree, compiledTree, type Instruction } from "./compiled-tree.ts";
import { iconSignature } from "./landmarks.ts";

/**
 * The icons of the first diagram at which the second behaves differently, each with its counterpart in the second. A path
 * through the first that avoids them all is also a path through the second; nothing is known about other paths.
 */
export function differingIcons(was: Tree, is: Tree): ReadonlyMap<IconId, IconId | undefined> {
  const [before, after] = [compiledTree(was), compiledTree(is)];
  const found = new Map<IconId, IconId | undefined>();
  const seen = new Set<string>();
  const work: Pair[] = [{ a: 0, b: 0, from: undefined }];
  for (let pair = work.pop(); pair; pair = work.pop()) {
    const [a, b] = [skipIdle(before, pair.a), skipIdle(after, pair.b)];
    const key = `${a} ${b}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const [x, y] = [before.instructions[a], after.instructions[b]];
    if (!x || !y || !alike(x, y)) {
      const at = x && "icon" in x ? x.icon : pair.from?.[0];
      if (at !== undefined) found.set(at, y && "icon" in y ? y.icon : pair.from?.[1]);
      continue;
    }
    const from = "icon" in x && "icon" in y ? ([x.icon, y.icon] as const) : pair.from;
    const [exits, others] = [instructionTargets(x, a), instructionTargets(y, b)];
    for (const [index, to] of exits.entries()) work.push({ a: to, b: others[index]!, from });
  }
  return found;
}

interface Pair {
  readonly a: number;
  readonly b: number;
  readonly from: readonly [IconId, IconId] | undefined;
}

/** Skips jumps and icons without work; a cycle of them stays at its start. */
function skipIdle({ instructions }: CompiledTree, from: number): number {
  let at = from;
  for (let steps = 0; steps <= instructions.length; steps++) {
    const one = instructions[at];
    if (one?.op === "jump") at = one.to.at;
    else if (one?.op === "pass" || (one?.op === "step" && !iconSignature(one))) at++;
    else return at;
  }
  return from;
}

function alike(x: Instruction, y: Instruction): boolean {
  if (x.op !== y.op || iconSignature(x)?.label !== iconSignature(y)?.label) return false;
  if (x.op === "enter" && y.op === "enter") return x.loop.text.trim() === y.loop.text.trim();
  if (x.op === "fork" && y.op === "fork") return x.processes.length === y.processes.length;
  return x.op !== "select" || y.op !== "select" || (x.otherwise === undefined) === (y.otherwise === undefined);
}

/** The addresses that an instruction may continue at, one per answer. */
export function instructionTargets(one: Instruction, pc: number): number[] {
  switch (one.op) {
    case "jump":
      return [one.to.at];
    case "ask":
      return [one.yes.at, one.no.at];
    case "select":
      return [...one.cases.map(({ at }) => at), ...(one.otherwise ? [one.otherwise.at] : [])];
    case "round":
      return [pc + 1, one.done.at];
    case "fork":
      return [...one.processes.map(({ at }) => at), one.next.at];
    case "join":
    case "return":
      return [];
    default:
      return [pc + 1];
  }
}
