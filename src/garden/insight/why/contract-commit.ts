import { contractHash } from "../../../domain/contract/contract-file.ts";
import { CHANGED_BY } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { trailerOf } from "../../../domain/git/trailers.ts";
import { agentFilePath, contractKey, MAIN_REF } from "../../../domain/layout.ts";
import type { Commit } from "../../../ports/repo.ts";
import type { WhyGarden } from "./chain.ts";

/** The commit that brought a contract, and who made it. */
export interface ContractCommit {
  readonly commit: Oid;
  readonly by: string;
  readonly at: string;
  /** True if the run began before this commit: the person had edited the file and not yet committed it. */
  readonly later: boolean;
}

/** Changes of the file that are searched. */
const MAX_CHANGES = 200;

/**
 * The commit of main that brought the contract with this hash (changes of status alone do not count): the last one before `pinned`, else
 * the first one after it. Undefined if the text was never committed, or before gardens had contracts in git (format 1).
 */
export async function findContractCommit(
  garden: WhyGarden,
  slug: string,
  { hash, pinned }: { readonly hash: string; readonly pinned: Oid },
): Promise<ContractCommit | undefined> {
  const path = agentFilePath(garden.config.agents_root, contractKey(slug))!;
  const head = await garden.repo.resolve(MAIN_REF);
  const before = await firstOfRun(garden, await changesUpTo(garden, pinned, path), path, hash);
  if (before) return { ...shown(before), later: false };
  if (head === undefined) return undefined;
  let earliest: Commit | undefined;
  for (const commit of await changesUpTo(garden, head, path))
    if ((await hashAt(garden, commit.oid, path)) === hash) earliest = commit;
  return earliest && { ...shown(earliest), later: true };
}

/** A pin may name a commit that no longer exists. */
const changesUpTo = ({ repo }: WhyGarden, at: Oid, path: string): Promise<readonly Commit[]> =>
  repo.history(at, path, { limit: MAX_CHANGES }).catch(() => []);

/** The oldest of the newest commits that all have this contract; undefined if the newest has another one. */
async function firstOfRun(
  garden: WhyGarden,
  newestFirst: readonly Commit[],
  path: string,
  hash: string,
): Promise<Commit | undefined> {
  let found: Commit | undefined;
  for (const commit of newestFirst) {
    if ((await hashAt(garden, commit.oid, path)) !== hash) break;
    found = commit;
  }
  return found;
}

async function hashAt({ repo }: WhyGarden, commit: Oid, path: string): Promise<string | undefined> {
  const file = await repo.read(commit, path);
  return file && contractHash(Buffer.from(file.bytes).toString());
}

const shown = ({ oid, author, committer, message }: Commit): Omit<ContractCommit, "later"> => ({
  commit: oid,
  by: trailerOf(message, CHANGED_BY) ?? author.name,
  at: new Date(committer.at).toISOString(),
});
