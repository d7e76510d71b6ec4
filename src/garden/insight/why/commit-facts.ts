import { isFailure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { trailersOf } from "../../../domain/git/trailers.ts";
import { MAIN_REF } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Commit, Repo } from "../../../ports/repo.ts";
import { trailersFor } from "../../changes/apply/commit-of.ts";

/** The commit that the record of a proposal names; while it is being applied, all planned commits. */
export function commitsMadeBy(proposal: Pick<Proposal, "status" | "plans" | "apply_result">): Oid[] {
  const marked = proposal.apply_result?.git_commit;
  if (proposal.status === "applied") return marked === undefined ? [] : [marked];
  if (proposal.status !== "applying") return [];
  return proposal.plans.flatMap(({ commit }) => (commit === undefined ? [] : [commit]));
}

export interface CommitClaims {
  readonly proposals: readonly string[];
  readonly bookkeeping: boolean;
  /** G-1a: the agents whose files it says to change. */
  readonly contracts: readonly string[];
}

export function commitClaims({ message }: Pick<Commit, "message">): CommitClaims {
  const trailers = trailersOf(message);
  const values = (name: string): string[] =>
    trailers.filter(([found]) => found.toLowerCase() === name).map(([, value]) => value);
  return {
    proposals: values("proposal"),
    bookkeeping: values("bookkeeping").length > 0,
    contracts: values("contract"),
  };
}

/** Trailers of a commit that contradict the record of its proposal (P-8). */
export function falseTrailers(
  { message }: Pick<Commit, "message">,
  proposal: Pick<Proposal, "id" | "approval" | "source" | "agent">,
): Text[] {
  const found = new Map(trailersOf(message).map(([name, value]) => [name.toLowerCase(), value]));
  const expected = new Map(trailersFor(proposal).map(([name, value]) => [name.toLowerCase(), value]));
  return CHECKED_TRAILERS.flatMap((name) => {
    const [claim, truth] = [found.get(name.toLowerCase()), expected.get(name.toLowerCase())];
    return claim === truth ? [] : [otherTrailer(name, claim, truth)];
  });
}

const CHECKED_TRAILERS = ["Approved-by", "Agent", "Run", "Logic"] as const;

/** The link of a commit. */
export const commitLink = (commit: Commit) => ({
  kind: "commit" as const,
  id: commit.oid,
  where: commit.oid,
  what: {
    en: `commit ${commit.oid.slice(0, 10)} ${subjectLine(commit)}`,
    uk: `коміт ${commit.oid.slice(0, 10)} ${subjectLine(commit)}`,
  },
  at: new Date(commit.committer.at).toISOString(),
  by: commit.author.name,
});

export const subjectLine = ({ message }: Pick<Commit, "message">): string => message.split("\n")[0]!.trim();

/** The commit; undefined if the repository does not have it. */
export async function findCommit(repo: Repo, oid: Oid): Promise<Commit | undefined> {
  try {
    return await repo.commit(oid);
  } catch (error) {
    if (isFailure(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}

export async function isOnMain(repo: Repo, oid: Oid): Promise<boolean> {
  const head = await repo.resolve(MAIN_REF);
  return head !== undefined && (await repo.isAncestor(oid, head));
}

const otherTrailer = (name: string, found: string | undefined, expected: string | undefined): Text => ({
  en: `${name}: the commit says ${found ?? "nothing"}, the record ${expected ?? "nothing"}`,
  uk: `${name}: у коміті ${found ?? "нічого"}, а в записі ${expected ?? "нічого"}`,
});
