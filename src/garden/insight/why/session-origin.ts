import type { Oid } from "../../../domain/git/git-names.ts";
import { MAIN_REF } from "../../../domain/layout.ts";
import { decodeTypedCommit } from "../../../domain/session/typed-commit.ts";
import type { Commit, Repo } from "../../../ports/repo.ts";
import type { RunPlace } from "../../core/flow/journal.ts";

/** S-11: a commit of a session that was merged into main, or not yet. */
export interface SessionOrigin {
  readonly session: string;
  /** The call that made the commit; undefined for other commits of the session. */
  readonly call: { readonly place: RunPlace; readonly step: number } | undefined;
  /** The commit of main that brought it there; undefined if main does not have it. */
  readonly merge: Oid | undefined;
}

/** The session that a commit belongs to; undefined for any other commit. */
export async function sessionOrigin(repo: Repo, commit: Commit): Promise<SessionOrigin | undefined> {
  const fields = decodeTypedCommit(commit.message)?.fields;
  const session = fields?.["agent"];
  if (!fields || typeof session !== "string") return undefined;
  const { run, slug, step } = fields;
  const call =
    typeof run === "string" && typeof slug === "string" && typeof step === "number"
      ? { place: { slug, run }, step }
      : undefined;
  return { session, call, merge: await mergeOf(repo, commit.oid) };
}

/** The commit on main's own line whose second parent brought a commit. */
export async function mergeOf(repo: Repo, oid: Oid): Promise<Oid | undefined> {
  const head = await repo.resolve(MAIN_REF);
  if (head === undefined || !(await repo.isAncestor(oid, head))) return undefined;
  for (let at: Oid | undefined = head; at !== undefined && at !== oid; ) {
    const { parents }: Commit = await repo.commit(at);
    const [first, ...others] = parents;
    if (others.length > 0 && (first === undefined || !(await repo.isAncestor(oid, first)))) return at;
    at = first;
  }
  return undefined;
}
