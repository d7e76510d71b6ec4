import { isSlug } from "../../../domain/contract/slug.ts";
import { peerRefs } from "../../../domain/layout.ts";
import type { BehaviourStatistic } from "../../../domain/library/behaviour-figures.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { Garden } from "../../core/garden.ts";
import { behaviourCommits } from "../../insight/behaviours/behaviour-commits.ts";
import { NO_COMMITS, NO_COUNTS, ownBehaviourStatistics } from "../../insight/behaviours/own-statistics.ts";
import { listPeers } from "../peer-book.ts";

/** S-9: what this garden and those that it follows tell of each behaviour, by behaviour id; this garden first. */
export async function libraryStatistics(
  garden: Pick<Garden, "store" | "repo">,
): Promise<ReadonlyMap<string, readonly BehaviourStatistic[]>> {
  const all = await ownBehaviourStatistics(garden);
  for (const { name } of await listPeers(garden.repo)) all.push(...(await peerBehaviours(garden.repo, name)));
  return Map.groupBy(all, ({ behaviour }) => behaviour);
}

/** A followed garden: the commits of its sessions. */
async function peerBehaviours(repo: Repo, peer: string): Promise<readonly BehaviourStatistic[]> {
  const { branches } = peerRefs(peer);
  const heads = (await repo.refs(branches)).flatMap(({ name, oid }) => {
    const session = name.slice(branches.length);
    return isSlug(session) ? [{ name: session, head: oid }] : [];
  });
  const commits = await behaviourCommits(repo, heads);
  return [...commits].map(([behaviour, counts]) => ({
    behaviour,
    garden: peer,
    ...NO_COUNTS,
    ...NO_COMMITS,
    ...counts,
  }));
}
