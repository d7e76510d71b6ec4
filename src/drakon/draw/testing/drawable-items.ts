import type { Items } from "../../testing/arbitrary-diagram.ts";

/**
 * Random diagrams that can be drawn without a crossing: everything is nested, and jumps out of the middle leave only to the
 * right, from a question of the outermost sequence.
 */
export function drawableItems(chance: () => number, size: number, silhouette: boolean): Items {
  const items: Items = {};
  let named = 0;
  let left = size;
  const put = (item: Record<string, unknown>, id = `i${named++}`): string => {
    items[id] = item;
    return id;
  };
  const below = (limit: number): number => Math.floor(chance() * limit);
  const text = (): string =>
    Array.from({ length: 1 + below(9) }, () => "слово word ґедзь".split(" ")[below(3)]).join(" ");
  const end = put({ type: "end" });
  const heads = Array.from({ length: silhouette ? 2 + below(4) : 1 }, (_, at) => `b${at}`);
  const out = (): string => (silhouette ? heads[below(heads.length)]! : end);

  for (const [at, head] of heads.entries()) {
    left = size / heads.length;
    let first = heads[at + 1] ?? end;
    while (left > 0) first = one(first, 0, true);
    put({ type: "branch", branchId: silhouette ? at + 1 : 0, content: text(), one: first }, head);
  }
  return items;

  function run(next: string, depth: number): string {
    let first = next;
    for (let count = below(4); count > 0 && left > 0; count--) first = one(first, depth, false);
    return first;
  }

  function one(next: string, depth: number, outermost: boolean): string {
    left--;
    const flag1 = below(2);
    switch (depth > 6 ? 0 : below(9)) {
      case 1:
      case 2:
        return put({ type: "question", content: text(), flag1, one: run(next, depth + 1), two: run(next, depth + 1) });
      case 3: {
        const away = outermost ? out() : next;
        return put({ type: "question", content: text(), flag1, one: next, two: run(away, depth + 1) });
      }
      case 4: {
        let two: string | undefined;
        for (let count = 1 + below(4); count > 0; count--)
          two = put({ type: "case", content: text(), one: run(next, depth + 1), ...(two !== undefined && { two }) });
        return put({ type: "select", content: text(), one: two });
      }
      case 5: {
        const loopend = put({ type: "loopend", one: next });
        const inner = run(loopend, depth + 1);
        const leaves = { type: "question", content: text(), flag1, one: inner, two: next };
        return put({ type: "loopbegin", content: text(), one: below(2) === 0 ? put(leaves) : inner });
      }
      case 6: {
        const arrow = `i${named++}`;
        if (below(2) === 0) {
          const question = put({ type: "question", content: text(), flag1, one: next, two: arrow });
          return put({ type: "arrow-loop", one: run(question, depth + 1) }, arrow);
        }
        const question = put({ type: "question", content: text(), flag1, one: next, two: run(arrow, depth + 1) });
        return put({ type: "arrow-loop", one: question }, arrow);
      }
      case 7: {
        const parend = put({ type: "parend", one: next });
        let two: string | undefined;
        for (let count = 1 + below(4); count > 0; count--)
          two = put({ type: "parbegin", one: run(parend, depth + 1), ...(two !== undefined && { two }) });
        return two!;
      }
      default: {
        const side = below(8) === 0 ? { side: put({ type: "duration", content: text() }) } : {};
        const type = ["action", "comment", "insertion", "shelf", "process", "pause", "timer", "event"][below(8)];
        return put({ type, content: text(), secondary: text(), one: next, ...side });
      }
    }
  }
}
