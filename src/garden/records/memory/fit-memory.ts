import type { Oid } from "../../../domain/git/git-names.ts";
import { type EntryAges, type FittedMemory, fitToLimits } from "../../../domain/memory/memory-eviction.ts";
import type { MemoryFiles } from "../../../domain/memory/memory-meta.ts";
import type { Garden } from "../../core/garden.ts";
import { type AgingFile, originsIn } from "./memory-origins.ts";
import { factUse } from "./memory-use.ts";

export interface Fitting {
  readonly slug: string;
  readonly head: Oid;
  readonly before: MemoryFiles;
  readonly after: MemoryFiles;
  /** ISO time of the change. */
  readonly at: string;
}

/** M-2: an update of memory within its limits; evicts by the age and use of entries. */
export async function fitMemory(
  garden: Pick<Garden, "repo" | "store">,
  { slug, head, before, after, at }: Fitting,
): Promise<FittedMemory> {
  // A clock that went back makes nothing stale; one that is ahead makes everything stale, and then the oldest are evicted
  // first.
  const day = at.slice(0, 10);
  const agesOf = async (file: AgingFile): Promise<(key: string) => EntryAges> => {
    const origins = await originsIn(garden.repo, head, slug, file);
    const used = file === "facts.md" ? await factUse(garden, slug, day) : new Map<string, string>();
    return (key) => {
      const came = origins.get(key);
      const [since, last] = [came?.day ?? day, used.get(key) ?? ""];
      return { rank: came?.rank ?? Number.MAX_SAFE_INTEGER, lastUse: last > since ? last : since };
    };
  };
  return fitToLimits({ agentId: slug, before, after, day, agesOf });
}
