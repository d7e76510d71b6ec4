import type { Text } from "../../base/text.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { headsOf } from "./merge-session.ts";
import { markedConflicts } from "./resolve-conflicts.ts";
import type { SessionGarden } from "./session-garden.ts";

/** A file that two commits both changed, for a person who chooses between them. */
export interface ShownConflict {
  readonly path: string;
  readonly why: Text;
  /** With conflict markers, each named by a commit; without any where the conflict is not about lines. Null if it is not text, or gone. */
  readonly text: string | null;
}

export interface ShownConflicts {
  readonly ours: Oid;
  readonly theirs: Oid;
  /** Empty if the two merge without a conflict. */
  readonly conflicts: readonly ShownConflict[];
}

/** S-5: the conflicts that a merge of two sessions has now, with the files whole. Nothing is merged. Throws NOT_FOUND. */
export async function sessionConflicts(garden: SessionGarden, into: string, from: string): Promise<ShownConflicts> {
  const { ours, theirs } = await headsOf(garden, { into, from });
  return { ours, theirs, conflicts: await conflictsBetween(garden, ours, theirs) };
}

/** The conflicts of two commits. */
async function conflictsBetween(
  garden: Pick<SessionGarden, "repo" | "world">,
  ours: Oid,
  theirs: Oid,
): Promise<readonly ShownConflict[]> {
  const merged = await garden.repo.merge(ours, theirs, { unrelated: true });
  if (merged.kind !== "conflict") return [];
  const texts = new Map((await markedConflicts(garden, ours, theirs)).map(({ path, bytes }) => [path, bytes]));
  return merged.conflicts.map(({ path, why }) => ({ path, why, text: textOf(texts.get(path)) }));
}

function textOf(bytes: Uint8Array | undefined): string | null {
  try {
    return bytes === undefined ? null : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null; // not UTF-8
  }
}
