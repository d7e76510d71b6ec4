import type { Oid } from "../../../domain/git/git-names.ts";
import type { Operation } from "../../../domain/proposal/operation.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Commit, Repo } from "../../../ports/repo.ts";
import { prepareAt } from "../../changes/effect/review.ts";
import { findProposal } from "../../records/proposals/proposal-log.ts";
import type { WhyGarden } from "./chain.ts";
import { commitClaims, commitsMadeBy, findCommit } from "./commit-facts.ts";

/** A file whose bytes in a commit are not the approved ones. Undefined bytes: there is no such file. */
export interface DifferingFile {
  readonly path: string;
  readonly approved: Uint8Array | undefined;
  readonly committed: Uint8Array | undefined;
}

/** The one proposal that a commit names; undefined if it names none, several, or one that the store does not have. */
export async function claimedProposal({ store }: WhyGarden, commit: Commit): Promise<Proposal | undefined> {
  const [id, second] = commitClaims(commit).proposals;
  if (id === undefined || second !== undefined || !/^prop_[0-9a-z_-]{1,60}$/.test(id)) return undefined;
  return findProposal(store, id);
}

/**
 * The files of a commit that are not as its proposal was approved. The approved effect is computed again on the parent of the commit.
 * Undefined if that is not possible.
 */
export async function differingFiles(
  garden: WhyGarden,
  commit: Commit,
  proposal: Proposal,
): Promise<readonly DifferingFile[] | undefined> {
  const [parent] = commit.parents;
  const approved = parent === undefined ? undefined : await approvedFiles(garden, parent, proposal);
  if (!approved) return undefined;
  const differing: DifferingFile[] = [];
  for (const { path, bytes } of approved) {
    const committed = (await garden.repo.read(commit.oid, path))?.bytes;
    if (!isSame(bytes, committed)) differing.push({ path, approved: bytes, committed });
  }
  return differing;
}

interface ApprovedFile {
  readonly path: string;
  readonly bytes: Uint8Array | undefined;
}

async function approvedFiles(
  garden: WhyGarden,
  parent: Oid,
  proposal: Proposal,
): Promise<readonly ApprovedFile[] | undefined> {
  const prepared = await prepareAt(garden, proposal, parent).catch(() => undefined);
  if (prepared?.kind === "ready") return prepared.edits.map(({ path, bytes }) => ({ path, bytes }));
  // The parent may hold the change already, as where a commit with copied trailers follows the real one.
  const path = notePathOf(proposal.operation);
  if (path === undefined) return undefined;
  const before = (await garden.repo.read(parent, path))?.bytes;
  if (prepared?.kind === "nothing") return [{ path, bytes: before }];
  const made = await recordedBytes(garden.repo, proposal, path);
  return made && isSame(made.bytes, before) ? [{ path, bytes: before }] : undefined;
}

/** The file in the commit that the record of the proposal names. */
async function recordedBytes(
  repo: Repo,
  proposal: Proposal,
  path: string,
): Promise<{ readonly bytes: Uint8Array | undefined } | undefined> {
  const [oid] = commitsMadeBy(proposal);
  if (oid === undefined || !(await findCommit(repo, oid))) return undefined;
  return { bytes: (await repo.read(oid, path))?.bytes };
}

/** The note that an operation writes; undefined for operations on anything else. */
export function notePathOf(operation: Operation): string | undefined {
  switch (operation.action) {
    case "propose-note":
    case "propose-edit":
    case "propose-tag":
      return operation.payload.path;
    case "propose-summary":
      return operation.payload.into.kind === "section" ? operation.payload.note : undefined;
    default:
      return undefined;
  }
}

const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0;
