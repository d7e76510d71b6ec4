import { type Failure, failureToRecord } from "../../base/failure.ts";
import { readContract } from "../../domain/contract/contract.ts";
import { contractHash } from "../../domain/contract/contract-file.ts";
import { contractKey, keys, MAIN_REF } from "../../domain/layout.ts";
import type { RunRequest } from "../../domain/run/run.ts";
import {
  LOAD_CONTEXT,
  type LoadedContext,
  loadedContext,
  type Outcome,
  type RunManifest,
} from "../../domain/run/run-manifest.ts";
import { stepRecord } from "../../domain/run/run-step.ts";
import { finishRun } from "../core/flow/finish-run.ts";
import { parsed, type RunPlace } from "../core/flow/journal.ts";
import type { Pause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import { tellCancel } from "./cancel-run.ts";

/** How a run ends that its own flow did not bring to an end: cancelled, out of time, broken. */
export interface EndedByEngine {
  readonly status: "failed" | "cancelled";
  readonly error: string;
  readonly outcome: Outcome | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

export const failedWith = (failure: Failure, language: "uk" | "en"): EndedByEngine => {
  const { code, text, hint, details } = failureToRecord(failure);
  return {
    status: "failed",
    error: text[language],
    outcome: { kind: "failed", reason: text[language] },
    details: { ...details, code, message: text, ...(hint && { hint }) },
  };
};

/**
 * Writes the last word about such a run. What it was pinned to comes from its journal (O-3a); if it never began, from what is
 * now. Undefined if the run is gone, with its agent: the next agent of that name must not find it.
 */
export async function endByEngine(
  garden: Garden & { readonly pause: Pause },
  place: RunPlace,
  request: RunRequest,
  engine: string,
  end: EndedByEngine,
): Promise<RunManifest | undefined> {
  if (!(await garden.store.get(keys.runRequest(place.slug, place.run)))) return undefined;
  await tellCancel(garden, place);
  const { contract, ...pins } = (await pinnedIn(garden, place)) ?? (await pinsNow(garden, place.slug));
  const reading = readContract(Buffer.from(contract));
  return await finishRun(garden, place, {
    ...pins,
    trigger: request.trigger,
    status: end.status,
    model_used: reading.kind === "contract" ? reading.contract.model : "?",
    error: end.error,
    outcome: end.outcome,
    engine,
    forked_from: request.forked_from ? { run: request.forked_from.run, step: request.forked_from.step } : null,
    error_details: end.details ? (JSON.parse(JSON.stringify(end.details)) as RunManifest["error_details"]) : null,
  });
}

/** What the run is held to, if it got so far as to look: the first record of its journal. */
export async function pinnedIn(
  { store }: Pick<Garden, "store">,
  { slug, run }: RunPlace,
): Promise<LoadedContext | undefined> {
  const key = keys.runStep(slug, run, 1, LOAD_CONTEXT);
  const stored = await store.get(key);
  return stored && loadedContext.safeParse(parsed(key, stored.bytes, stepRecord).output).data;
}

async function pinsNow({ store, repo }: Garden, slug: string): Promise<LoadedContext> {
  const bytes = (await store.get(contractKey(slug)))?.bytes ?? new Uint8Array();
  const contract = Buffer.from(bytes).toString();
  const reading = readContract(bytes);
  return {
    agent_version: reading.kind === "contract" ? reading.contract.version : "?",
    contract_hash: contractHash(contract),
    logic_version: null,
    behaviour_id: null,
    garden_commit: (await repo.resolve(MAIN_REF)) ?? "0".repeat(40),
    contract,
  };
}
