import { isSlug } from "../../domain/contract/slug.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { BRIEFING_FILE, SESSION_BRANCHES, sessionBranch, sessionDossier } from "../../domain/layout.ts";
import { decodeTypedCommit, type TypedCommit } from "../../domain/session/typed-commit.ts";
import type { SessionBriefing } from "../../domain/session/typed-object.ts";
import { readTypedObject } from "../../domain/session/typed-object.ts";
import type { Commit, Repo } from "../../ports/repo.ts";
import { noSession } from "./failures.ts";

/** S-4: the questions about sessions that refs and commits answer. Nothing is written, and no index can go stale. */

/** Names of all sessions with their heads, sorted. The branches are the registry. */
export async function sessionHeads(repo: Repo): Promise<readonly { readonly name: string; readonly head: Oid }[]> {
  const refs = await repo.refs(SESSION_BRANCHES);
  return refs.flatMap(({ name, oid }) => {
    const session = name.slice(SESSION_BRANCHES.length);
    return isSlug(session) ? [{ name: session, head: oid }] : []; // a branch of a person's, `agents/mine/too`
  });
}

/** The newest commit of a session. Throws NOT_FOUND. */
export async function sessionHead(repo: Repo, name: string): Promise<Oid> {
  const head = isSlug(name) ? await repo.resolve(sessionBranch(name)) : undefined;
  if (head === undefined) throw noSession(name);
  return head;
}

/** A commit of a session's own line. `typed` is undefined for a commit that a person made on the branch. */
export interface SessionCommit {
  readonly commit: Commit;
  readonly typed: TypedCommit | undefined;
}

export interface SessionLog {
  /** Newest first. The spawn commit is the last one, except on an adopted branch. */
  readonly commits: readonly SessionCommit[];
  /** The spawn commit; undefined if the branch was moved by hand so that it no longer descends from it. */
  readonly genesis: SessionCommit | undefined;
  /** The commit that the branch began at; undefined for one that began without files, and without a spawn commit. */
  readonly from: Oid | undefined;
}

/**
 * The commits of a session itself: first parents from the head to its own spawn commit. Commits of the session that it forked from, and
 * those that it merged, are not part of it. The spawn commit of an adopted branch is on top of it, and says where the branch began. A branch
 * without its spawn commit shows the typed commits that name the session.
 */
export const sessionLog = async (repo: Repo, name: string): Promise<SessionLog> =>
  logFrom(repo, name, await sessionHead(repo, name));

/** The same from any commit of the session, such as the head of one that was put away. */
export async function logFrom(repo: Repo, name: string, head: Oid): Promise<SessionLog> {
  const commits: SessionCommit[] = [];
  let genesis: SessionCommit | undefined;
  let at: Oid | undefined = head;
  for (let began: Oid | undefined; at !== undefined && (genesis === undefined || at !== began); ) {
    const commit: Commit = await repo.commit(at);
    const typed = decodeTypedCommit(commit.message);
    commits.push({ commit, typed });
    at = commit.parents[0];
    if (genesis || typed?.kind !== "spawn" || typed.fields["agent"] !== name) continue;
    genesis = commits.at(-1);
    if (typed.fields["adopted"] !== true) return { commits, genesis, from: at };
    began = typeof typed.fields["since"] === "string" ? typed.fields["since"] : undefined;
  }
  if (genesis) return { commits, genesis, from: at };
  const own = commits.filter(({ typed }) => typed?.fields["agent"] === name);
  return { commits: own, genesis: undefined, from: undefined };
}

/** The spawn commit of a session; undefined if its branch does not contain it any more. */
export const genesisOf = async (repo: Repo, name: string): Promise<SessionCommit | undefined> =>
  (await sessionLog(repo, name)).genesis;

/** The briefing that the session was spawned with; undefined without a dossier (a branch that a person made). Throws NOT_FOUND without a session. */
export async function briefingOf(repo: Repo, name: string): Promise<SessionBriefing | undefined> {
  await sessionHead(repo, name);
  const dossier = await repo.resolve(sessionDossier(name));
  const file = dossier === undefined ? undefined : await repo.read(dossier, BRIEFING_FILE);
  return file && (readTypedObject(file.bytes).value as SessionBriefing);
}

/** The fields that every commit of a session takes over from the one before: its briefing and the behaviour that runs. */
export async function inheritedFields(
  repo: Repo,
  name: string,
  head: Oid,
): Promise<{ readonly briefing?: string; readonly behaviour?: string }> {
  const commit = await repo.commit(head);
  const own = decodeTypedCommit(commit.message);
  const typed = own?.fields["agent"] === name ? own : await newestTyped(repo, name);
  const text = (field: string): string | undefined => {
    const value = typed?.fields[field];
    return typeof value === "string" ? value : undefined;
  };
  const [briefing, behaviour] = [text("briefing"), text("behaviour")];
  return { ...(briefing !== undefined && { briefing }), ...(behaviour !== undefined && { behaviour }) };
}

/** A person's commit at the head carries no fields: the newest typed one of the session counts. */
const newestTyped = async (repo: Repo, name: string): Promise<TypedCommit | undefined> =>
  (await sessionLog(repo, name)).commits.find(({ typed }) => typed?.fields["agent"] === name)?.typed;
