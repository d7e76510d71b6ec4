import { z } from "zod";
import { slugField } from "../identity.ts";
import { actions } from "../proposal/action.ts";
import { proposalCitation } from "../proposal/proposal-content.ts";
import { runId } from "./run-manifest.ts";

/**
 * S-7: a proposal that an experiment would have made. It lies with its run, is never pending in front of the owner and never applied; the owner
 * may promote it, which makes a real proposal of it.
 */
export const sandboxId = z.string().regex(/^sand_\d{4}-\d{2}-\d{2}_\d{6}_[0-9a-z]{6}_\d{2,5}$/);

export const sandboxEntry = z.strictObject({
  id: sandboxId,
  run_id: runId,
  agent_slug: slugField,
  /** The step of the run that proposed it. */
  step: z.int().positive(),
  action: z.enum(actions),
  target: z.string(),
  payload: z.record(z.string(), z.json()),
  summary: z.string(),
  reasoning: z.string().optional(),
  priority: z.enum(["normal", "high"]).optional(),
  /** The words of the run's journal about it (P-5a). */
  journal: z.strictObject({ reasoning: z.string(), citations: z.array(proposalCitation) }),
  made_at: z.iso.datetime(),
  op: z.string(),
});
export type SandboxEntry = z.infer<typeof sandboxEntry>;

/** The owner's decision on an entry, created once. */
export const sandboxEnd = z.strictObject({
  verdict: z.enum(["promoted", "discarded"]),
  proposal: z.string().optional(),
  by: z.string(),
  at: z.iso.datetime(),
  op: z.string(),
});
export type SandboxEnd = z.infer<typeof sandboxEnd>;

/** The same in every replay: the run and the number of the step. */
export const sandboxIdOf = (run: string, step: number): string =>
  `sand_${run.slice("run_".length)}_${String(step).padStart(2, "0")}`;

export const runOfSandboxId = (id: string): string | undefined =>
  sandboxId.safeParse(id).success ? `run_${id.slice("sand_".length, id.lastIndexOf("_"))}` : undefined;
