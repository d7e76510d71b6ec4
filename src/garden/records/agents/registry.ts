import { z } from "zod";
import { parseId } from "../../../base/ids.ts";
import { agentStates } from "../../../domain/contract/agent-state.ts";
import { contractFile, frontValue } from "../../../domain/contract/contract-file.ts";
import { statusOfText } from "../../../domain/contract/status-line.ts";
import { keys, REGISTRY_KEY } from "../../../domain/layout.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { jsonBytes, tryReadJson } from "../../core/json-record.ts";
import { cardIn, PENDING_VIEWS } from "../proposals/proposal-views.ts";
import { agentSlugs } from "../status.ts";
import { type AgentFileReading, readAgentFile } from "./read-agent.ts";

/**
 * `registry.json` (source 001 §5): a view of all agents in one file. The contracts are the truth; a reader gets what they
 * say now, and a missing, stale or damaged file is rewritten (C-8).
 */
const entry = z.strictObject({
  slug: z.string(),
  name: z.string(),
  status: z.enum(agentStates),
  version: z.string(),
  last_run: z.string().nullable(),
  last_run_status: z.string().nullable(),
  pending_proposals: z.int().nonnegative(),
});
export type RegistryEntry = z.infer<typeof entry>;

export const registry = z.strictObject({ version: z.literal("1"), updated_at: z.string(), agents: z.array(entry) });
export type Registry = z.infer<typeof registry>;

type Ports = Pick<Garden, "store" | "world">;

/** Every agent that has a contract, by slug, as the files say now. Writes nothing: `refreshRegistry` brings the view up to date. */
export async function readRegistry(garden: Ports): Promise<Registry> {
  const there = await storedRegistry(garden.store);
  const agents = await registryEntries(garden.store, there);
  if (there && sameEntries(there.agents, agents)) return there;
  const updated_at = new Date(garden.world.now()).toISOString().replace(/\.\d+Z$/, "Z");
  return { version: "1", updated_at, agents };
}

/** Writes the view if it is not what the files say. Called after a contract has changed, and by upkeep for everything else. */
export async function updateRegistry(garden: Ports): Promise<void> {
  const there = await storedRegistry(garden.store);
  const now = await readRegistry(garden);
  if (!there || there.updated_at !== now.updated_at || !sameEntries(there.agents, now.agents))
    await garden.store.put(REGISTRY_KEY, jsonBytes(now));
}

/** Failures are ignored: the view is made again by upkeep. */
export async function refreshRegistry(garden: Ports): Promise<void> {
  await updateRegistry(garden).catch(() => undefined);
}

/** The stored view; undefined if it is missing or damaged. */
export async function storedRegistry(store: Store): Promise<Registry | undefined> {
  const stored = await store.get(REGISTRY_KEY);
  return tryReadJson(stored?.bytes, registry);
}

/** The entries that the registry should have. `known` saves listing old runs; it counts only if the run exists. */
export async function registryEntries(store: Store, known?: Registry): Promise<RegistryEntry[]> {
  const pending = await pendingByAgent(store);
  const entries: RegistryEntry[] = [];
  for (const slug of await agentSlugs(store)) {
    const seen = await readAgentFile(store, slug);
    if (seen.kind === "absent") continue;
    const last = known?.agents.find((one) => one.slug === slug)?.last_run ?? undefined;
    const run = await lastRun(store, slug, last);
    entries.push({
      slug,
      ...contractFields(slug, seen),
      last_run: run?.at ?? null,
      last_run_status: run?.status ?? null,
      pending_proposals: pending.get(slug) ?? 0,
    });
  }
  return entries;
}

const sameEntries = (a: readonly RegistryEntry[], b: readonly RegistryEntry[]): boolean =>
  a.length === b.length && a.every((one, index) => JSON.stringify(entry.parse(one)) === JSON.stringify(b[index]));

/** The fields of an entry. An invalid contract is read as far as possible. */
function contractFields(slug: string, seen: Exclude<AgentFileReading, { kind: "absent" }>) {
  if (seen.kind === "agent") {
    const { name, status, version } = seen.agent.contract;
    return { name, status, version };
  }
  const file = contractFile(new TextDecoder().decode(seen.bytes));
  const read = (field: string): string | undefined => file && frontValue(file, field);
  return {
    name: read("name") ?? slug,
    // C-7: a file whose status cannot be read is an agent that cannot run.
    status: statusOfText(new TextDecoder().decode(seen.bytes)) ?? "error",
    version: read("version") ?? "0.0.0",
  };
}

/** Cache: the agent of each pending proposal, which never changes. */
const sources = new WeakMap<Store, ReadonlyMap<string, string>>();
const NO_AGENT = "";

async function pendingByAgent(store: Store): Promise<Map<string, number>> {
  const known = sources.get(store);
  const seen = new Map<string, string>();
  const counts = new Map<string, number>();
  for await (const { key } of everyKey(store, PENDING_VIEWS)) {
    const agent = known?.get(key) ?? (await agentOf(store, key));
    if (agent === undefined) continue;
    seen.set(key, agent);
    if (agent !== NO_AGENT) counts.set(agent, (counts.get(agent) ?? 0) + 1);
  }
  sources.set(store, seen);
  return counts;
}

/** Undefined if the view is missing or damaged; it is read again next time. */
async function agentOf(store: Store, key: string): Promise<string | undefined> {
  const card = await cardIn(store, key);
  return card && (card.source.type === "agent" ? card.source.identity : NO_AGENT);
}

/**
 * The newest run by its id, and its state. Run folders sort by time and a store lists forwards only, so the search begins
 * at the last run that was known.
 */
async function lastRun(
  store: Store,
  slug: string,
  knownAt: string | undefined,
): Promise<{ at: string; status: string | null } | undefined> {
  const folder = keys.runs(slug);
  const begin = knownAt === undefined ? undefined : `${folder}run_${stampOf(knownAt)}`;
  const id = (begin !== undefined && (await newestFrom(store, folder, begin))) || (await newestFrom(store, folder));
  const parsed = id === undefined ? undefined : parseId(id);
  if (id === undefined || !parsed) return undefined;
  const manifest = tryReadJson((await store.get(keys.runManifest(slug, id)))?.bytes, progress);
  const status = tryReadJson((await store.get(keys.runStatus(slug, id)))?.bytes, progress);
  return {
    at: new Date(parsed.at).toISOString().replace(".000Z", "Z"),
    status: manifest?.status ?? status?.state ?? status?.status ?? null,
  };
}

/** Jumps from run to run, so that their steps are never listed. */
async function newestFrom(store: Store, folder: string, begin?: string): Promise<string | undefined> {
  let newest: string | undefined;
  for (let after = begin; ; ) {
    const page = await store.list(folder, { limit: 1, ...(after !== undefined && { after }) });
    const key = page.entries[0]?.key;
    if (key === undefined) return newest;
    const id = key.slice(folder.length).split("/")[0]!;
    if (parseId(id)) newest = id;
    after = `${folder}${id}0`; // "0" is the character after "/"
  }
}

/** `2026-02-14T08:00:00Z` in the form of ids. */
const stampOf = (at: string): string => `${at.slice(0, 10)}_${at.slice(11, 19).replaceAll(":", "")}`;

const text = z.string().optional().catch(undefined);
const progress = z.object({ state: text, status: text });
