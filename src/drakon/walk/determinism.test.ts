import fc from "fast-check";
import { expect, test } from "vitest";
import { tries } from "../../base/testing/tries.ts";
import { languages } from "../../base/text.ts";
import { parsePseudocode } from "../text/parse.ts";
import { renderPseudocode } from "../text/render.ts";
import type { Tree } from "../tree.ts";
import { answerFault } from "./request.ts";
import { generated, inputOf, oracle, programWith } from "./testing/generated.ts";
import { replay, type Walked, walkAll } from "./testing/replay.ts";

const options = { maxSteps: 500 };

/** A walk of a generated procedure with answers from the seed. */
function walked(seed: number, tree: Tree): Walked & { asked: string[] } {
  const asked: string[] = [];
  const walk = walkAll(
    programWith(tree),
    inputOf(tree),
    (request) => {
      const answer = oracle(seed)(request);
      expect(answerFault(request, answer)).toBeUndefined();
      asked.push(request.id);
      return answer;
    },
    options,
  );
  return { ...walk, asked };
}

const procedures = fc.record({ seed: fc.integer(), size: fc.integer({ min: 3, max: 40 }), silhouette: fc.boolean() });

test("a journal replays to the same state, and every prefix of it makes the requests of that time", () => {
  fc.assert(
    fc.property(procedures, fc.double({ min: 0, max: 1, noNaN: true }), ({ seed, size, silhouette }, part) => {
      const { tree } = generated(seed, size, silhouette);
      if (!tree) return;
      const { journal, asked, requests, trace, end } = walked(seed, tree);
      const again = (length: number) => replay(programWith(tree), inputOf(tree), journal.slice(0, length), options);
      expect(again(journal.length)).toEqual({ requests, trace, ...(end && { end }) });
      for (const length of [0, 1, 2, Math.floor(journal.length * part)]) {
        if (length >= journal.length) continue;
        const prefix = again(length);
        expect(prefix.requests[0]?.id).toBe(asked[length]);
        expect(again(length)).toEqual(prefix);
      }
    }),
    { numRuns: tries(400) },
  );
});

test("a journal of a diagram replays, id by id, on its pseudocode in either language", () => {
  let compared = 0;
  fc.assert(
    fc.property(procedures, ({ seed, size, silhouette }) => {
      const { tree } = generated(seed, size, silhouette);
      if (!tree) return;
      const { journal, end } = walked(seed, tree);
      for (const language of languages) {
        const { text } = renderPseudocode(tree, { language });
        const back = parsePseudocode(text).tree;
        if (!back) throw new Error(`the pseudocode does not parse:\n${text}`);
        const told = replay(programWith(back), inputOf(tree), journal, options);
        const codeOf = (one: typeof end): unknown => (one?.kind === "failed" ? one.problem.code : one);
        expect(codeOf(told.end)).toEqual(codeOf(end));
        compared++;
      }
    }),
    { numRuns: tries(400) },
  );
  expect(compared).toBeGreaterThan(tries(300));
});
