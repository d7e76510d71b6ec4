import { posix } from "node:path";
import { crashPoint } from "../../base/crash-point.ts";
import type { Text } from "../../base/text.ts";
import { type Oid, repoPathProblem } from "../../domain/git/git-names.ts";
import { sessionBranch } from "../../domain/layout.ts";
import { type CommitFields, decodeTypedCommit } from "../../domain/session/typed-commit.ts";
import type { Change, Repo } from "../../ports/repo.ts";
import type { CopiedWork, WorkCopy } from "../../ports/work-copies.ts";
import { buildSessionCommit } from "./commit-session.ts";
import { landTraced } from "./commit-with-trace.ts";
import { pathsRefused, type RefusedPath, workConflicts } from "./program-failures.ts";
import { type SessionGarden, sessionAuthor } from "./session-garden.ts";
import { sessionHead, sessionLog } from "./topology.ts";

/** The work of one program in a copy of a session's files. */
export interface ProgramWork {
  /** Unique: it is in the commits, so that landing twice finds them. */
  readonly id: string;
  readonly session: string;
  readonly base: Oid;
  readonly kind: string;
  readonly message: string;
  /** In the last commit. */
  readonly fields: CommitFields;
  /** Absolute. */
  readonly folder: string;
}

export const workCopyOf = ({ session, base }: Pick<ProgramWork, "session" | "base">): WorkCopy => ({
  at: base,
  branch: sessionBranch(session),
  by: sessionAuthor(session, 0),
});

/** True if the program changed nothing and committed nothing. */
export const isUnchanged = async (repo: Repo, work: ProgramWork, copied: CopiedWork): Promise<boolean> =>
  copied.commits.length === 0 && copied.tree === (await repo.commit(work.base)).tree;

/**
 * Lands the work as typed commits: one for each that the program made, and one for the rest. If the session moved meanwhile, the two are
 * merged. Everything lands in one move, with the trace; found again by its id, it is not landed twice. Throws if a path is refused and for
 * a conflict: then nothing has changed, and the copy is kept.
 */
export async function landWork(
  garden: SessionGarden,
  work: ProgramWork,
  copied: CopiedWork,
): Promise<{ readonly commits: readonly Oid[]; readonly isMerged: boolean }> {
  const { repo } = garden;
  const landed = await landedBefore(repo, work);
  if (landed.length > 0) return { commits: landed, isMerged: false };
  const chain = await typedChain(garden, work, copied);
  await checkPaths(repo, work, chain);
  crashPoint("session.exec.built");
  for (;;) {
    const head = await sessionHead(repo, work.session);
    const merge = head === work.base ? undefined : await mergeWork(garden, work, { head, tip: chain.at(-1)! });
    const done = await landTraced(garden, work.session, { expect: head, commit: merge ?? chain.at(-1)! });
    if (done.kind === "committed")
      return { commits: [...chain, ...(merge === undefined ? [] : [merge])], isMerged: merge !== undefined };
  }
}

/** The commits with the id of this work, oldest first. */
export async function landedBefore(repo: Repo, { id, session }: ProgramWork): Promise<readonly Oid[]> {
  const { commits } = await sessionLog(repo, session);
  return commits.flatMap(({ commit, typed }) => (typed?.fields["exec"] === id ? [commit.oid] : [])).toReversed();
}

async function typedChain(garden: SessionGarden, work: ProgramWork, copied: CopiedWork): Promise<readonly Oid[]> {
  const { repo } = garden;
  const chain: Oid[] = [];
  const add = async (
    { message, body }: { readonly message: string; readonly body?: string },
    merge: { readonly parent?: Oid | undefined; readonly tree: Oid },
    fields: CommitFields = {},
  ): Promise<void> => {
    const wish = { expect: chain.at(-1) ?? work.base, kind: work.kind, message, tree: { edits: [] } };
    const commit = await buildSessionCommit(
      garden,
      work.session,
      { ...wish, ...(body !== undefined && { body }), fields: { ...fields, exec: work.id } },
      merge,
    );
    chain.push(commit);
  };
  const commits = await Promise.all(copied.commits.map((oid) => repo.commit(oid)));
  const isMore = commits.at(-1)?.tree !== copied.tree;
  for (const [index, { tree, parents, message }] of commits.entries())
    await add(
      wordsOf(message),
      { parent: parents[1], tree },
      index === commits.length - 1 && !isMore ? work.fields : {},
    );
  if (isMore) await add({ message: work.message }, { tree: copied.tree }, work.fields);
  return chain;
}

/** Subject and body of a commit that the program made, without trailers of ours that it may have written. */
function wordsOf(written: string): { readonly message: string; readonly body?: string } {
  const typed = decodeTypedCommit(written);
  const [first = "", ...rest] = written.split("\n");
  const message = (typed?.message ?? first).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
  const body = (typed?.body ?? rest.join("\n")).trim();
  return { message: message === "" ? "(no message)" : message, ...(body !== "" && { body }) };
}

async function mergeWork(
  garden: SessionGarden,
  { id, session, message, folder }: ProgramWork,
  { head, tip }: { readonly head: Oid; readonly tip: Oid },
): Promise<Oid> {
  const { repo } = garden;
  const merged = await repo.merge(head, tip);
  if (merged.kind === "conflict")
    throw workConflicts(
      session,
      folder,
      head,
      merged.conflicts.map(({ path }) => path),
    );
  const tree = merged.kind === "merged" ? merged.tree : (await repo.commit(tip)).tree;
  const wish = { expect: head, kind: "session-merge", message, tree: { edits: [] } };
  return buildSessionCommit(garden, session, { ...wish, fields: { merged: session, exec: id } }, { parent: tip, tree });
}

/** Every commit counts: a path that was committed and removed again would stay in the history. */
async function checkPaths(repo: Repo, { session, base, folder }: ProgramWork, chain: readonly Oid[]): Promise<void> {
  const refused = new Map<string, RefusedPath>();
  let before = base;
  for (const commit of chain) {
    for (const change of await repo.changes(before, commit)) {
      const why = await refusalOf(repo, commit, change);
      if (why) refused.set(change.path, { path: change.path, why });
    }
    before = commit;
  }
  if (refused.size > 0) throw pathsRefused(session, folder, [...refused.values()]);
}

async function refusalOf(repo: Repo, at: Oid, { path, after }: Change): Promise<Text | undefined> {
  if (!after) return undefined;
  if (repoPathProblem(path) !== undefined) return { en: "not a path of the garden", uk: "не шлях саду" };
  if (after.mode === "160000") return { en: "a repository inside", uk: "вкладений репозиторій" };
  if (after.mode !== "120000") return undefined;
  const target = Buffer.from((await repo.read(at, path))?.bytes ?? []).toString();
  const place = posix.join(posix.dirname(path), target);
  const isInside = target !== "" && !posix.isAbsolute(target) && repoPathProblem(place) === undefined;
  return isInside ? undefined : { en: "a link that leads out", uk: "посилання назовні" };
}
