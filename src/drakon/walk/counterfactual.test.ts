import { describe, expect, test } from "vitest";
import type { Json } from "../../base/canonical.ts";
import type { CallResult } from "./call-result.ts";
import { compareRun, type RunComparison } from "./compare-runs.ts";
import type { Request } from "./request.ts";
import { walkProgram } from "./retrace.ts";
import { program } from "./testing/procedures.ts";
import { carrying } from "./testing/small-world.ts";

const written = (...lines: readonly string[]) => program(`BEGIN "p"\n  ${lines.join("\n  ")}\nEND`);

/** Answers in order; `fails` is a failed call with that code. */
const answering = (answers: readonly (Json | { readonly fails: string })[]): ((request: Request) => CallResult) => {
  let next = 0;
  return () => {
    const one = answers[next++] ?? null;
    if (typeof one === "object" && one !== null && "fails" in one)
      return { kind: "failure", failure: { code: one["fails"] as string, message: "no" } };
    return { kind: "value", value: one };
  };
};

/** One line with the kind, the place and the end. */
function inWords(comparison: RunComparison): string {
  const at = "at" in comparison ? ` at ${said(comparison.at?.label)}` : "";
  const asked =
    "asked" in comparison && comparison.asked ? ` asks ${said(comparison.asked.label)}: ${comparison.why}` : "";
  const end = "end" in comparison && comparison.end ? ` ends ${comparison.end.kind}` : "";
  const failure = comparison.kind === "avoids" ? ` (${comparison.failure.code})` : "";
  const detours = comparison.kind === "same" && comparison.detours.length > 0 ? " by a detour" : "";
  return `${comparison.kind}${at}${asked}${end}${failure}${detours}`;
}

const said = (label: string | undefined): string => label?.split("\0").filter(Boolean).at(-1) ?? "?";

describe("L-8 a run is compared with another diagram", () => {
  test.each<[string, readonly string[], readonly string[], readonly (Json | { fails: string })[], string]>([
    [
      "the same procedure",
      ["a ← f()", "b ← f()", "result ← [a, b]"],
      ["a ← f()", "b ← f()", "result ← [a, b]"],
      [1, 2],
      "same",
    ],
    [
      "a question that the run passes is only a detour",
      ["n ← read-notes()", "write-memory(n)"],
      ["n ← read-notes()", "IF n > 3\n    write-memory(n)"],
      [5, "x"],
      "same by a detour",
    ],
    [
      "a question that stops the run is where the paths part",
      ["n ← read-notes()", "write-memory(n)"],
      ["n ← read-notes()", "IF n > 3\n    write-memory(n)"],
      [1, "x"],
      "parts at n > 3 ends done",
    ],
    [
      "a request without a recorded answer is uncertain",
      ["a ← read-notes()"],
      ["a ← read-notes()", "Think"],
      [1],
      "cannot-tell at Think asks Think: not-asked",
    ],
    [
      "a second request to a model is uncertain",
      ["Think"],
      ["Think", "Think"],
      ["well"],
      "cannot-tell at Think asks Think: again",
    ],
    [
      "a repeated read at one commit gives the same answer",
      ["a ← read-notes()", "result ← a"],
      ["b ← read-notes()", "a ← read-notes()", "result ← a"],
      [7],
      "parts at b ← read-notes() ends returned",
    ],
    [
      "a read after a write is uncertain without the write",
      ["write-memory(1)", "a ← read-context(2)"],
      ["a ← read-context(2)"],
      ["x", "y"],
      "cannot-tell at a ← read-context(2) asks a ← read-context(2): other-state",
    ],
    [
      "a read before a write is certain without the write",
      ["a ← read-context(2)", "write-memory(1)"],
      ["a ← read-context(2)"],
      ["x", "y"],
      "parts at a ← read-context(2) ends done",
    ],
    [
      "writes in another order are uncertain",
      ["write-memory(1)", "write-memory(2)"],
      ["write-memory(2)", "write-memory(1)"],
      ["x", "y"],
      "cannot-tell at write-memory(2) asks write-memory(2): other-state",
    ],
    [
      "the time after another path is uncertain",
      ["a ← read-notes()", "b ← now()"],
      ["b ← now()"],
      ["x", 5],
      "cannot-tell at b ← now() asks b ← now(): moment",
    ],
    [
      "a failed call is avoided",
      ["n ← read-notes()", 'x ← read-context("gone")'],
      ["n ← read-notes()", 'IF n > 3\n    x ← read-context("gone")'],
      [1, { fails: "NOT_FOUND" }],
      "avoids at n > 3 ends done (NOT_FOUND)",
    ],
    [
      "a failed call is avoided, and the next request has no recorded answer",
      ["n ← read-notes()", 'x ← read-context("gone")', "write-memory(n)"],
      ["n ← read-notes()", 'IF n > 3\n    x ← read-context("gone")', "write-memory(n)"],
      [1, { fails: "NOT_FOUND" }],
      "avoids at n > 3 asks write-memory(n): not-asked (NOT_FOUND)",
    ],
    [
      "a failed call fails again, and its error is handled",
      ['x ← read-context("gone")'],
      ['x ← read-context("gone")', 'IF x.error.code = "NOT_FOUND"\n    y ← 1'],
      [{ fails: "NOT_FOUND" }],
      'parts at x.error.code = "NOT_FOUND" ends done',
    ],
    [
      "a failure is not called avoided if the tool may be called later",
      ["n ← read-notes()", 'x ← read-context("gone")'],
      ["n ← read-notes()", 'IF n > 3\n    x ← read-context("gone")', "Think", 'read-context("other")'],
      [1, { fails: "NOT_FOUND" }],
      "cannot-tell at n > 3 asks Think: not-asked",
    ],
    [
      "an endless loop ends at the limit",
      ["n ← read-notes()"],
      ["n ← read-notes()", "REPEAT\n    n ← 1"],
      [1],
      "parts at n ← 1 ends endless",
    ],
  ])("%s", (_, before, after, answers, expected) => {
    const was = written(...before);
    const carried = walkProgram(was, {}, carrying(), answering(answers));
    const { comparison } = compareRun(
      { program: was, input: {}, answers: carried.answers, walk: carried },
      written(...after),
      carrying(),
    );
    expect(inWords(comparison)).toBe(expected);
  });
});
