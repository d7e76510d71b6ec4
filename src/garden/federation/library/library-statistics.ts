import { isSlug } from "../../../domain/contract/slug.ts";
import { peerRefs } from "../../../domain/layout.ts";
import type { BehaviourStatistic } from "../../../domain/library/behaviour-figures.ts";
import type { BehaviourReading } from "../../../domain/library/travelling-behaviour.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { Garden } from "../../core/garden.ts";
import { behaviourCommits } from "../../insight/behaviours/behaviour-commits.ts";
import { NO_COMMITS, NO_COUNTS, ownBehaviourStatistics } from "../../insight/behaviours/own-statistics.ts";
import { listPeers } from "../peer-book.ts";
import { evidenceReport } from "./checked-behaviour.ts";
import { type LibraryEntry, readLibrary } from "./read-library.ts";

/** S-9: what this garden and those that it follows tell of each behaviour, by behaviour id; this garden first. */
export async function libraryStatistics(
  garden: Pick<Garden, "store" | "repo">,
): Promise<ReadonlyMap<string, readonly BehaviourStatistic[]>> {
  const all = await ownBehaviourStatistics(garden);
  const library = await readLibrary(garden.repo);
  for (const { name } of await listPeers(garden.repo)) all.push(...(await peerBehaviours(garden.repo, name, library)));
  return Map.groupBy(all, ({ behaviour }) => behaviour);
}

/** A followed garden: the statistics that the evidence of its library carries, and the commits of its sessions. */
async function peerBehaviours(
  repo: Repo,
  peer: string,
  library: readonly LibraryEntry[],
): Promise<readonly BehaviourStatistic[]> {
  const { branches } = peerRefs(peer);
  const heads = (await repo.refs(branches)).flatMap(({ name, oid }) => {
    const session = name.slice(branches.length);
    return isSlug(session) ? [{ name: session, head: oid }] : [];
  });
  const commits = await behaviourCommits(repo, heads);
  const published = new Map(
    library.flatMap(({ source, reading }) =>
      source.kind === "garden" && source.name === peer && isSound(reading)
        ? [[reading.value.head.behaviour, reading.value.head.statistics] as const]
        : [],
    ),
  );
  return [...new Set([...published.keys(), ...commits.keys()])].map((behaviour) => ({
    behaviour,
    garden: peer,
    ...NO_COUNTS,
    ...published.get(behaviour),
    ...(commits.get(behaviour) ?? NO_COMMITS),
  }));
}

/** Figures that contradict their own evidence are not counted. */
const isSound = (reading: BehaviourReading): reading is BehaviourReading & { readonly kind: "behaviour" } =>
  reading.kind === "behaviour" && evidenceReport(reading.value).lies.length === 0;
