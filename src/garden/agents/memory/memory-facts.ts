import type { Oid } from "../../../domain/git/git-names.ts";
import { memoryPath } from "../../../domain/layout.ts";
import { entriesIn, factId } from "../../../domain/memory/memory-entries.ts";
import { isStale } from "../../../domain/memory/memory-limits.ts";
import type { Garden } from "../../core/garden.ts";
import { originsIn } from "../../records/memory/memory-origins.ts";
import { memoryTextAt } from "../../records/memory/memory-state.ts";
import { factUse } from "../../records/memory/memory-use.ts";

/** A fact with its origin and the day it was last used (M-2a). */
export interface MemoryFact {
  readonly id: string;
  readonly text: string;
  readonly section: string | null;
  readonly since: string;
  readonly commit: Oid;
  readonly author: string;
  /** A person edited the file. */
  readonly byHand: boolean;
  readonly proposal: string | null;
  readonly lastUsed: string | null;
  /** Not used for a long time: evicted first. */
  readonly stale: boolean;
}

/** Facts in the order of the file. */
export async function memoryFacts(
  garden: Pick<Garden, "repo" | "store" | "world">,
  at: Oid,
  slug: string,
): Promise<MemoryFact[]> {
  const text = (await memoryTextAt(garden.repo, at, memoryPath.file(slug, "facts.md"))) ?? "";
  const origins = await originsIn(garden.repo, at, slug, "facts.md");
  const today = new Date(garden.world.now()).toISOString().slice(0, 10);
  const used = await factUse(garden, slug, today);
  return entriesIn(text).flatMap((entry): MemoryFact[] => {
    const id = factId(entry);
    const origin = origins.get(id);
    if (!origin) return [];
    const lastUsed = used.get(id) ?? null;
    const last = lastUsed !== null && lastUsed > origin.day ? lastUsed : origin.day;
    return [
      {
        id,
        text: entry.text,
        section: entry.section ?? null,
        since: origin.day,
        commit: origin.commit,
        author: origin.author,
        byHand: origin.byHand,
        proposal: origin.proposal ?? null,
        lastUsed,
        stale: isStale(last, today),
      },
    ];
  });
}
