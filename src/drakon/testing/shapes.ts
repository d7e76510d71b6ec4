import { isThorough } from "../../base/testing/tries.ts";
import type { Items } from "./arbitrary-diagram.ts";

type Shapes = Readonly<Record<string, (n: number) => Items>>;

/** Diagrams of about `n` icons, each of a shape that is expensive for some algorithms. */
const allShapes: Shapes = {
  chain: (n) =>
    drawn(
      "a1",
      numbered(n, (k) => [[`a${k}`, { type: "action", content: `a${k}`, one: k < n ? `a${k + 1}` : "end" }]]),
    ),
  "questions in a row": (n) =>
    drawn(
      "q1",
      numbered(n / 2, (k, last) => {
        const next = last ? "end" : `q${k + 1}`;
        return [
          [`q${k}`, { type: "question", content: `q${k}`, flag1: 1, one: `a${k}`, two: next }],
          [`a${k}`, { type: "action", content: `a${k}`, one: next }],
        ];
      }),
    ),
  "nested questions": (n) =>
    drawn(
      "q1",
      numbered(n / 3, (k, last) => [
        [`q${k}`, { type: "question", content: `q${k}`, flag1: 1, one: last ? `b${k}` : `q${k + 1}`, two: `c${k}` }],
        [`c${k}`, { type: "action", content: `c${k}`, one: `b${k}` }],
        [`b${k}`, { type: "action", content: `b${k}`, one: k > 1 ? `b${k - 1}` : "end" }],
      ]),
    ),
  "and chain": (n) =>
    drawn("q1", {
      x: { type: "action", content: "x", one: "end" },
      ...numbered(n, (k, last) => [
        [`q${k}`, { type: "question", content: `q${k}`, flag1: 1, one: last ? "x" : `q${k + 1}`, two: "end" }],
      ]),
    }),
  "early exits": (n) =>
    drawn("q1", {
      clean: { type: "action", content: "clean up", one: "end" },
      done: { type: "action", content: "done", one: "clean" },
      ...numbered(n / 2, (k, last) => [
        [`q${k}`, { type: "question", content: `q${k}`, flag1: 1, one: `a${k}`, two: "clean" }],
        [`a${k}`, { type: "action", content: `a${k}`, one: last ? "done" : `q${k + 1}` }],
      ]),
    }),
  "for-each in a row": (n) =>
    drawn(
      "b1",
      numbered(n / 3, (k, last) => [
        [`b${k}`, { type: "loopbegin", content: `x${k}; xs${k}`, one: `a${k}` }],
        [`a${k}`, { type: "action", content: `a${k}`, one: `l${k}` }],
        [`l${k}`, { type: "loopend", one: last ? "end" : `b${k + 1}` }],
      ]),
    ),
  "nested for-each": (n) =>
    drawn(
      "b1",
      numbered(n / 2, (k, last) => [
        [`b${k}`, { type: "loopbegin", content: `x${k}; xs${k}`, one: last ? `l${k}` : `b${k + 1}` }],
        [`l${k}`, { type: "loopend", one: k > 1 ? `l${k - 1}` : "end" }],
      ]),
    ),
  "nested arrow loops": (n) =>
    drawn(
      "w1",
      numbered(n / 2, (k, last) => [
        [`w${k}`, { type: "arrow-loop", one: last ? `q${k}` : `w${k + 1}` }],
        [`q${k}`, { type: "question", content: `q${k}`, flag1: 1, one: k > 1 ? `q${k - 1}` : "end", two: `w${k}` }],
      ]),
    ),
  "continues of one loop": (n) =>
    drawn("b", {
      b: { type: "loopbegin", content: "x; xs", one: "q1" },
      l: { type: "loopend", one: "end" },
      ...numbered(n / 2, (k, last) => [
        [`q${k}`, { type: "question", content: `q${k}`, flag1: 1, one: `a${k}`, two: "l" }],
        [`a${k}`, { type: "action", content: `a${k}`, one: last ? "l" : `q${k + 1}` }],
      ]),
    }),
  select: (n) =>
    drawn("s", {
      s: { type: "select", content: "s", one: "c1" },
      ...numbered(n / 2, (k, last) => [
        [`c${k}`, { type: "case", content: `c${k}`, one: `a${k}`, ...(last ? {} : { two: `c${k + 1}` }) }],
        [`a${k}`, { type: "action", content: `a${k}`, one: "end" }],
      ]),
    }),
  "parallel blocks": (n) =>
    drawn(
      "p1",
      numbered(n / 4, (k, last) => [
        [`p${k}`, { type: "parbegin", one: `a${k}`, two: `r${k}` }],
        [`r${k}`, { type: "parbegin", one: `z${k}` }],
        [`a${k}`, { type: "action", content: `a${k}`, one: `z${k}` }],
        [`z${k}`, { type: "parend", one: last ? "end" : `p${k + 1}` }],
      ]),
    ),
  silhouette: (n) => ({
    end: { type: "end" },
    ...numbered(n / 3, (k, last) => [
      [`b${k}`, { type: "branch", branchId: k, content: `B${k}`, one: `q${k}` }],
      [`q${k}`, { type: "question", content: `q${k}`, flag1: 1, one: `a${k}`, two: "b1" }],
      [`a${k}`, { type: "action", content: `a${k}`, one: last ? "end" : `b${k + 1}` }],
    ]),
  }),
};

/** All of them in `npm run soak`, every third in `npm test`. */
export const shapes: Shapes = isThorough
  ? allShapes
  : Object.fromEntries(Object.entries(allShapes).filter((_, index) => index % 3 === 0));

const drawn = (first: string, items: Items): Items => ({
  start: { type: "branch", branchId: 0, one: first },
  end: { type: "end" },
  ...items,
});

function numbered(count: number, make: (k: number, last: boolean) => [string, Record<string, unknown>][]): Items {
  const most = Math.floor(count);
  return Object.fromEntries(Array.from({ length: most }, (_, i) => make(i + 1, i + 1 === most)).flat());
}
