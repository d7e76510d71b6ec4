import { z } from "zod";
import type { Rationale } from "../proposal/operation.ts";
import { group } from "../text/checked-yaml.ts";
import { across, agentNames, text, theAgent } from "./intent-fields.ts";

/**
 * Accepted forms of a change of logic: source 000 §4.6 (`proposedChanges`), §5.2 (`proposedPseudo`,
 * `proposedDrakon`), or plain `pseudocode` and `diagram`. All three become one wish.
 */
const runId = z.string("run").regex(/^[a-z0-9_-]{1,100}$/i, "run");
const runs = z.array(runId, "runs").max(1000, "runs");
const version = z.string("version").regex(/^v\d{3}$/, "version");
const diagram = z.union([text, z.record(z.string(), z.json())], "diagram");
const change = z.discriminatedUnion(
  "operation",
  [
    group({ operation: z.literal("patch"), diff: text }),
    group({ operation: z.literal("replace"), content: z.union([text, z.record(z.string(), z.json())], "text") }),
  ],
  "change",
);

/** Source 000 §5.2 has the rationale as text: it becomes `problem`. */
const rationale = z.preprocess(
  (value) => (typeof value === "string" ? { problem: value } : value),
  group({
    problem: text.min(1, "rationale"),
    change: text.optional(),
    evidence: runs.optional(),
    evidenceRuns: runs.optional(),
    expectedImprovement: text.optional(),
    riskAssessment: text.optional(),
    cannotTell: z.number("share").min(0, "share").max(1, "share").optional(),
  }),
);

const shared = {
  ...agentNames,
  currentVersion: version.optional(),
  rationale,
  evidenceRuns: runs.optional(),
  optimizerRunId: runId.optional(),
  /** The same as the priority of the whole wish; source 000 §4.6 has it here. */
  priority: z.enum(["normal", "high"], "priority").optional(),
  requiresHumanReview: z.literal(true, "human-review").optional(),
};

export type LogicChange =
  | { readonly operation: "patch"; readonly diff: string }
  | { readonly operation: "replace"; readonly content: string };

/** The forms of the change that are present. */
const waysOf = (fields: Readonly<Record<string, unknown>>): readonly string[][] =>
  [["proposedChanges"], ["proposedPseudo", "proposedDrakon"], ["pseudocode", "diagram"]].filter((way) =>
    way.some((field) => isSaid(fields[field])),
  );

/** `proposedChanges: {}` counts as absent. */
const isSaid = (value: unknown): boolean =>
  value !== undefined && !(typeof value === "object" && value !== null && Object.keys(value).length === 0);

const evidenceOnce = across(
  ({ evidenceRuns, rationale: reason }) => {
    const inside = typeof reason === "object" && reason !== null ? (reason as Record<string, unknown>) : {};
    return [evidenceRuns, inside["evidence"], inside["evidenceRuns"]].filter((way) => way !== undefined).length <= 1;
  },
  "evidence",
  "evidenceRuns",
);

export const logicUpdateWish = group({
  ...shared,
  type: z.literal("logic-update", "kind").optional(),
  tool: z.literal("propose-logic-update", "kind").optional(),
  proposedChanges: group({
    "current.pseudo.md": change.optional(),
    "current.drakon.json": change.optional(),
  }).optional(),
  proposedPseudo: text.optional(),
  proposedDrakon: diagram.optional(),
  pseudocode: text.optional(),
  diagram: diagram.optional(),
})
  .refine(...theAgent.once)
  .refine(...across((fields) => waysOf(fields).length <= 1, "one-way", "proposedChanges"))
  .refine(...across((fields) => waysOf(fields).length >= 1, "some-logic", "diagram"))
  .refine(...evidenceOnce)
  .transform((value) => {
    const { "current.pseudo.md": pseudo, "current.drakon.json": drawn } = value.proposedChanges ?? {};
    return {
      agent: theAgent.take(value).agent,
      currentVersion: value.currentVersion,
      pseudocode: asChange(pseudo) ?? replaced(value.proposedPseudo ?? value.pseudocode),
      diagram: asChange(drawn) ?? replaced(value.proposedDrakon ?? value.diagram),
      rationale: wholeRationale(value),
      optimizerRunId: value.optimizerRunId,
    };
  });

export const logicRollbackWish = group({
  ...shared,
  type: z.literal("logic-rollback", "kind").optional(),
  toVersion: version,
})
  .refine(...theAgent.once)
  .refine(...evidenceOnce)
  .transform((value) => ({
    agent: theAgent.take(value).agent,
    currentVersion: value.currentVersion,
    toVersion: value.toVersion,
    rationale: wholeRationale(value),
  }));

interface WithReason {
  readonly rationale: z.output<typeof rationale>;
  readonly evidenceRuns?: string[] | undefined;
}

function wholeRationale(value: WithReason): Rationale {
  const { evidence: _, ...reason } = value.rationale;
  return {
    ...reason,
    evidenceRuns: value.evidenceRuns ?? value.rationale.evidence ?? value.rationale.evidenceRuns ?? [],
  };
}

type Written = string | Readonly<Record<string, unknown>>;

/** A diagram sent as JSON is serialised like diagram files: indented, with a final line break. */
const replaced = (written: Written | undefined): LogicChange | undefined =>
  written === undefined
    ? undefined
    : {
        operation: "replace",
        content: typeof written === "string" ? written : `${JSON.stringify(written, null, 2)}\n`,
      };

const asChange = (written: z.output<typeof change> | undefined): LogicChange | undefined =>
  written?.operation === "replace" ? replaced(written.content) : written;
