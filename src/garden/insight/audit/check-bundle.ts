import { blobId } from "../../../base/canonical.ts";
import { Failure } from "../../../base/failure.ts";
import { BOOKKEEPING, CONTRACT, GATEWAY } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { trailerOf, trailersOf } from "../../../domain/git/trailers.ts";
import { AUDIT_RANGE_FILE, AUDIT_RECORDS_REF, auditRecordFile, keys } from "../../../domain/layout.ts";
import { foldProposal, type Proposal, type ProposalEvent, proposalEvent } from "../../../domain/proposal/proposal.ts";
import { digestOf, reviewDigest } from "../../../domain/proposal/proposal-digest.ts";
import { journalId, runManifest } from "../../../domain/run/run-manifest.ts";
import { decodeTypedCommit } from "../../../domain/session/typed-commit.ts";
import type { Commit } from "../../../ports/repo.ts";
import type { RepoReading, Repos } from "../../../ports/repos.ts";
import { trailersFor } from "../../changes/apply/commit-of.ts";
import { notAnAuditBundle } from "./failures.ts";

/** The reasons why a commit is not vouched for. The script `audit-check.js` gives the same ones. */
export type AuditProblem =
  | "names-no-proposal"
  | "names-several-proposals"
  | "not-by-the-gateway"
  | "no-record"
  | "broken-record"
  | "other-digest"
  | "not-approved"
  | "other-decision"
  | "approved-by-its-proposer"
  | "not-its-commit"
  | "false-trailers"
  | "no-run"
  | "other-journal";

export interface AuditFinding {
  readonly commit: Oid;
  readonly proposal: string | null;
  readonly problem: AuditProblem;
}

export interface AuditReport {
  readonly garden: string;
  readonly from: Oid | null;
  readonly to: Oid;
  readonly commits: number;
  /** Commits by what stands behind them. */
  readonly counts: {
    readonly decided: number;
    readonly bookkeeping: number;
    readonly session: number;
    readonly by_hand: number;
  };
  readonly findings: readonly AuditFinding[];
}

/** Reads a bundle and says of every commit in its range whether its records vouch for it. */
export async function checkAuditBundle(repos: Pick<Repos, "openBundle">, file: string): Promise<AuditReport> {
  const repo = await repos.openBundle(file);
  try {
    return await report(repo, file);
  } finally {
    await repo.close();
  }
}

async function report(repo: RepoReading, file: string): Promise<AuditReport> {
  const at = await repo.resolve(AUDIT_RECORDS_REF);
  const range = at === undefined ? undefined : await repo.read(at, AUDIT_RANGE_FILE);
  if (at === undefined || !range) throw notAnAuditBundle(file);
  const { garden, from, to } = JSON.parse(Buffer.from(range.bytes).toString()) as {
    garden: string;
    from: Oid | null;
    to: Oid;
  };
  const records: Records = async (key) => (await repo.read(at, auditRecordFile(key)))?.bytes;
  const paths = (await repo.list(at, "")).map(({ path }) => path);
  const before = new Set(from === null ? [] : await repo.reachable([from]));
  const commits = (await repo.reachable([to])).filter((oid) => !before.has(oid));
  const counts = { decided: 0, bookkeeping: 0, session: 0, by_hand: 0 };
  const findings: AuditFinding[] = [];
  for (const oid of commits) {
    const commit = await repo.commit(oid);
    const kind = kindOf(commit);
    counts[kind]++;
    const named = proposalsNamed(commit);
    const problem = await problemOf(commit, kind, { records, paths });
    if (problem) findings.push({ commit: oid, proposal: named.length === 1 ? named[0]! : null, problem });
  }
  return { garden, from, to, commits: commits.length, counts, findings };
}

type Records = (key: string) => Promise<Uint8Array | undefined>;
interface AuditRecords {
  readonly records: Records;
  readonly paths: readonly string[];
}

const proposalsNamed = ({ message }: Commit): string[] =>
  trailersOf(message).flatMap(([name, value]) => (name.toLowerCase() === "proposal" ? [value] : []));

function kindOf(commit: Commit): keyof AuditReport["counts"] {
  if (proposalsNamed(commit).length > 0) return "decided";
  if (commit.committer.email !== GATEWAY.email) return "by_hand";
  if (decodeTypedCommit(commit.message)) return "session";
  return [BOOKKEEPING, CONTRACT].some((name) => trailerOf(commit.message, name) !== undefined)
    ? "bookkeeping"
    : "decided";
}

async function problemOf(
  commit: Commit,
  kind: keyof AuditReport["counts"],
  ground: AuditRecords,
): Promise<AuditProblem | undefined> {
  if (kind !== "decided") return undefined;
  const [id, second] = proposalsNamed(commit);
  if (id === undefined) return "names-no-proposal";
  if (second !== undefined) return "names-several-proposals";
  if (commit.committer.email !== GATEWAY.email) return "not-by-the-gateway";
  const events = await eventsOf(ground, id);
  if (typeof events === "string") return events;
  return proposalProblem(commit, events) ?? (await runProblem(events, ground));
}

async function eventsOf({ records }: AuditRecords, id: string): Promise<Proposal | AuditProblem> {
  const events: ProposalEvent[] = [];
  for (let number = 0; ; number++) {
    const bytes = await records(keys.proposalEvent(id, number));
    if (!bytes) break;
    const event = proposalEvent.safeParse(jsonIn(bytes));
    if (!event.success) return "broken-record";
    events.push(event.data);
  }
  if (events.length === 0) return "no-record";
  try {
    return foldProposal(events);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return "broken-record";
  }
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

function proposalProblem(commit: Commit, proposal: Proposal): AuditProblem | undefined {
  const { approval, source } = proposal;
  if (digestOf(proposal) !== proposal.digest) return "other-digest";
  if (approval?.decision !== "approved" && approval?.decision !== "auto_approved") return "not-approved";
  if (approval.digest !== reviewDigest(proposal, approval.effect)) return "other-decision";
  if (source.type === "agent" && approval.decided_by === source.identity) return "approved-by-its-proposer";
  if (proposal.apply_result?.git_commit !== commit.oid) return "not-its-commit";
  const found = new Map(trailersOf(commit.message).map(([name, value]) => [name.toLowerCase(), value]));
  return trailersFor(proposal).every(([name, value]) => found.get(name.toLowerCase()) === value)
    ? undefined
    : "false-trailers";
}

/** The journal of the run must be the one that the run ended with. */
async function runProblem({ source }: Proposal, { records, paths }: AuditRecords): Promise<AuditProblem | undefined> {
  const { type, identity: slug, run_id: run } = source;
  if (type !== "agent" || run === undefined) return undefined;
  const bytes = await records(keys.runManifest(slug, run));
  const manifest = bytes && runManifest.safeParse(jsonIn(bytes));
  if (!manifest?.success) return "no-run";
  const folder = auditRecordFile(keys.runSteps(slug, run));
  const steps = await Promise.all(
    paths
      .filter((path) => path.startsWith(folder))
      .map(async (key) => ({ key, hash: blobId((await records(key.slice(auditRecordFile("").length)))!) })),
  );
  return journalId(steps) === manifest.data.journal ? undefined : "other-journal";
}
