import type { IconId } from "../icon-id.ts";
import { type DraftIcon, resolveTarget } from "./exit-targets.ts";

interface NumberedItems {
  readonly items: Record<string, Record<string, unknown>>;
  /** The icon of the tree by the id in the file. */
  readonly origins: ReadonlyMap<IconId, IconId>;
}

/** The items of the file, renumbered from top to bottom, branch by branch. */
export function numberedItems(drawn: readonly DraftIcon[]): NumberedItems {
  const byId = new Map(drawn.map((one) => [one.id, one]));
  const order = new Map<IconId, string>();
  const branches = drawn.filter(({ item }) => item["type"] === "branch").toReversed();
  const rest = drawn.toReversed();
  for (let one = branches.pop() ?? rest.pop(); one; one = branches.pop() ?? rest.pop()) number(one);
  const items = Object.fromEntries(
    drawn.map(({ id, item, exits }): [string, Record<string, unknown>] => {
      const targets = exits.map(([field, place]) => [field, order.get(resolveTarget(place).icon!)]);
      return [order.get(id)!, { ...item, ...Object.fromEntries(targets) }];
    }),
  );
  const origins = new Map(drawn.flatMap(({ id, of }) => (of === undefined ? [] : [[order.get(id)!, of] as const])));
  return { items, origins };

  function number(first: DraftIcon): void {
    const stack = [first];
    for (let one = stack.pop(); one; one = stack.pop()) {
      if (order.has(one.id)) continue;
      order.set(one.id, String(order.size + 1));
      for (const [, place] of one.exits.toReversed()) {
        const next = byId.get(resolveTarget(place).icon!);
        if (next && !["branch", "end"].includes(next.item["type"] as string)) stack.push(next);
      }
    }
  }
}
