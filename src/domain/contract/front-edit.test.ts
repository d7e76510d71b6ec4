import { expect, test } from "vitest";
import { frontField, withFrontField } from "./front-edit.ts";

const TEXT = `---
# Who it is
name: "Tagger" # a remark
tools:
  - read-notes

# When it runs
triggers:
  manual: true
---

# Body
`;

test.each([
  ["a text keeps its remark", ["name"], "Other", /name: "?Other"? # a remark\n/],
  ["a number is added at the end", ["max_steps"], 7, /manual: true\nmax_steps: 7\n---/],
  ["a nested field joins its group", ["triggers", "cron"], "0 7 * * 1", /manual: true\n {2}cron: "?0 7 \* \* 1"?\n/],
  ["a group is made where there is none", ["budget", "tokens"], 500, /budget:\n {2}tokens: 500\n/],
  ["a list is replaced", ["tools"], ["today", "read-notes"], /tools:\n {2}- today\n {2}- read-notes\n/],
] as const)("C-2 %s, and comments and the body stay", (_, path, value, expected) => {
  const next = withFrontField(TEXT, path, value)!;
  expect(next).toMatch(expected);
  expect([next.includes("# Who it is"), next.includes("# When it runs"), next.endsWith("---\n\n# Body\n")]).toEqual([
    true,
    true,
    true,
  ]);
  expect(frontField(next, path)).toEqual(value);
});

test("C-2 a removed field leaves no empty group", () => {
  const made = withFrontField(TEXT, ["budget", "tokens"], 500)!;
  expect(withFrontField(made, ["budget", "tokens"], undefined)).toBe(TEXT);
});

test.each(["no front matter", "---\nname: [\n---\n"])("C-3 nothing is edited in an unreadable file: %j", (text) => {
  expect(withFrontField(text, ["name"], "x")).toBeUndefined();
  expect(frontField(text, ["name"])).toBeUndefined();
});
