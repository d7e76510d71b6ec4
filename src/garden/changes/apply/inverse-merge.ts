import { crashPoint } from "../../../base/crash-point.ts";
import { Failure } from "../../../base/failure.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { sessionBranch, sessionDossier } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Edit, TreeFile } from "../../../ports/repo.ts";
import type { Garden } from "../../core/garden.ts";
import { commitSession } from "../../sessions/commit-session.ts";
import { spawnSessionAt } from "../../sessions/spawn-session.ts";
import { genesisOf, sessionHead } from "../../sessions/topology.ts";

interface InverseMerge {
  readonly action: "propose-merge";
  readonly payload: { readonly session: string; readonly head: Oid };
}

/** Other sessions may have the name of a revert. */
const MAX_NAMES = 9;

/**
 * P-10b: the inverse of a merge is a merge too. A session that begins at the merge restores every file that it changed; merging it three-way keeps
 * what main changed since. Idempotent: the session is named after the proposal, and a second call finds it.
 */
export async function formerFiles(garden: Garden, { id }: Proposal, merge: Oid): Promise<InverseMerge> {
  const session = await revertSession(garden, id, merge);
  const { repo } = garden;
  const head = await sessionHead(repo, session);
  if (head !== (await genesisOf(repo, session))?.commit.oid)
    return { action: "propose-merge", payload: { session, head } };
  crashPoint("revert.spawned");
  const before = (await repo.commit(merge)).parents[0];
  const edits = (await repo.changes(before, merge)).map(({ path, before: file }): Edit | TreeFile =>
    file ? { path, ...file } : { path, bytes: undefined },
  );
  const message = `take back ${id}`;
  const done = await commitSession(garden, session, { expect: head, kind: "refactor", message, tree: { edits } });
  const made = done.kind === "committed" ? done.commit : await sessionHead(repo, session);
  return { action: "propose-merge", payload: { session, head: made } };
}

/** The session that takes a proposal back: the one that exists already, or a new one at the merge. */
async function revertSession(garden: Garden, id: string, merge: Oid): Promise<string> {
  const { repo } = garden;
  for (let nth = 1; nth <= MAX_NAMES; nth++) {
    const name = `revert-${id.slice(id.lastIndexOf("_") + 1).toLowerCase()}${nth > 1 ? `-${nth}` : ""}`;
    const isThere = (await repo.resolve(sessionBranch(name))) !== undefined;
    if (isThere && (await genesisOf(repo, name))?.typed?.fields["reverts"] === id) return name;
    if (isThere || (await repo.resolve(sessionDossier(name))) !== undefined) continue;
    const wish = { name, briefing: { goal: `Take back ${id}`, reverts: id }, fields: { reverts: id } };
    const spawned = await spawnSessionAt(garden, merge, wish);
    if (spawned.kind === "spawned") return name;
    nth--; // another process made it meanwhile: look again
  }
  throw new Failure("CONCURRENT_MODIFICATION", {
    en: `no name is free for the session that takes ${id} back`,
    uk: `для сесії, що відкликає ${id}, немає вільної назви`,
    hint: {
      en: "Delete branches `agents/revert-…` that are no longer needed.",
      uk: "Видаліть непотрібні гілки `agents/revert-…`.",
    },
    details: { proposal: id },
  });
}
