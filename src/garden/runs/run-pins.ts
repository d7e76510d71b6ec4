import { blobId } from "../../base/canonical.ts";
import { contractKey, keys, MAIN_REF } from "../../domain/layout.ts";
import { driftMember } from "../../domain/run/run.ts";
import { LOAD_CONTEXT, type LoadedContext, loadedContext, type RunManifest } from "../../domain/run/run-manifest.ts";
import { type StepRecord, stepRecord } from "../../domain/run/run-step.ts";
import type { Stored } from "../../ports/store.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { readJson } from "../core/json-record.ts";
import { cachedContract, cachedContractHash } from "../records/agents/known-contracts.ts";

interface KnownPins {
  /** The whole journal behind the request. */
  readonly written?: { readonly records: readonly StepRecord[] } | undefined;
  readonly contract?: (() => Promise<Stored | undefined>) | undefined;
}

/**
 * O-3a: what the run is pinned to, by the record of `load-context`; if it never began, the current contract and commit. What is
 * known of the run is not read again.
 */
export async function pinsAndModel(
  garden: Garden,
  place: RunPlace,
  { written, contract: readContract = () => garden.store.get(contractKey(place.slug)) }: KnownPins = {},
): Promise<Omit<LoadedContext, "contract"> & Pick<RunManifest, "model_used" | "temperature">> {
  const { contract, drift, ...pins } =
    (written ? contextIn(written.records) : await pinnedContext(garden, place)) ??
    (await contextNow(garden, await readContract()));
  const reading = cachedContract(Buffer.from(contract));
  const asked =
    reading.kind === "contract"
      ? { model_used: reading.contract.model, temperature: reading.contract.temperature }
      : { model_used: "?" };
  return { ...pins, ...driftMember(drift), ...asked };
}

/** The output of `load-context`; undefined if the run has not got so far. */
export async function pinnedContext(
  { store }: Pick<Garden, "store">,
  { slug, run }: RunPlace,
): Promise<LoadedContext | undefined> {
  const key = keys.runStep(slug, run, 1, LOAD_CONTEXT);
  const stored = await store.get(key);
  return stored && contextIn([readJson(key, stored.bytes, stepRecord)]);
}

const contextIn = (records: readonly StepRecord[]): LoadedContext | undefined =>
  loadedContext.safeParse(records.find(({ position, name }) => position === 1 && name === LOAD_CONTEXT)?.output).data;

async function contextNow({ repo }: Garden, stored: Stored | undefined): Promise<LoadedContext> {
  const bytes = stored?.bytes ?? new Uint8Array();
  const hash = stored?.hash ?? blobId(bytes);
  const contract = Buffer.from(bytes).toString();
  const reading = cachedContract(bytes, hash);
  return {
    agent_version: reading.kind === "contract" ? reading.contract.version : "?",
    contract_hash: cachedContractHash(contract, hash),
    logic_version: null,
    behaviour_id: null,
    // A run can end while git is unavailable.
    garden_commit: (await repo.resolve(MAIN_REF).catch(() => undefined)) ?? "0".repeat(40),
    contract,
  };
}
