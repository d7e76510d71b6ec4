import { z } from "zod";
import { canonicalId, type Json } from "../../base/canonical.ts";
import { newId, parseId } from "../../base/ids.ts";
import { keys } from "../../domain/layout.ts";
import { runId } from "../../domain/run/run-manifest.ts";
import { everyKey } from "../../ports/store.ts";
import { createRecord } from "../core/flow/create-record.ts";
import { realPause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, readJson } from "../core/json-record.ts";
import { agentSlugs } from "../records/status.ts";
import { correlationReused } from "./failures.ts";

/** After this time a repeated request is a new one. */
const KEPT_DAYS = 30;

export interface CorrelatedRequest {
  readonly slug: string;
  readonly by: string;
  /** Chosen by the caller, the same in every repetition. */
  readonly correlation: string;
  /** The whole request: a repetition must have the same. */
  readonly what: Json;
}

const correlated = z.strictObject({ run: runId, what: z.string() });

/**
 * The run id for a correlation id: drawn at the first request, found again by every repetition, also if the first request died
 * before it created the run. Throws DUPLICATE_ENTRY if the correlation id was used for a different request.
 */
export async function runIdForCorrelation(
  { store, world }: Pick<Garden, "store" | "world">,
  { slug, by, correlation, what }: CorrelatedRequest,
): Promise<string> {
  const key = keys.runAsked(slug, canonicalId([by, correlation]));
  const own = { run: newId(world, "run"), what: canonicalId(what) };
  const { bytes } = await createRecord({ store, pause: realPause }, key, jsonBytes(own));
  const first = readJson(key, bytes, correlated);
  if (first.what !== own.what) throw correlationReused(slug, correlation, first.run);
  return first.run;
}

/** Deletes correlation ids older than `KEPT_DAYS`. The runs stay. */
export async function forgetCorrelations({ store, world }: Pick<Garden, "store" | "world">): Promise<void> {
  const until = world.now() - KEPT_DAYS * 24 * 60 * 60 * 1000;
  for (const slug of await agentSlugs(store)) {
    for await (const { key } of everyKey(store, keys.runsAsked(slug))) {
      const stored = await store.get(key);
      const at = stored && parseId(readJson(key, stored.bytes, correlated).run)?.at;
      if (stored && at !== undefined && at < until) await store.remove(key, stored.hash);
    }
  }
}
