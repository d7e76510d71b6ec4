import { bookkeepingOf, isGatewayCommit } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { trailerOf } from "../../../domain/git/trailers.ts";
import { memoryFolder } from "../../../domain/layout.ts";
import type { MemoryStep, OwnUpdate } from "../../../domain/memory/memory-rebase.ts";
import { byAge } from "../../../domain/proposal/proposal-order.ts";
import type { Commit } from "../../../ports/repo.ts";
import type { Garden } from "../../core/garden.ts";
import { findReadable } from "../proposals/proposal-log.ts";
import { type MemoryState, readMemory } from "./memory-state.ts";

/** A proposal of an agent, and its time. */
export interface ProposedUpdate {
  readonly slug: string;
  readonly proposal: string;
  readonly made: string;
}

const MOST_LOOKED_AT = 200;

/**
 * The versions of an agent's memory after `version`, oldest first, each with the update of this agent that made it. Undefined if
 * recent history does not reach back to that version.
 */
export async function memoryChangesSince(
  { repo, store }: Pick<Garden, "repo" | "store">,
  head: Oid,
  version: number,
  update: ProposedUpdate,
): Promise<readonly MemoryStep[] | undefined> {
  const { slug } = update;
  const changes: MemoryStep[] = [];
  let [later, state]: [Commit | undefined, MemoryState | undefined] = [undefined, undefined];
  const history = await repo.history(head, memoryFolder(slug), { limit: MOST_LOOKED_AT });
  for (const commit of history) {
    if (bookkeepingOf(commit) !== undefined) continue;
    const before = await readMemory(repo, commit.oid, slug);
    if (later && state)
      changes.unshift({ before: before.files, after: state.files, own: await ownUpdate(store, later, update) });
    if (before.version === version) return changes;
    if (before.version < version) return undefined;
    [later, state] = [commit, before];
  }
  if (version !== 0 || !later || !state || history.length === MOST_LOOKED_AT) return undefined;
  return [{ before: {}, after: state.files, own: await ownUpdate(store, later, update) }, ...changes];
}

async function ownUpdate(
  store: Garden["store"],
  commit: Commit,
  { slug, proposal, made }: ProposedUpdate,
): Promise<OwnUpdate | undefined> {
  const id = isGatewayCommit(commit) ? trailerOf(commit.message, "Proposal") : undefined;
  const other = id === undefined ? undefined : await findReadable(store, id);
  if (other?.operation.action !== "memory-update") return undefined;
  const { source, operation } = other;
  if (source.type !== "agent" || source.identity !== slug || operation.payload.agent !== slug) return undefined;
  const isNewer = byAge(other, { id: proposal, created_at: made }) > 0;
  return { proposal: other.id, isNewer, operations: operation.payload.operations };
}
