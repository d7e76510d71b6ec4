import { keys } from "../../domain/layout.ts";
import { runRequest } from "../../domain/run.ts";
import { LOAD_CONTEXT, loadedContext } from "../../domain/run-manifest.ts";
import { stepRecord } from "../../domain/run-step.ts";
import type { Store } from "../../ports/store.ts";
import { parsed, type RunPlace } from "../flow/journal.ts";

/** What a proposal should know of the run that made it. Of a run that nobody has on record: nothing. */
export interface RunOrigin {
  /** The contract's version and logic version that the run is held to, whatever the contract says meanwhile (O-3a). */
  readonly pinned?: { readonly version: string; readonly logic: string | null };
  /** The run that it is a fork of: what a fork proposes is quarantined (O-7). */
  readonly forkedFrom?: string;
}

export async function originOfRun(store: Store, { slug, run }: RunPlace): Promise<RunOrigin> {
  const requestKey = keys.runRequest(slug, run);
  const request = await store.get(requestKey);
  const forked = request && parsed(requestKey, request.bytes, runRequest).forked_from;
  const contextKey = keys.runStep(slug, run, 1, LOAD_CONTEXT);
  const context = await store.get(contextKey);
  const pins = context && loadedContext.safeParse(parsed(contextKey, context.bytes, stepRecord).output).data;
  return {
    ...(pins && { pinned: { version: pins.agent_version, logic: pins.logic_version } }),
    ...(forked && { forkedFrom: forked.run }),
  };
}
