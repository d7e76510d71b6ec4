import { z } from "zod";
import { canonicalId } from "../../base/canonical.ts";
import { slugField } from "../identity.ts";

const at = z.iso.datetime();
const hash = z.string().regex(/^[0-9a-f]{40}$/);
export const runId = z.string().regex(/^run_\d{4}-\d{2}-\d{2}_\d{6}_[0-9a-z]{6}$/);

/** `agent`: another run asked for it, as its sub-agent. */
export const runTriggers = ["manual", "cron", "event", "agent"] as const;

/** R-5a: the outcome of a run. The first two complete a run, the others fail it. */
const outcome = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("effects"),
    proposals: z.array(z.string()),
    /** Files that a sub-agent hands over to the run that asked for it. */
    files: z.int().positive().optional(),
  }),
  z.strictObject({ kind: z.literal("noop"), reason: z.string().min(1) }),
  z.strictObject({ kind: z.literal("blocked"), by: z.string().min(1) }),
  z.strictObject({ kind: z.literal("failed"), reason: z.string().min(1) }),
]);
export type Outcome = z.infer<typeof outcome>;

/** D-6a: the breaks in the chain diagram → pseudocode → contract when the run began; it went on with the contract as it stood. */
export const runDrift = z.array(z.string()).optional();

/** Values fixed from the first step to the last, through holds and restarts (O-3a). */
const pins = {
  agent_version: z.string(),
  /** Hash of the contract without the lines that the gateway changes (C-7). */
  contract_hash: hash,
  /** `v007`; null for an agent without versions. */
  logic_version: z
    .string()
    .regex(/^v\d{3}$/)
    .nullable(),
  behaviour_id: hash.nullable(),
  /** main at the start of the run: what it can read, and where its logic version is. */
  garden_commit: hash,
};

/** The output of `load-context`, the first step of every run: the pins, and the contract text, which people may edit later. */
export const loadedContext = z.object({ ...pins, contract: z.string(), drift: runDrift });
export type LoadedContext = z.infer<typeof loadedContext>;
export const LOAD_CONTEXT = "load-context";

/**
 * `manifest.json`: created once when a run ends. The fields of source 001 §6.3, those of O-9, and two for
 * verification: the hash of the contract and the id of the journal.
 */
export const runManifest = z
  .strictObject({
    run_id: runId,
    agent_slug: slugField,
    ...pins,
    trigger: z.enum(runTriggers),
    started_at: at,
    finished_at: at,
    status: z.enum(["completed", "failed", "cancelled"]),
    steps_count: z.int().nonnegative(),
    proposals_created: z.int().nonnegative(),
    model_used: z.string(),
    /** S-9a: of the contract. Left out by earlier versions of the program, and if the contract cannot be read. */
    temperature: z.number().optional(),
    tokens_used: z.strictObject({ input: z.int().nonnegative(), output: z.int().nonnegative() }),
    error: z.string().nullable(),
    outcome: outcome.nullable(),
    /** D-6a: left out if the contract was what its diagram says. */
    drift: runDrift,
    engine: z.string(),
    forked_from: z.strictObject({ run: runId, step: z.int().positive() }).nullable(),
    /** S-7: its effects are in the sandbox, and statistics leave it out. */
    experiment: z.literal(true).optional(),
    /** O-3a: the run that this one continues under another logic version, and the last step that both have. */
    moved_from: z.strictObject({ run: runId, step: z.int().positive() }).optional(),
    error_details: z.record(z.string(), z.json()).nullable(),
    /** R-5a: calls of the model that were denied. */
    denied_calls: z.int().nonnegative().optional(),
    /** `journalId` of the records: any added, removed or changed record is detected. */
    journal: hash,
  })
  .refine(({ status, outcome: ended }) => status === "cancelled" || fits(status, ended?.kind), "status and outcome");
export type RunManifest = z.infer<typeof runManifest>;

const fits = (status: "completed" | "failed", kind: Outcome["kind"] | undefined): boolean =>
  status === "completed" ? kind === "effects" || kind === "noop" : kind === "blocked" || kind === "failed";

/** Covers every object of the `steps/` folder by key and content hash, in order of key. */
export const journalId = (objects: readonly { readonly key: string; readonly hash: string }[]): string =>
  canonicalId(
    objects
      .map(({ key, hash: content }) => [key.slice(key.lastIndexOf("/") + 1), content] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  );
