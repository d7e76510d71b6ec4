import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { freeName, isInFolder, nameFromTitle } from "../note/note-name.ts";
import { applyStrictly } from "../note/strict-diff.ts";
import type { Action } from "../proposal/action.ts";
import { fieldProblemText } from "../text/checked-fields.ts";
import { readIntent } from "./intent.ts";

const limits = { noteBytes: 1000, artifactBytes: 2000 };
const read = (action: Action, payload: unknown): unknown => {
  const checked = readIntent(action, payload, limits);
  return checked.kind === "value"
    ? checked.value.wish
    : checked.problems.map((problem) => fieldProblemText(problem).en);
};

describe("P-4a payloads of senders", () => {
  test.each<[Action, unknown, string[]]>([
    [
      "propose-note",
      { titel: "x", text: 5 },
      [
        "text: found 5; expected text without NUL and half surrogate pairs",
        'titel: unknown field; did you mean "title"?',
        "path: missing; expected one of path and title",
      ],
    ],
    [
      "propose-note",
      { title: "x", path: "notes/a.md", text: "" },
      ['path: found "notes/a.md"; expected one of path and title'],
    ],
    ["propose-edit", { path: "notes/a.md" }, ["diff: missing; expected one of diff and text"]],
    [
      "propose-edit",
      { path: "notes/a.md", text: "a\0b", base: "main" },
      [
        'text: found "a\\u0000b"; expected text without NUL and half surrogate pairs',
        'base: found "main"; expected the full id of a commit (40 hex digits)',
      ],
    ],
    [
      "propose-edit",
      { path: "notes/a.md", text: "я".repeat(501) },
      ["text: found 1002 bytes; expected at most 1000 bytes"],
    ],
    ["propose-tag", { path: "notes/a.md" }, ["add: missing; expected at least one tag to add or remove"]],
    [
      "propose-tag",
      { path: "notes/a.md", tags: ["a"], remove: ["a"] },
      ["remove: found a list; expected no tag both added and removed"],
    ],
    [
      "propose-comment",
      { note: "../x", text: "\ud800", line: 0 },
      [
        'note: found "../x"; expected a path of the garden such as notes/violin.md, written from its top, without `..`',
        'text: found "\\ud800"; expected text without NUL and half surrogate pairs',
        "line: found 0; expected a whole number above zero",
      ],
    ],
    [
      "propose-summary",
      { note: "notes/a.md", text: "x", into: { kind: "page" }, citation: [] },
      [
        'into.kind: found "page"; expected {kind: artifact, name?} or {kind: section, heading?}',
        'citation: unknown field; did you mean "citations"?',
      ],
    ],
    [
      "propose-artifact",
      { name: "a", base64: "A".repeat(2680) },
      ["base64: found 2010 bytes; expected at most 2000 bytes"],
    ],
    ["propose-artifact", null, ["found nothing; expected a group of fields"]],
    [
      "memory-update",
      { targetAgentId: "a", agent: "b", operations: [{ op: "append", file: "x.md", txt: "d" }] },
      [
        'operations[0].file: found "x.md"; expected snapshot.md, facts.md, open_loops.md or decisions.md',
        "operations[0].text: missing; expected text without NUL and half surrogate pairs",
        'operations[0].txt: unknown field; did you mean "text"?',
        "expectedVersion: missing; expected a whole number, zero or above",
        'agent: found "b"; expected one agent, named once',
      ],
    ],
    [
      "logic-update",
      { agent: "a", rationale: {}, requiresHumanReview: false },
      [
        "rationale.problem: missing; expected text without NUL and half surrogate pairs",
        "requiresHumanReview: found false; expected true: a change of logic always waits for a person",
        "diagram: missing; expected a diagram, a pseudocode or both",
      ],
    ],
    [
      "logic-update",
      { agent: "a", rationale: "x", proposedPseudo: "p", diagram: "d" },
      [
        "proposedChanges: missing; expected the change in one form: proposedChanges, or proposedPseudo and proposedDrakon, or pseudocode and diagram",
      ],
    ],
  ])("every problem of %s with %j is reported at once", (action, payload, problems) => {
    expect(read(action, payload)).toEqual(problems);
  });

  test("L-5a the shape of source 000 §4.6, with evidence read as evidenceRuns", () => {
    const wish = {
      type: "logic-update",
      targetAgentId: "garden-bloom-curator",
      optimizerRunId: "run_opt_789",
      currentVersion: "v006",
      proposedChanges: {
        "current.pseudo.md": { operation: "patch", diff: "@@ …" },
        "current.drakon.json": { operation: "replace", content: { name: "x" } },
      },
      rationale: { problem: "13% error rate", evidence: ["run_098", "run_103"], riskAssessment: "low" },
      priority: "normal",
      requiresHumanReview: true,
    };
    expect(read("logic-update", wish)).toEqual({
      agent: "garden-bloom-curator",
      currentVersion: "v006",
      pseudocode: { operation: "patch", diff: "@@ …" },
      diagram: { operation: "replace", content: '{\n  "name": "x"\n}\n' },
      rationale: { problem: "13% error rate", evidenceRuns: ["run_098", "run_103"], riskAssessment: "low" },
      optimizerRunId: "run_opt_789",
    });
  });

  test("L-5a the shape of source 000 §5.2, where the rationale is text", () => {
    const wish = {
      tool: "propose-logic-update",
      targetAgentId: "a",
      proposedPseudo: "ПОЧАТОК\n",
      proposedDrakon: "{}",
      rationale: "guard",
      evidenceRuns: ["run_098"],
      requiresHumanReview: true,
    };
    expect(read("logic-update", wish)).toMatchObject({
      agent: "a",
      pseudocode: { operation: "replace", content: "ПОЧАТОК\n" },
      diagram: { operation: "replace", content: "{}" },
      rationale: { problem: "guard", evidenceRuns: ["run_098"] },
    });
  });
});

describe("P-5 a diff fits its base or is refused", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "-c", "+d", "", " ", "\\ x", "я\r"), { maxLength: 12 })
    .chain((lines) => fc.constantFrom(lines.join("\n"), lines.map((line) => `${line}\n`).join("")));

  test("a diff made by jsdiff turns one text into the other", () => {
    fc.assert(
      fc.property(text, text, fc.nat(3), (from, to, context) => {
        fc.pre(from !== to);
        const diff = createTwoFilesPatch("a", "b", from, to, undefined, undefined, { context });
        expect(applyStrictly(from, diff)).toEqual({ kind: "text", text: to });
      }),
      { numRuns: 500 },
    );
  });

  test("a diff is never applied to a base with a different line", () => {
    fc.assert(
      fc.property(text, text, (from, to) => {
        fc.pre(from !== to && from !== "");
        const diff = createTwoFilesPatch("a", "b", from, to, undefined, undefined, { context: 20 });
        expect(applyStrictly(`other\n${from}`, diff).kind).toBe("refused");
        expect(applyStrictly(from.replace(/^/, "x"), diff).kind).toBe("refused");
      }),
      { numRuns: 300 },
    );
  });

  test("a text may have more lines than a call can have arguments", () => {
    const long = "a\n".repeat(300_000);
    const patched = applyStrictly(`${long}end\n${long}`, "@@ -300001,1 +300001,1 @@\n-end\n+END\n");
    expect(patched).toEqual({ kind: "text", text: `${long}END\n${long}` });
  });

  const base = "one\ntwo\nthree\n";
  test.each([
    ["@@ -2,1 +2,1 @@\n-zwei\n+2\n", "@@ -2,1 +2,1 @@", 'line 2 is not "zwei"'],
    ["@@ -3,2 +3,1 @@\n three\n-four\n", "@@ -3,2 +3,1 @@", 'the text ends before line 4, where the diff has "four"'],
    ["@@ -9,1 +9,1 @@\n-x\n+y\n", "@@ -9,1 +9,1 @@", "line 9 does not exist or is out of order (the text has 3 lines)"],
    [
      "@@ -3,1 +3,1 @@\n-three\n\\ No newline at end of file\n+3\n",
      "@@ -3,1 +3,1 @@",
      "the diff expects a text without a final line break, but the text has one",
    ],
    ["no diff at all", undefined, "a diff without a hunk (`@@ … @@`)"],
    [
      "@@ -1,7 +1,1 @@\n-one\n",
      undefined,
      "not a unified diff (line 1): the numbers of lines in a hunk's head must fit the hunk",
    ],
    [
      "--- a\n+++ a\n@@ -1,1 +1,1 @@\n-one\n+1\n--- b\n+++ b\n@@ -1,1 +1,1 @@\n-one\n+1\n",
      undefined,
      "a diff of several files, expected one",
    ],
  ])("the refusal of %j names its hunk", (diff, hunk, why) => {
    const refused = applyStrictly(base, diff);
    expect(refused).toMatchObject({ kind: "refused", hunk, why: { en: why } });
  });
});

describe("a note's name follows from its title", () => {
  test.each([
    ["Ідеї: скрипка №1", "ідеї-скрипка-1"],
    ["  Hello,  World! ", "hello-world"],
    ["П'ять п’ятниць", "пять-пятниць"],
    ["../../etc/passwd", "etc-passwd"],
    ["…", ""],
    ["я".repeat(300), "я".repeat(80)],
  ])("%s", (title, name) => {
    expect(nameFromTitle(title)).toBe(name);
  });

  test("the next free name is taken on a collision", async () => {
    const taken = new Set(["a.md", "a-2.md"]);
    expect(
      await freeName(
        (suffix) => `a${suffix}.md`,
        async (path) => taken.has(path),
      ),
    ).toBe("a-3.md");
  });

  test.each([
    ["notes/a/b.md", "notes/a", true],
    ["notes/ab.md", "notes/a", false],
    ["notes/a", "notes/a", true],
    ["notes/a/b.md", "notes/a/", true],
    ["anything.md", ".", true],
  ])("the path %s is in the folder %s: %s", (path, folder, inside) => {
    expect(isInFolder(path, folder)).toBe(inside);
  });
});
