import fc from "fast-check";
import { not } from "../structure/conditions.ts";
import { diverges } from "../text/exits.ts";
import { nestGuards } from "../text/guards.ts";
import type { Block, Branch, Condition, Duration, Exit, Label, Tree, TreeNode } from "../tree.ts";
import { arbitraryText } from "./arbitrary-text.ts";
import { type AskedDraft, type Draft, draftBlock, type Named, type Texts } from "./tree-draft.ts";

/**
 * Trees that `structure` could make, with adversarial texts: only legal exits, labels only where an exit names them and numbered
 * in order of appearance, no condition inside one of its own kind, `yes` empty only with `no`, nothing after a question that leaves.
 */

export const arbitraryTree: fc.Arbitrary<Tree> = fc
  .record({
    name: arbitraryText,
    params: arbitraryText,
    description: arbitraryText,
    branches: fc.array(fc.record({ name: arbitraryText, body: draftBlock }), { minLength: 1, maxLength: 3 }),
  })
  .map(({ name, params, description, branches }) => ({
    name,
    params,
    description,
    branches: finished(branches.map((branch) => ({ text: branch.name, body: branch.body }))),
    silhouette: branches.length > 1,
  }))
  // The second time for exits that became redundant at the first.
  .map((tree) => nestGuards(nestGuards(tree)));

interface Target {
  readonly kind: "loop" | "block";
  label: Label | undefined;
  named: boolean;
}

interface Scope {
  readonly targets: readonly Target[];
  readonly inProcess: boolean;
}

function finished(branches: readonly Named[]): Branch[] {
  let icons = 0;
  const icon = (): string => `icon ${++icons}`;
  const heads = branches.map(({ text, body }) => ({ icon: icon(), name: text, draft: body }));
  return heads.map(({ icon: id, name, draft }) => {
    let labels = 0;
    const outer: Scope = { targets: [], inProcess: false };
    // Two passes: the first finds the loops and blocks that exits name, the second numbers them.
    const named = new Map<Draft, Target>();
    blockOf(draft, outer, named);
    for (const target of named.values()) if (target.named) target.label = ++labels;
    return { icon: id, name, body: blockOf(draft, outer, named) };
  });

  function blockOf(drafts: readonly Draft[], scope: Scope, known: Map<Draft, Target>): Block {
    const nodes: TreeNode[] = [];
    for (const draft of drafts) {
      nodes.push(...nodesOf(draft, scope, known));
      if (diverges(nodes)) break;
    }
    return nodes;
  }

  function nodesOf(draft: Draft, scope: Scope, known: Map<Draft, Target>): readonly TreeNode[] {
    const inside = (body: readonly Draft[], inner: Scope = scope): Block => blockOf(body, inner, known);
    const arm = ({ text, body }: Named, inner?: Scope): { icon: string; text: string; body: Block } => ({
      icon: icon(),
      text,
      body: inside(body, inner),
    });
    switch (draft.draft) {
      case "step": {
        const { text, secondary } = draft.texts;
        const upper = secondary === undefined ? {} : { secondary };
        return [{ node: "step", kind: draft.kind, icon: icon(), text, ...upper, ...beside(draft.texts) }];
      }
      case "if": {
        const asked = conditionOf(draft.condition);
        const [yes, no] = [inside(draft.yes), inside(draft.no)];
        const flip = yes.length === 0 && no.length > 0;
        return [{ node: "if", condition: flip ? not(asked) : asked, yes: flip ? no : yes, no: flip ? [] : no }];
      }
      case "select":
        return [
          {
            node: "select",
            icon: icon(),
            text: draft.texts.text,
            ...beside(draft.texts),
            cases: draft.cases.map((one) => arm(one)),
            ...(draft.otherwise && { otherwise: { icon: icon(), body: inside(draft.otherwise) } }),
          },
        ];
      case "parallel":
        return [
          {
            node: "parallel",
            processes: draft.processes.map((one) => arm(one, { targets: [], inProcess: true })),
            endIcon: icon(),
          },
        ];
      case "exit":
        return [exitOf(draft.choice, scope)];
      case "for-each":
      case "loop":
      case "block": {
        const target = known.get(draft) ?? {
          kind: draft.draft === "block" ? "block" : "loop",
          label: undefined,
          named: false,
        };
        known.set(draft, target);
        const body = inside(draft.body, { ...scope, targets: [...scope.targets, target] });
        const label = target.label === undefined ? {} : { label: target.label };
        if (draft.draft === "block" && target.named) return [{ node: "block", label: target.label ?? 0, body }];
        // A block without an exit becomes a loop.
        if (draft.draft !== "for-each") return [{ node: "loop", icon: icon(), ...label, body }];
        return [
          { node: "for-each", icon: icon(), endIcon: icon(), text: draft.text, endText: draft.endText, ...label, body },
        ];
      }
    }
  }

  function exitOf(choice: number, { targets, inProcess }: Scope): Exit {
    const innermost = targets.findLast((target) => target.kind === "loop");
    const legal: (() => Exit)[] = [() => ({ node: "return" })];
    for (const { icon: branch } of inProcess ? [] : heads) legal.push(() => ({ node: "go", branch }));
    if (innermost)
      legal.push(
        () => ({ node: "break" }),
        () => ({ node: "next" }),
      );
    for (const target of targets) {
      const name = (): Label => {
        target.named = true;
        return target.label ?? 0;
      };
      if (target.kind === "block") legal.push(() => ({ node: "leave", label: name() }));
      else if (target !== innermost)
        legal.push(
          () => ({ node: "break", label: name() }),
          () => ({ node: "next", label: name() }),
        );
    }
    return legal[choice % legal.length]!();
  }

  function conditionOf(draft: AskedDraft): Condition {
    if ("ask" in draft) return { is: "question", icon: icon(), text: draft.ask.text, ...beside(draft.ask) };
    if ("negated" in draft) return not(conditionOf(draft.negated));
    const parts = draft.of.map(conditionOf);
    return { is: draft.is, of: parts.flatMap((part) => (part.is === draft.is ? part.of : [part])) };
  }

  function beside({ duration }: Texts): { duration?: Duration } {
    return duration === undefined ? {} : { duration: { icon: icon(), text: duration } };
  }
}
