import { describe, expect, test } from "vitest";
import { keys } from "../layout.ts";
import { foldRun, isTerminal, type RunRequest, type RunState, runMoves, runStates, runStatus } from "./run.ts";
import { journalId, type RunManifest, runManifest } from "./run-manifest.ts";
import { type StepRecord, stepKeyParts, stepRecord } from "./run-step.ts";

const run_id = "run_2026-02-14_080000_abc123";
const hash = "1".repeat(40);
const at = (second: number): string => `2026-02-14T08:00:0${second}Z`;

const request: RunRequest = {
  kind: "request",
  run_id,
  agent_slug: "echo",
  trigger: "cron",
  by: "schedule",
  requested_at: at(0),
  op: "a",
};
const step: StepRecord = {
  position: 1,
  name: "load-context",
  kind: "step",
  input_hash: hash,
  input: null,
  started_at: at(1),
  finished_at: at(2),
  attempt: 1,
  output: 1,
  proposals: [],
  op: "b",
};
const manifest: RunManifest = {
  run_id,
  agent_slug: "echo",
  agent_version: "1.0.0",
  trigger: "cron",
  started_at: at(1),
  finished_at: at(3),
  status: "completed",
  steps_count: 1,
  proposals_created: 0,
  model_used: "bloom/follower",
  tokens_used: { input: 0, output: 0 },
  error: null,
  outcome: { kind: "noop", reason: "nothing new" },
  logic_version: "v001",
  behaviour_id: null,
  garden_commit: hash,
  contract_hash: hash,
  engine: "embedded",
  forked_from: null,
  error_details: null,
  journal: hash,
};

describe("O-1 the states of a run", () => {
  test("transitions follow the rule, and a final state has none", () => {
    const moves = runStates.flatMap((from) => runMoves[from].map((to) => `${from} → ${to}`));
    expect(moves).toMatchInlineSnapshot(`
      [
        "requested → queued",
        "requested → cancelled",
        "queued → running",
        "queued → cancelled",
        "running → waiting",
        "running → completed",
        "running → failed",
        "running → cancelled",
        "waiting → running",
        "waiting → failed",
        "waiting → cancelled",
      ]
    `);
    expect(runStates.filter(isTerminal)).toEqual(["completed", "failed", "cancelled"]);
  });

  test.each<[RunState, Parameters<typeof foldRun>]>([
    ["requested", [request, [], undefined]],
    ["queued", [request, [], undefined, { queued: true }]],
    ["running", [request, [step], undefined]],
    ["waiting", [request, [step], undefined, { held: "which one?" }]],
    ["completed", [request, [step], manifest, { held: "which one?" }]],
    ["cancelled", [request, [], { ...manifest, status: "cancelled", outcome: null }]],
  ])("the state %s is derived from the records", (state, given) => {
    const status = foldRun(...given);
    expect({ state: status.state, status: runStatus.parse(status) }).toEqual({ state, status });
  });
});

test.each<[string, boolean, object]>([
  ["a completed run with effects", true, { outcome: { kind: "effects", proposals: [] } }],
  ["R-5a a completed run without an outcome", false, { outcome: null }],
  ["R-5a a completed run that was blocked", false, { outcome: { kind: "blocked", by: "nlm" } }],
  ["R-5a a failed run with the outcome failed", true, { status: "failed", outcome: { kind: "failed", reason: "x" } }],
  ["R-5a a failed run with effects", false, { status: "failed", outcome: { kind: "effects", proposals: [] } }],
  ["R-5a a noop without a reason", false, { outcome: { kind: "noop", reason: "" } }],
  ["O-9 an id of another shape", false, { run_id: "run_1" }],
  ["an unknown field", false, { colour: "red" }],
])("O-9 a manifest is checked: %s, valid: %s", (_, valid, over) =>
  expect(runManifest.safeParse({ ...manifest, ...over }).success).toBe(valid),
);

test.each<[string, boolean, object]>([
  ["an output", true, {}],
  ["an output of null", true, { output: null }],
  ["neither output nor failure", false, { output: undefined }],
  [
    "both output and failure",
    false,
    { failure: { code: "FORBIDDEN", text: { en: "", uk: "" }, details: {}, outcome: "none" } },
  ],
  ["a name that is not a file name", false, { name: "../x" }],
  ["an invalid position", false, { position: 0 }],
])("R-5 a step record is checked: %s, valid: %s", (_, valid, over) =>
  expect(stepRecord.safeParse({ ...step, ...over }).success).toBe(valid),
);

test.each(['{"__proto__":[1]}', '[{"a":{"__proto__":null,"constructor":1}}]', "null", '""'])(
  "O-2 a record keeps its value: %s",
  (text) => {
    const { output } = stepRecord.parse({ ...step, output: JSON.parse(text) as unknown });
    expect(JSON.stringify(output)).toBe(text);
  },
);

test("G-2 keys of steps are read as they are written", () => {
  const place = ["echo", run_id] as const;
  expect(
    [
      keys.runStep(...place, 3, "create-proposal"),
      keys.stepBegun(...place, 3, "send"),
      keys.stepFailed(...place, 112, "x", 2),
      keys.runRequest(...place),
      `${keys.runSteps(...place)}README.md`,
    ].map((key) => stepKeyParts(key)),
  ).toEqual([
    { position: 3, name: "create-proposal", part: "record" },
    { position: 3, name: "send", part: "begun" },
    { position: 112, name: "x", part: "failed" },
    { position: 0, name: "request", part: "record" },
    undefined,
  ]);
});

test("C-10 the id of a journal depends on every name and every byte, and on nothing else", () => {
  const [a, b] = [
    { key: "x/steps/01-a.json", hash },
    { key: "x/steps/02-b.json", hash },
  ];
  const ids = [[a, b], [a], [a, { ...b, hash: "2".repeat(40) }], [a, { ...b, key: "x/steps/02-c.json" }]].map(
    journalId,
  );
  expect(new Set(ids).size).toBe(4);
  expect(journalId([b, a])).toBe(ids[0]);
});
