import type { Oid } from "../../domain/git/git-names.ts";
import { hunksBetween, linesOf, unifiedPatch } from "../../domain/note/line-hunks.ts";
import { decodeTypedCommit } from "../../domain/session/typed-commit.ts";
import type { Change, Commit, Repo } from "../../ports/repo.ts";
import { noCommitInSession } from "./failures.ts";
import { anySessionHead, anySessionLog } from "./peer-sessions.ts";
import { commitView, type SessionCommitView } from "./session-views.ts";

/** A file that a commit of a session changed. The numbers of lines and the patch are undefined if it is not text, or too large. */
export interface SessionFile {
  readonly path: string;
  readonly change: "added" | "changed" | "removed";
  readonly added?: number;
  readonly removed?: number;
  readonly patch?: string;
}

export interface SessionCommitFiles {
  readonly commit: SessionCommitView;
  /** The message without its first line and its trailers. */
  readonly body: string;
  /** Against the first parent: of a merge, all that it brought into the branch. */
  readonly files: readonly SessionFile[];
  /** The number of files beyond the limit. */
  readonly more: number;
}

export interface SessionCommitSize {
  readonly commit: Oid;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

const MAX_BYTES = 1024 * 1024;
const MOST_FILES = 200;
const MOST_COMMITS = 200;

/** One commit of a session with its files. Throws NOT_FOUND if the branch does not contain it. */
export async function sessionCommitFiles(repo: Repo, name: string, oid: Oid): Promise<SessionCommitFiles> {
  if (!(await repo.isAncestor(oid, await anySessionHead(repo, name)))) throw noCommitInSession(name, oid);
  const commit = await repo.commit(oid);
  const { files, count } = await filesOf(repo, commit);
  const body = decodeTypedCommit(commit.message)?.body ?? commit.message.split("\n").slice(1).join("\n").trim();
  return { commit: commitView(commit), body, files, more: count - files.length };
}

/** How much each of a session's newest commits changed. Commits beyond the limit are left out. */
export async function sessionCommitSizes(repo: Repo, name: string): Promise<readonly SessionCommitSize[]> {
  const { commits } = await anySessionLog(repo, name);
  return Promise.all(
    commits.slice(0, MOST_COMMITS).map(async ({ commit }) => {
      const { files, count } = await filesOf(repo, commit);
      const sum = (field: "added" | "removed"): number => files.reduce((all, file) => all + (file[field] ?? 0), 0);
      return { commit: commit.oid, files: count, added: sum("added"), removed: sum("removed") };
    }),
  );
}

/** The spawn commit of a session without files changes nothing, however many files its parent has. */
async function filesOf(
  repo: Repo,
  { oid, tree, parents: [parent] }: Commit,
): Promise<{ readonly files: readonly SessionFile[]; readonly count: number }> {
  if (parent !== undefined && (await repo.commit(parent)).tree === tree) return { files: [], count: 0 };
  const changes = await repo.changes(parent, oid);
  const shown = changes.slice(0, MOST_FILES);
  return { files: await Promise.all(shown.map((each) => fileOf(repo, parent, oid, each))), count: changes.length };
}

async function fileOf(
  repo: Repo,
  from: Oid | undefined,
  to: Oid,
  { path, before, after }: Change,
): Promise<SessionFile> {
  const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  const [old, now] = await Promise.all([
    before && from !== undefined ? repo.read(from, path) : undefined,
    after && repo.read(to, path),
  ]);
  const [was, is] = [textOf(old?.bytes), textOf(now?.bytes)];
  if (was === "other" || is === "other") return { path, change };
  const hunks = hunksBetween(linesOf(was?.text ?? ""), linesOf(is?.text ?? ""));
  return {
    path,
    change,
    added: hunks.reduce((sum, { added }) => sum + added.length, 0),
    removed: hunks.reduce((sum, { removed }) => sum + removed.length, 0),
    patch: unifiedPatch(path, was?.text, is?.text),
  };
}

function textOf(bytes: Uint8Array | undefined): { readonly text: string } | "other" | undefined {
  if (bytes === undefined) return undefined;
  if (bytes.length > MAX_BYTES) return "other";
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? "other" : { text };
  } catch {
    return "other"; // not UTF-8
  }
}
