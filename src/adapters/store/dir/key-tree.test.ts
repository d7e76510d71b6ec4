import fc from "fast-check";
import { expect, test } from "vitest";
import { compareUtf8 } from "../../../base/order.ts";
import { KeyTree } from "./key-tree.ts";

const key = fc
  .array(fc.constantFrom("a", "b", "a-b", "ї", "𝟘", "z"), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join("/"));

test("G-6 a key tree lists the keys that were added and not removed, in order, by prefix and after a key", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.boolean())), key, fc.nat(6), key, (changes, path, cut, after) => {
      const tree = new KeyTree();
      const model = new Set<string>();
      for (const [each, isAdded] of changes) {
        if (isAdded === model.has(each)) continue;
        if (isAdded) tree.add(each);
        else tree.remove(each);
        if (isAdded) model.add(each);
        else model.delete(each);
      }
      for (const prefix of ["", path.slice(0, cut)])
        for (const behind of ["", after])
          expect([...tree.keys(prefix, behind)]).toEqual(
            [...model].filter((each) => each.startsWith(prefix) && compareUtf8(each, behind) > 0).toSorted(compareUtf8),
          );
    }),
  );
});
