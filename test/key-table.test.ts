import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KEY_TABLE } from "../web/src/components/key-table.ts";

const web = join(import.meta.dirname, "../web/src");
const sources = globSync("**/*.{ts,tsx}", { cwd: web }).map((file) => ({
  file,
  text: readFileSync(join(web, file), "utf8"),
}));

/** Keys that a page hands to `useKeys` by name, and keys of the diagram's commands. */
function usedKeys(): ReadonlyMap<string, string> {
  const used = new Map<string, string>();
  for (const { file, text } of sources) {
    for (const [, keys] of text.matchAll(/useKeys\(\{(.*?)\}\);/gs))
      for (const [, key] of keys!.matchAll(/(?:^|[{,\n])\s*"?([A-Za-z]|Enter|Escape|[^\w\s])"?:/g))
        used.set(key!, file);
    if (file.startsWith("pages/diagram/"))
      for (const [, key] of text.matchAll(/\bkey: "([a-z]|Delete)"/g)) used.set(key!, file);
  }
  return used;
}

test("the list of keyboard shortcuts names every key that a page listens to", () => {
  const listed = new Set(KEY_TABLE.flatMap(({ keys }) => keys.flatMap((each) => each.keys)));
  listed.add(listed.has("Esc") ? "Escape" : "");
  const used = usedKeys();
  expect(used.size).toBeGreaterThan(15);
  expect([...used].filter(([key]) => !listed.has(key))).toEqual([]);
});
