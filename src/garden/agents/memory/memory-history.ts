import { bookkeepingOf, isGatewayCommit } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { trailerOf } from "../../../domain/git/trailers.ts";
import { memoryFolder } from "../../../domain/layout.ts";
import type { Commit, Repo } from "../../../ports/repo.ts";
import { changedLines } from "../../records/memory/memory-diff.ts";
import { readMemory } from "../../records/memory/memory-state.ts";

/** One commit that changed an agent's memory, and its author (G-5). */
export interface MemoryChange {
  readonly commit: Oid;
  /** ISO time. */
  readonly at: string;
  /** A decided proposal, a commit by a person, or bookkeeping by the gateway. */
  readonly by: "proposal" | "hand" | "bookkeeping";
  /** The proposing agent or the person. */
  readonly author: string;
  readonly subject: string;
  /** Version of the memory after the commit. */
  readonly version: number;
  readonly proposal: string | null;
  readonly run: string | null;
  readonly files: readonly { readonly file: string; readonly added: number; readonly removed: number }[];
}

/** Newest first. */
export async function memoryHistory(
  repo: Repo,
  at: Oid,
  slug: string,
  page: { readonly limit: number; readonly skip?: number },
): Promise<MemoryChange[]> {
  const commits = await repo.history(at, memoryFolder(slug), page);
  return Promise.all(commits.map((commit) => changeOf(repo, commit, slug)));
}

async function changeOf(repo: Repo, commit: Commit, slug: string): Promise<MemoryChange> {
  const { oid, parents, message } = commit;
  const byGateway = isGatewayCommit(commit);
  return {
    commit: oid,
    at: new Date(commit.committer.at).toISOString(),
    by: !byGateway ? "hand" : bookkeepingOf(commit) === undefined ? "proposal" : "bookkeeping",
    author: commit.author.name,
    subject: message.split("\n")[0]!,
    version: (await readMemory(repo, oid, slug)).version,
    proposal: (byGateway && trailerOf(message, "Proposal")) || null,
    run: (byGateway && trailerOf(message, "Run")) || null,
    files: await changedLines(repo, slug, parents[0], oid),
  };
}
