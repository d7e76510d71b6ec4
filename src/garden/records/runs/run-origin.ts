import { z } from "zod";
import { type Capabilities, capabilities } from "../../../domain/contract/ceiling.ts";
import { keys } from "../../../domain/layout.ts";
import { LOAD_CONTEXT, loadedContext, runId } from "../../../domain/run/run-manifest.ts";
import type { Store } from "../../../ports/store.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import { readJson, tryReadJson } from "../../core/json-record.ts";

/** The facts of a run that its proposals carry; empty for a run that is not on record. */
export interface RunOrigin {
  /** The contract version and logic version that were pinned when the run began; later edits of the contract do not count (O-3a). */
  readonly pinned?: { readonly version: string; readonly logic: string | null };
  /** The fork that this run is, or works for as a sub-agent: the run it came from. Proposals of a fork are quarantined (O-7). */
  readonly forkedFrom?: string;
  /** P-10c: the proposal that the run was asked to revise. */
  readonly revises?: string;
  /** S-7: the run is an experiment: the inbox takes nothing from it but what the owner has promoted. */
  readonly isExperiment?: true;
}

/** The fields that are needed here; `bloom verify` checks the whole records. */
const asked = z.object({
  forked_from: z.object({ run: z.string(), what_if: z.object({}).optional() }).optional(),
  revises: z.string().optional(),
  spawned_by: z.object({ agent: z.string(), run: z.string() }).optional(),
  experiment: z.literal(true).optional(),
});
const context = z.object({ output: loadedContext });
const limited = z.object({ ceiling: capabilities.optional() });

/**
 * The most that a run may do (S-2): undefined for a run that is no sub-agent's. Throws if the request cannot be read: a damaged record
 * must not widen anything.
 */
export async function ceilingOfRun(
  store: Store,
  { slug, run }: { readonly slug: string; readonly run: string | undefined },
): Promise<Capabilities | undefined> {
  const key = run === undefined || !runId.safeParse(run).success ? undefined : keys.runRequest(slug, run);
  const stored = key === undefined ? undefined : await store.get(key);
  return key !== undefined && stored ? readJson(key, stored.bytes, limited).ceiling : undefined;
}

export async function originOfRun(store: Store, { slug, run }: RunPlace): Promise<RunOrigin> {
  const request = tryReadJson((await store.get(keys.runRequest(slug, run)))?.bytes, asked);
  const pins = tryReadJson((await store.get(keys.runStep(slug, run, 1, LOAD_CONTEXT)))?.bytes, context)?.output;
  const asking = request?.spawned_by && { slug: request.spawned_by.agent, run: request.spawned_by.run };
  const forkedFrom = request?.forked_from?.run ?? (asking && (await originOfRun(store, asking)).forkedFrom);
  return {
    ...(pins && { pinned: { version: pins.agent_version, logic: pins.logic_version } }),
    ...(forkedFrom !== undefined && { forkedFrom }),
    ...((request?.forked_from?.what_if ?? request?.experiment) && { isExperiment: true as const }),
    ...(request?.revises !== undefined && { revises: request.revises }),
  };
}
