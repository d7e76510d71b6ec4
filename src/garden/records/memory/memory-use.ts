import { z } from "zod";
import type { Oid } from "../../../domain/git/git-names.ts";
import { keys } from "../../../domain/layout.ts";
import { entriesIn, factId } from "../../../domain/memory/memory-entries.ts";
import { STALE_DAYS } from "../../../domain/memory/memory-limits.ts";
import { stepKeyParts } from "../../../domain/run/run-step.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { daysOf, runsOfDay } from "../runs/run-folders.ts";

/**
 * M-2a: the day on which each fact was last read. A view of the runs, whose journals have every answer of `read-memory`
 * and `search-memory`: written when a fact is first used on a day, never in git. It only decides which facts are evicted.
 * If it is lost or damaged, it is made again from the runs of the last month.
 */
export type FactUse = ReadonlyMap<string, string>;

const day = z.iso.date();
const view = z.strictObject({
  schemaVersion: z.literal("1.0"),
  used: z.record(z.string().regex(/^fact-[0-9a-f]{12}$/), day),
});

const MOST_TRIES = 20;
const MOST_FACTS = 5000;
const DAY_MS = 86_400_000;

export async function factUse(garden: Pick<Garden, "store">, slug: string, today: string): Promise<FactUse> {
  return (await readUse(garden.store, slug, today)).used;
}

/** Records that these facts were read today. Writes nothing if all of them were used today before. */
export async function recordUse(
  garden: Pick<Garden, "store" | "repo" | "world">,
  { slug, at, facts }: { readonly slug: string; readonly at: Oid; readonly facts: readonly string[] },
): Promise<void> {
  if (facts.length === 0) return;
  const { store, world } = garden;
  const now = isoDay(world.now());
  let today: string | undefined;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { used, hash } = await readUse(store, slug, now);
    if (hash !== undefined && facts.every((id) => (used.get(id) ?? "") >= now)) return;
    today ??= await dayOfUse(garden, at);
    const all = new Map(used);
    for (const id of facts) if ((all.get(id) ?? "") < today) all.set(id, today);
    const latest = [...all].toSorted(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0)).slice(0, MOST_FACTS);
    const bytes = Buffer.from(JSON.stringify({ schemaVersion: "1.0", used: Object.fromEntries(latest) }));
    const key = keys.memoryUse(slug);
    const done = hash === undefined ? await store.create(key, bytes) : await store.swap(key, hash, bytes);
    if (done.kind === "created" || done.kind === "swapped") return;
  }
  // Gives up under contention: these facts count with the next read, and an answer must not fail because of this.
}

/** Commits that are read for their time, in case the clock went back. */
const RECENT = 50;

/** The later of the clock and the newest commits: a clock that went back does not make a use older. */
async function dayOfUse({ repo, world }: Pick<Garden, "repo" | "world">, at: Oid): Promise<string> {
  const commits = await repo.history(at, "", { limit: RECENT });
  return isoDay(Math.max(world.now(), ...commits.map(({ committer }) => committer.at)));
}

export const factsIn = (text: string): string[] => [...new Set(entriesIn(text).map(factId))];

async function readUse(
  store: Store,
  slug: string,
  today: string,
): Promise<{ used: FactUse; hash: string | undefined }> {
  const stored = await store.get(keys.memoryUse(slug));
  const known = tryReadJson(stored?.bytes, view);
  const used = known ? new Map(Object.entries(known.used)) : await useInRuns(store, slug, today);
  return { used, hash: stored?.hash };
}

const READS = new Set(["read-memory", "search-memory"]);

/** The same from the journals of the agent's runs. */
async function useInRuns(store: Store, slug: string, today: string): Promise<FactUse> {
  const since = `run_${isoDay(Date.parse(today) - (STALE_DAYS + 1) * DAY_MS)}`;
  const used = new Map<string, string>();
  for (const folder of await daysOf(store, slug)) {
    if (folder < since) continue;
    for (const { run } of await runsOfDay(store, slug, folder)) {
      for await (const { key } of everyKey(store, keys.runSteps(slug, run))) {
        const parts = stepKeyParts(key);
        if (parts?.part !== "record" || !READS.has(parts.name)) continue;
        const answered = tryReadJson((await store.get(key))?.bytes, readAnswer);
        if (!answered || (answered.input?.agent ?? slug) !== slug) continue;
        const on = answered.finished_at.slice(0, 10);
        for (const id of answeredFacts(answered.output)) if (on > (used.get(id) ?? "")) used.set(id, on);
      }
    }
  }
  return used;
}

const readAnswer = z.object({
  finished_at: z.iso.datetime(),
  input: z.object({ agent: z.string().nullish() }).nullish(),
  output: z.object({ facts: z.string().optional(), hits: z.array(z.object({ id: z.string().optional() })).optional() }),
});

const answeredFacts = ({ facts = "", hits = [] }: z.infer<typeof readAnswer>["output"]): string[] => [
  ...factsIn(facts),
  ...hits.flatMap(({ id }) => (id?.startsWith("fact-") ? [id] : [])),
];

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
