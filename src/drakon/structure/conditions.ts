import type { Condition } from "../tree.ts";
import type { ControlFlow, FlowNode } from "./flow.ts";
import { successors } from "./flow.ts";

type Ask = Extract<FlowNode, { kind: "ask" }>;

/**
 * Joins questions into "and" and "or", in place: if a question is only reached from another one and both have an exit to the
 * same node, they are one condition. DRAKON has no icon for these; without joining, almost every such diagram would need a
 * labelled exit.
 */
export function joinQuestions(flow: ControlFlow, order: readonly number[]): void {
  const entries = new Int32Array(flow.nodes.length);
  entries[0] = 1;
  for (const number of order) for (const next of successors(flow.nodes[number]!)) entries[next]!++;
  const onlyAsked = (number: number, self: number): Ask | undefined => {
    const node = flow.nodes[number]!;
    return number !== self && node.kind === "ask" && entries[number] === 1 ? node : undefined;
  };
  for (const number of order.toReversed()) {
    const node = flow.nodes[number]!;
    if (node.kind !== "ask") continue;
    for (let joined = true; joined; ) {
      joined = joinOne(node, number);
    }
  }

  function joinOne(node: Ask, self: number): boolean {
    const afterYes = onlyAsked(node.yes, self);
    if (afterYes && node.no === afterYes.no) return join(node, "and", node.condition, afterYes, node.no);
    if (afterYes && node.no === afterYes.yes) return join(node, "or", not(node.condition), afterYes, node.no);
    const afterNo = onlyAsked(node.no, self);
    if (afterNo && node.yes === afterNo.yes) return join(node, "or", node.condition, afterNo, node.yes);
    if (afterNo && node.yes === afterNo.no) return join(node, "and", not(node.condition), afterNo, node.yes);
    return false;
  }

  function join(node: Ask, is: "and" | "or", first: Condition, second: Ask, shared: number): boolean {
    node.condition = { is, of: [first, second.condition] };
    node.yes = second.yes;
    node.no = second.no;
    entries[shared]!--;
    return true;
  }
}

/** Negates a condition; a double negation is removed. */
export const not = (condition: Condition): Condition =>
  condition.is === "not" ? condition.of : { is: "not", of: condition };

/** Flattens `a and (b and (c and …))` to one list. Not recursive: a chain may have thousands of questions. */
export function flattened(condition: Condition): Condition {
  if (condition.is === "question") return condition;
  const done = new Map<Condition, Condition>();
  const stack: Condition[] = [condition];
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const open = partsOf(top).filter((part) => part.is !== "question" && !done.has(part));
    if (open.length > 0) {
      stack.push(...open);
      continue;
    }
    stack.pop();
    const part = (one: Condition): Condition => done.get(one) ?? one;
    if (top.is === "not") done.set(top, not(part(top.of)));
    else if (top.is !== "question") done.set(top, { is: top.is, of: partsOf(top).map(part) });
  }
  return done.get(condition)!;
}

/** Direct parts; for a chain of one kind, all members of the chain. */
function partsOf(condition: Condition): readonly Condition[] {
  if (condition.is === "question") return [];
  if (condition.is === "not") return [condition.of];
  const parts: Condition[] = [];
  const stack: Condition[] = [condition];
  while (stack.length > 0) {
    const top = stack.pop()!;
    if (top.is === condition.is) stack.push(...top.of.toReversed());
    else parts.push(top);
  }
  return parts;
}
