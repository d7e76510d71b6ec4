import fc from "fast-check";
import { not } from "../conditions.ts";
import type { Block, Branch, Condition, Duration, Exit, Label, Tree, TreeNode } from "../tree.ts";
import { arbitraryText } from "./arbitrary-text.ts";

/**
 * Trees as `structure` could make them, with the worst of texts: exits only where they lead somewhere, labels only where an exit
 * names them and numbered in order of appearance, no condition inside one of its own kind, `yes` empty only with `no`.
 */

/** A tree in the making: exits are numbers, to be turned into one that is legal where they stand. */
type Draft =
  | { readonly draft: "step"; readonly kind: string; readonly texts: Texts }
  | { readonly draft: "if"; readonly condition: AskedDraft; readonly yes: Draft[]; readonly no: Draft[] }
  | {
      readonly draft: "select";
      readonly texts: Texts;
      readonly cases: Named[];
      readonly otherwise: Draft[] | undefined;
    }
  | {
      readonly draft: "for-each" | "loop" | "block";
      readonly text: string;
      readonly endText: string;
      readonly body: Draft[];
    }
  | { readonly draft: "parallel"; readonly processes: Named[] }
  | { readonly draft: "exit"; readonly choice: number };

interface Texts {
  readonly text: string;
  readonly secondary: string | undefined;
  readonly duration: string | undefined;
}

interface Named {
  readonly text: string;
  readonly body: Draft[];
}

type AskedDraft =
  | { readonly ask: Texts }
  | { readonly negated: AskedDraft }
  | { readonly is: "and" | "or"; readonly of: AskedDraft[] };

const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const texts: fc.Arbitrary<Texts> = fc.record({
  text: arbitraryText,
  secondary: seldom(arbitraryText),
  duration: seldom(arbitraryText),
});

const knownKinds =
  "action comment insertion simpleinput simpleoutput input output process shelf timer pause ctrlstart ctrlend drakon-image event";
const kind = fc.oneof(
  { weight: 4, arbitrary: fc.constant("action") },
  { weight: 4, arbitrary: fc.constantFrom(...knownKinds.split(" ")) },
  { weight: 1, arbitrary: fc.oneof(fc.constantFrom("sinput", "constructor", "__proto__", ""), arbitraryText) },
);

const { condition } = fc.letrec<{ condition: AskedDraft }>((tie) => ({
  condition: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 3, arbitrary: fc.record({ ask: texts }) },
    { weight: 1, arbitrary: fc.record({ negated: tie("condition") }) },
    {
      weight: 2,
      arbitrary: fc.record({
        is: fc.constantFrom("and" as const, "or" as const),
        of: fc.array(tie("condition"), { minLength: 2, maxLength: 4 }),
      }),
    },
  ),
}));

const { block: draftBlock } = fc.letrec<{ block: Draft[]; node: Draft; named: Named }>((tie) => ({
  block: fc.array(tie("node"), { maxLength: 4, depthIdentifier: "tree" }),
  named: fc.record({ text: arbitraryText, body: tie("block") }),
  node: fc.oneof(
    { depthIdentifier: "tree", depthSize: "medium", withCrossShrink: true },
    { weight: 5, arbitrary: fc.record({ draft: fc.constant("step" as const), kind, texts }) },
    { weight: 2, arbitrary: fc.record({ draft: fc.constant("exit" as const), choice: fc.nat(1000) }) },
    {
      weight: 3,
      arbitrary: fc.record({ draft: fc.constant("if" as const), condition, yes: tie("block"), no: tie("block") }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        draft: fc.constant("select" as const),
        texts,
        cases: fc.array(tie("named"), { minLength: 1, maxLength: 3 }),
        otherwise: fc.option(tie("block"), { nil: undefined }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        draft: fc.constantFrom("for-each" as const, "loop" as const, "block" as const),
        text: arbitraryText,
        endText: fc.oneof(fc.constant(""), arbitraryText),
        body: tie("block"),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        draft: fc.constant("parallel" as const),
        processes: fc.array(tie("named"), { minLength: 1, maxLength: 3 }),
      }),
    },
  ),
}));

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
  }));

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
    // Twice: the first time finds out which loops and blocks are named by an exit, the second time numbers them.
    const named = new Map<Draft, Target>();
    blockOf(draft, outer, named);
    for (const target of named.values()) if (target.named) target.label = ++labels;
    return { icon: id, name, body: blockOf(draft, outer, named) };
  });

  function blockOf(drafts: readonly Draft[], scope: Scope, known: Map<Draft, Target>): Block {
    const nodes: TreeNode[] = [];
    for (const draft of drafts) {
      nodes.push(...nodesOf(draft, scope, known));
      if (["break", "next", "leave", "return", "go"].includes(nodes.at(-1)?.node ?? "")) break;
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
        // A block that nobody leaves is a loop instead.
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
