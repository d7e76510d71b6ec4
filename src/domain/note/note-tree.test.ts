import fc from "fast-check";
import { expect, test } from "vitest";
import { compareUtf8 } from "../../base/order.ts";
import { newNoteTree } from "./note-tree.ts";

test("U-1 a tree of notes equals its paths after any additions and removals", () => {
  const name = fc.constantFrom("a", "b", "я", "𝒳", "\uffee");
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(
    (parts) =>
      `${parts
        .slice(0, -1)
        .map((part) => `${part}/`)
        .join("")}${parts.at(-1)}.md`,
  );
  fc.assert(
    fc.property(fc.array(fc.record({ path, comes: fc.boolean() }), { maxLength: 40 }), (steps) => {
      const tree = newNoteTree();
      const paths = new Set<string>();
      for (const { path: each, comes } of steps) {
        if (comes) paths.add(each);
        else paths.delete(each);
        if (comes) tree.add(each);
        else tree.remove(each);
      }
      const folders = new Set([
        "",
        ...[...paths].flatMap((each) =>
          each
            .split("/")
            .slice(0, -1)
            .map((_, depth, all) => all.slice(0, depth + 1).join("/")),
        ),
      ]);
      for (const folder of folders) {
        const start = folder === "" ? "" : `${folder}/`;
        const below = [...paths].filter((each) => each.startsWith(start)).map((each) => each.slice(start.length));
        const inside = (isFolder: boolean): string[] =>
          [
            ...new Set(below.filter((each) => each.includes("/") === isFolder).map((each) => each.split("/")[0]!)),
          ].toSorted(compareUtf8);
        expect({
          folders: [...tree.folders(folder)],
          notes: [...tree.notes(folder)],
          count: tree.count(folder),
        }).toEqual({ folders: inside(true), notes: inside(false), count: below.length });
        for (const after of inside(false))
          expect([...tree.notes(folder, after)]).toEqual(inside(false).slice(inside(false).indexOf(after) + 1));
      }
      for (const { path: each } of steps) expect(tree.has(each)).toBe(paths.has(each));
    }),
  );
});
