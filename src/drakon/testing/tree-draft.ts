import fc from "fast-check";
import { arbitraryText } from "./arbitrary-text.ts";

/** A tree whose exits are numbers, to be mapped to one of the legal exits at their position. */
export type Draft =
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

export interface Texts {
  readonly text: string;
  readonly secondary: string | undefined;
  readonly duration: string | undefined;
}

export interface Named {
  readonly text: string;
  readonly body: Draft[];
}

export type AskedDraft =
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

export const { block: draftBlock } = fc.letrec<{ block: Draft[]; node: Draft; named: Named }>((tie) => ({
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
