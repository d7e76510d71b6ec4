import { describe, expect, test } from "vitest";
import { Failure, type FailureCode } from "../../base/failure.ts";
import { MODEL_MISSING } from "../../domain/config/failures.ts";
import { type Ending, type EndingStop, type ExecutionFacts, runVerdictOf } from "./verdict.ts";

const answered = (text: string): Ending => ({ kind: "answered", text });
const stopped = (why: EndingStop, code: FailureCode = "VALIDATION_FAILED", en = "because"): Ending => ({
  kind: "stopped",
  why,
  failure: new Failure(code, { en, uk: en }),
});

type Step = ExecutionFacts["records"][number];
const read: Step = { kind: "tool", name: "read-notes", output: ["a"], proposals: [] };
const failedTool: Step = { kind: "tool", name: "create-proposal", output: undefined, proposals: [] };
const proposed: Step = { kind: "tool", name: "create-proposal", output: {}, proposals: ["prop_1"] };
const noop: Step = { kind: "tool", name: "noop", output: { noop: true, reason: "all is tidy" }, proposals: [] };
const duplicate: Step = {
  kind: "tool",
  name: "create-proposal",
  output: { status: "refused", same_as: "prop_2", reason: "the same is pending" },
  proposals: [],
};
const refused: Step = { ...duplicate, output: { status: "refused", reason: "no such note" } };
/** A model call with the name of the tool. */
const model: Step = { kind: "model", name: "noop", output: { reason: "not a call" }, proposals: [] };

const SILENT = "failed: the run ended without a proposal and did not say why";

const cases: readonly [string, Ending, readonly Step[], string, critical?: "critical"][] = [
  ["a model that answers nothing", stopped("no-answer"), [], "failed: because"],
  ["an empty text", answered(""), [read], SILENT],
  ["only text", answered("I looked around. All is well."), [read], SILENT],
  ["a model call that is named like the tool noop", answered("done"), [model], SILENT],
  ["refused proposals and no reason", answered("done"), [failedTool], SILENT],
  ["R-5b only a duplicate", answered("done"), [read, duplicate], "noop: the same is pending"],
  ["R-5b a duplicate and a proposal", answered("done"), [duplicate, proposed], "effects: prop_1"],
  ["R-5b a duplicate and another refusal", answered("done"), [duplicate, refused], SILENT],
  ["a call of noop", answered(""), [noop], "noop: all is tidy"],
  ["a last line", answered("I looked.\nNOOP: no new notes"), [read], "noop: no new notes"],
  ["a last line in Ukrainian", answered("БЕЗ ЗМІН: нових нотаток немає"), [], "noop: нових нотаток немає"],
  ["a last line without a reason", answered("NOOP:"), [], SILENT],
  ["proposals", answered("Two proposals."), [proposed], "effects: prop_1"],
  ["proposals and silence", stopped("no-answer"), [proposed], "effects: prop_1"],
  ["proposals and noop", answered("NOOP: nothing"), [proposed, noop], "effects: prop_1"],
  [
    "a claim to be blocked",
    answered("BLOCKED: line 4 needs a language model"),
    [],
    "blocked: line 4 needs a language model",
  ],
  [
    "a claim to be blocked, after a proposal",
    answered("ЗАБЛОКОВАНО: немає доступу"),
    [proposed],
    "blocked: немає доступу",
  ],
  ["a claim to have failed", answered("FAILED: the sources disagree"), [], "failed: the sources disagree"],
  ["all turns without an outcome", stopped("turns"), [read], "failed: because", "critical"],
  ["all turns, with proposals", stopped("turns"), [proposed], "effects: prop_1"],
  ["all turns, after noop", stopped("turns"), [noop], "noop: all is tidy"],
  ["a spent budget, also with proposals", stopped("budget"), [proposed], "blocked: because"],
  ["a model that cannot be reached", stopped("model", "UPSTREAM_UNAVAILABLE"), [read], "failed: because"],
  [
    "a model that does not exist",
    {
      kind: "stopped",
      why: "model",
      failure: new Failure("NOT_FOUND", { en: "no", uk: "no", details: MODEL_MISSING }),
    },
    [],
    "failed: no",
    "critical",
  ],
  ["a host that is not on the list", stopped("model", "FORBIDDEN"), [], "blocked: because"],
  [
    "an unavailable NotebookLM",
    stopped("tool", "NLM_UNAVAILABLE"),
    [read],
    "blocked: NLM_UNAVAILABLE: because",
    "critical",
  ],
  ["a failed tool of the diagram", stopped("procedure"), [proposed], "failed: because"],
  ["a tool that the diagram may not reach", stopped("procedure", "FORBIDDEN"), [read], "blocked: because"],
  ["an aborted run", stopped("aborted", "AGENT_TIMEOUT"), [read], "failed: because"],
];

describe("R-5a the outcome of a run", () => {
  test.each(cases)("is derived from %s", (_, ending, records, expected, critical) => {
    const { outcome, error, failure, ...verdict } = runVerdictOf({ ending, records, language: "en" });
    const member = { effects: "proposals", noop: "reason", blocked: "by", failed: "reason" }[outcome!.kind];
    const shown = `${outcome!.kind}: ${String((outcome as Record<string, unknown>)[member])}`;
    const completes = outcome!.kind === "effects" || outcome!.kind === "noop";
    expect({ shown, ...verdict, hasFailure: failure !== undefined, error }).toEqual({
      shown: expected,
      status: completes ? "completed" : "failed",
      hasFailure: !completes,
      error: completes ? null : failure?.text.en,
      critical: critical !== undefined,
    });
  });
});
