import type { Oid } from "../../../domain/git/git-names.ts";
import { hunksBetween, linesOf } from "../../../domain/note/line-hunks.ts";
import { markedMerge } from "../../../domain/note/marked-merge.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import type { ShownConflict, ShownConflicts } from "../../sessions/shown-conflicts.ts";
import { textOf } from "./note-target.ts";
import { headFor, prepareAt } from "./review.ts";

/**
 * S-5: the files in which a proposed merge conflicts with main, whole and with markers, for a person who chooses the words that stay. Empty for
 * a merge without conflicts, and for any other proposal.
 */
export async function proposedConflicts(
  garden: Pick<Garden, "repo" | "store" | "config">,
  proposal: Proposal,
): Promise<ShownConflicts> {
  const ours = await headFor(garden, proposal);
  const { operation } = proposal;
  const theirs = operation.action === "propose-merge" ? operation.payload.head : ours;
  const prepared = await prepareAt(garden, proposal, ours);
  if (prepared.kind !== "conflict" || theirs === ours) return { ours, theirs, conflicts: [] };
  const base = await garden.repo.mergeBase(ours, theirs);
  const conflicts = await Promise.all(
    prepared.conflicts.map(
      async ({ path, why }): Promise<ShownConflict> => ({
        path,
        why,
        text: await markedText(garden, path, { base, ours, theirs }),
      }),
    ),
  );
  return { ours, theirs, conflicts };
}

async function markedText(
  { repo }: Pick<Garden, "repo">,
  path: string,
  at: { readonly base: Oid | undefined; readonly ours: Oid; readonly theirs: Oid },
): Promise<string | null> {
  const read = async (commit: Oid | undefined): Promise<string | undefined> => {
    const file = commit === undefined ? undefined : await repo.read(commit, path);
    return file && textOf(file.bytes);
  };
  const [base, ours, theirs] = await Promise.all([read(at.base), read(at.ours), read(at.theirs)]);
  if (ours === undefined || theirs === undefined) return ours ?? theirs ?? null;
  return markedMerge(base ?? commonLines(ours, theirs), { ours, theirs }, { ours: at.ours, theirs: at.theirs });
}

/** Two files that were added on both sides have no common version: the lines that both have stand for it. */
function commonLines(ours: string, theirs: string): string {
  const lines = linesOf(ours);
  let kept = "";
  let next = 0;
  for (const { at, removed } of hunksBetween(lines, linesOf(theirs))) {
    kept += lines.slice(next, at).join("");
    next = at + removed.length;
  }
  return kept + lines.slice(next).join("");
}
