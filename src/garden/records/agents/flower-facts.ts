import type { Oid } from "../../../domain/git/git-names.ts";
import type { Repo } from "../../../ports/repo.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { headOf } from "../../core/main-head.ts";
import { cardIn } from "../proposals/proposal-views.ts";
import { readAgentFile } from "./read-agent.ts";

/**
 * The facts about an agent for lists and for its flower: its age among the agents, and how many of its proposals
 * were applied.
 */
export interface FlowerFacts {
  /** Empty if the contract cannot be read. */
  readonly created_at: string;
  readonly updated_at: string;
  readonly description: string;
  readonly model: string;
  readonly cron: string | null;
  readonly events: readonly string[];
  /** A lower bound until a long history has been read, `MOST_READ` proposals per call. */
  readonly approvals: number;
}

/** Cache: the agent of each applied proposal, which never changes. */
const applied = new WeakMap<Store, Map<string, string>>();
/** Views read per call: the first answer of a process must not wait for a long history. */
const MOST_READ = 500;

export async function flowerFacts(store: Store, slugs: readonly string[]): Promise<ReadonlyMap<string, FlowerFacts>> {
  const counts = await approvalCounts(store);
  const facts = slugs.map(async (slug): Promise<[string, FlowerFacts]> => {
    const seen = await readAgentFile(store, slug);
    const approvals = counts.get(slug) ?? 0;
    if (seen.kind !== "agent") return [slug, { ...UNREAD, approvals }];
    const { created_at, updated_at, description, model, triggers } = seen.agent.contract;
    const { cron, events } = triggers;
    return [slug, { created_at, updated_at, description, model, cron, events: events ?? [], approvals }];
  });
  return new Map(await Promise.all(facts));
}

const UNREAD = { created_at: "", updated_at: "", description: "", model: "", cron: null, events: [] } as const;

async function approvalCounts(store: Store): Promise<ReadonlyMap<string, number>> {
  const agents = applied.get(store) ?? new Map<string, string>();
  applied.set(store, agents);
  let read = 0;
  for await (const { key } of everyKey(store, "proposals/applied/")) {
    if (agents.has(key)) continue;
    if (read++ === MOST_READ) break;
    const card = await cardIn(store, key);
    // A damaged view is read again next time.
    if (card) agents.set(key, card.source.type === "agent" ? card.source.identity : "");
  }
  const counts = new Map<string, number>();
  for (const agent of agents.values()) counts.set(agent, (counts.get(agent) ?? 0) + 1);
  return counts;
}

const firstCommits = new WeakMap<Repo, Promise<Oid>>();

/** The first commit of main: the text from which the garden's own flower grows. Never changes, so it is asked for once. */
export function firstCommit(repo: Repo): Promise<Oid> {
  const known = firstCommits.get(repo) ?? headOf(repo).then((head) => repo.firstCommit(head));
  firstCommits.set(repo, known);
  // Without a main branch the next call asks again.
  known.catch(() => firstCommits.delete(repo));
  return known;
}
