import { z } from "zod";
import { canonicalId, type Json } from "../../base/canonical.ts";
import { Failure } from "../../base/failure.ts";
import { newId, parseId } from "../../base/ids.ts";
import { keys } from "../../domain/layout.ts";
import { runId } from "../../domain/run/run-manifest.ts";
import { everyKey } from "../../ports/store.ts";
import { createRecord } from "../core/flow/create-record.ts";
import { jsonBytes, parsed } from "../core/flow/journal.ts";
import { realPause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import { agentSlugs } from "../records/status.ts";

/** Nobody waits for an answer for so long. */
const KEPT_DAYS = 30;

export interface AskedOnce {
  readonly slug: string;
  readonly by: string;
  /** Brought by who asks, the same in every repetition. */
  readonly correlation: string;
  /** All that is asked for: a repetition asks for the same. */
  readonly what: Json;
}

const asked = z.strictObject({ run: runId, what: z.string() });

/**
 * The id of the run that this request is for: drawn by the first that comes with its name, found by every later one. Who got no
 * answer asks again and has one run, also if everything ended between the name and the run.
 */
export async function idAskedOnce(
  { store, world }: Pick<Garden, "store" | "world">,
  { slug, by, correlation, what }: AskedOnce,
): Promise<string> {
  const key = keys.runAsked(slug, canonicalId([by, correlation]));
  const own = { run: newId(world, "run"), what: canonicalId(what) };
  const { bytes } = await createRecord({ store, pause: realPause }, key, jsonBytes(own));
  const first = parsed(key, bytes, asked);
  if (first.what === own.what) return first.run;
  throw new Failure(
    "DUPLICATE_ENTRY",
    {
      en: `the correlation id ${JSON.stringify(correlation)} was used for another run of ${slug}`,
      uk: `ідентифікатор ${JSON.stringify(correlation)} уже використано для іншого запуску ${slug}`,
    },
    {
      hint: {
        en: "Use a new one for a new run; the same one only to repeat a request as it was.",
        uk: "Для нового запуску візьміть новий; той самий — лише щоб повторити запит без змін.",
      },
      details: { run: first.run, correlation_id: correlation },
    },
  );
}

/** Takes away the names of requests that nobody repeats any more. The runs stay. */
export async function forgetAsked({ store, world }: Pick<Garden, "store" | "world">): Promise<void> {
  const until = world.now() - KEPT_DAYS * 24 * 60 * 60 * 1000;
  for (const slug of await agentSlugs(store)) {
    for await (const { key } of everyKey(store, keys.runsAsked(slug))) {
      const there = await store.get(key);
      const at = there && parseId(parsed(key, there.bytes, asked).run)?.at;
      if (there && at !== undefined && at < until) await store.remove(key, there.hash);
    }
  }
}
