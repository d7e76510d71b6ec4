import type { Items } from "../../testing/arbitrary-diagram.ts";

/** Replaces the generator's plain texts by ones that compute, call and loop over shared variables. */
export function dressed(items: Items, chance: () => number): Items {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!;
  const variable = (): string => pick(["a", "b", "c"]);
  const actions = (): string =>
    pick([
      `${variable()} ← ${variable()}`,
      `${variable()} ← read-notes(${variable()})`,
      `${variable()} ← [n, "x"]`,
      "n ← n + 1",
      `n ← n + 1\nwrite-memory(${variable()}, n: n)`,
      `create-proposal(тип: "x", зміст: ${variable()})`,
      `${variable()} ← think about ${variable()} some more`,
      "Think about a",
      `${variable()} ← Sub(${variable()})`,
      `${variable()} ← зараз()`,
      "write-memory(unknown_name)",
    ]);
  const questions = (): string =>
    pick([
      "n % 2 = 0",
      "n < 9",
      `${variable()} є порожнім`,
      "Is it so?",
      `read-context(${variable()}) = "x"`,
      "n > 3 or n = late",
    ]);
  const heads = (): string =>
    pick([
      "x; xs",
      "a; [1, 2]",
      "i = 0; i < 3; i++",
      "b; list_of_things",
      "k, c; [a, b]",
      "Repeat some times",
      "a З ці речі",
    ]);
  const texts: Record<string, () => string> = {
    action: actions,
    question: questions,
    loopbegin: heads,
    insertion: () => pick(["Sub(1)", "a ← Sub(b)", "Elsewhere", "Sub(value: n)"]),
    select: () => pick(["n % 3", "What is it?", `${variable()} містить "1"`]),
  };
  const labels = ["0", "1", "2", "так", "ні", "other"];
  return Object.fromEntries(
    Object.entries(items).map(([id, item]) => {
      const make = texts[item["type"] as string];
      if (make) return [id, { ...item, content: make() }];
      if (item["type"] === "case" && item["content"] !== "") return [id, { ...item, content: pick(labels) }];
      return [id, item];
    }),
  );
}
