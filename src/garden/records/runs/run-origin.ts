import { z } from "zod";
import { keys } from "../../../domain/layout.ts";
import { LOAD_CONTEXT, loadedContext } from "../../../domain/run/run-manifest.ts";
import type { Store } from "../../../ports/store.ts";
import type { RunPlace } from "../../core/flow/journal.ts";

/** What a proposal should know of the run that made it. Of a run that nobody has on record: nothing. */
export interface RunOrigin {
  /** The contract's version and logic version that the run is held to, whatever the contract says meanwhile (O-3a). */
  readonly pinned?: { readonly version: string; readonly logic: string | null };
  /** The run that it is a fork of: what a fork proposes is quarantined (O-7). */
  readonly forkedFrom?: string;
}

/** The little that is read here; whether the records are whole is `bloom verify`'s to tell. */
const fork = z.object({ forked_from: z.object({ run: z.string() }) });
const context = z.object({ output: loadedContext });

export async function originOfRun(store: Store, { slug, run }: RunPlace): Promise<RunOrigin> {
  const forked = fork.safeParse(await jsonAt(store, keys.runRequest(slug, run))).data?.forked_from;
  const pins = context.safeParse(await jsonAt(store, keys.runStep(slug, run, 1, LOAD_CONTEXT))).data?.output;
  return {
    ...(pins && { pinned: { version: pins.agent_version, logic: pins.logic_version } }),
    ...(forked && { forkedFrom: forked.run }),
  };
}

async function jsonAt(store: Store, key: string): Promise<unknown> {
  const stored = await store.get(key);
  try {
    return stored && JSON.parse(Buffer.from(stored.bytes).toString());
  } catch {
    return undefined;
  }
}
