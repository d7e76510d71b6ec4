import { z } from "zod";
import { Failure } from "../../../base/failure.ts";
import { BOOKKEEPING, CONTRACT, GATEWAY } from "../../../domain/git/gateway-commit.ts";
import { isOid, type Oid } from "../../../domain/git/git-names.ts";
import { trailerOf, trailersOf } from "../../../domain/git/trailers.ts";
import { AUDIT_RANGE_FILE, AUDIT_RECORDS_REF, auditRecordFile, keys } from "../../../domain/layout.ts";
import { foldProposal, type Proposal, type ProposalEvent, proposalEvent } from "../../../domain/proposal/proposal.ts";
import { digestOf, reviewDigest } from "../../../domain/proposal/proposal-digest.ts";
import { journalId, LOAD_CONTEXT, type RunManifest, runManifest } from "../../../domain/run/run-manifest.ts";
import { decodeTypedCommit } from "../../../domain/session/typed-commit.ts";
import type { Commit, TreeFile } from "../../../ports/repo.ts";
import type { RepoReading, Repos } from "../../../ports/repos.ts";
import { trailersFor } from "../../changes/apply/commit-of.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { type AuditFinding, type AuditProblem, type AuditReport, findingAt } from "./audit-report.ts";
import { gardenFindings } from "./check-gardens.ts";
import { grantHistoryFindings } from "./check-grants.ts";
import { notAnAuditBundle } from "./failures.ts";

export interface AuditWish {
  /** The fingerprint of a key of the garden, known from elsewhere: without its signature the bundle is not that garden's. */
  readonly key?: string | undefined;
}

/** Reads a bundle and says of every commit in its range, grant and announcement whether it is vouched for. */
export async function checkAuditBundle(
  repos: Pick<Repos, "openBundle">,
  file: string,
  wish: AuditWish = {},
): Promise<AuditReport> {
  const repo = await repos.openBundle(file);
  try {
    return await report(repo, file, wish);
  } finally {
    await repo.close();
  }
}

const auditRange = z.object({
  garden: z.string(),
  from: z.string().refine(isOid).nullable(),
  to: z.string().refine(isOid),
  format: z.literal(2),
  refs: z.record(z.string(), z.string()),
});

async function report(repo: RepoReading, file: string, { key }: AuditWish): Promise<AuditReport> {
  const at = await repo.resolve(AUDIT_RECORDS_REF);
  const range = at === undefined ? undefined : tryReadJson((await repo.read(at, AUDIT_RANGE_FILE))?.bytes, auditRange);
  if (at === undefined || !range) throw notAnAuditBundle(file);
  const { garden, from, to, refs } = range;
  const checked = await checkCommits(repo, range, at);
  const gardens = await gardenFindings(repo, at, key);
  const grants = await grantHistoryFindings(repo, at);
  return {
    garden,
    from,
    to,
    commits: checked.commits,
    counts: checked.counts,
    signed_by: gardens.signedBy,
    announcements: gardens.announcements,
    peers: gardens.peers,
    grants: grants.changes,
    findings: [
      ...checked.findings,
      ...(await refFindings(repo, new Map(Object.entries(refs)))),
      ...gardens.findings,
      ...grants.findings,
    ],
  };
}

/** The bundle holds exactly the refs that its records name. */
async function refFindings(repo: RepoReading, named: ReadonlyMap<string, string>): Promise<readonly AuditFinding[]> {
  const found = new Map((await repo.refs("refs/")).map(({ name, oid }) => [name, oid]));
  found.delete(AUDIT_RECORDS_REF);
  return [...new Set([...named.keys(), ...found.keys()])]
    .toSorted()
    .flatMap((ref) => (named.get(ref) === found.get(ref) ? [] : [findingAt(ref, "other-ref")]));
}

/** Commits whose records are read together: git answers many questions in the time of one. */
const AT_ONCE = 200;

async function checkCommits(
  repo: RepoReading,
  { from, to }: Pick<AuditReport, "from" | "to">,
  at: Oid,
): Promise<Pick<AuditReport, "commits" | "counts" | "findings">> {
  const ground: AuditRecords = {
    read: async (key) => (await repo.read(at, auditRecordFile(key)))?.bytes,
    list: (folder) => repo.list(at, auditRecordFile(folder)),
  };
  const before = new Set(from === null ? [] : await repo.reachable([from]));
  const commits = (await repo.reachable([to])).filter((oid) => !before.has(oid));
  const counts = { decided: 0, bookkeeping: 0, session: 0, by_hand: 0 };
  const findings: AuditFinding[] = [];
  for (let first = 0; first < commits.length; first += AT_ONCE) {
    const checked = commits.slice(first, first + AT_ONCE).map(async (oid) => {
      const commit = await repo.commit(oid);
      const kind = kindOf(commit);
      return { commit, kind, problem: await problemOf(commit, kind, ground) };
    });
    for (const { commit, kind, problem } of await Promise.all(checked)) {
      counts[kind]++;
      const named = proposalsNamed(commit);
      const proposal = named.length === 1 ? named[0]! : null;
      if (problem) findings.push({ where: null, commit: commit.oid, proposal, problem });
    }
  }
  return { commits: commits.length, counts, findings };
}

/** The records of a bundle by their keys. */
interface AuditRecords {
  read(key: string): Promise<Uint8Array | undefined>;
  list(folder: string): Promise<readonly TreeFile[]>;
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

async function eventsOf(records: AuditRecords, id: string): Promise<Proposal | AuditProblem> {
  const events: ProposalEvent[] = [];
  for (let number = 0; ; number++) {
    const bytes = await records.read(keys.proposalEvent(id, number));
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
async function runProblem({ source }: Proposal, records: AuditRecords): Promise<AuditProblem | undefined> {
  const { type, identity: slug, run_id: run } = source;
  if (type !== "agent" || run === undefined) return undefined;
  const bytes = await records.read(keys.runManifest(slug, run));
  const manifest = bytes && runManifest.safeParse(jsonIn(bytes));
  if (!manifest?.success) return "no-run";
  const folder = keys.runSteps(slug, run).replace(/\/$/, "");
  const steps = (await records.list(folder)).map(({ path, oid }) => ({ key: path, hash: oid }));
  if (journalId(steps) !== manifest.data.journal) return "other-journal";
  const loaded = await records.read(keys.runStep(slug, run, 1, LOAD_CONTEXT));
  return loaded && pinsOf(jsonIn(loaded)) !== pinsOf({ output: manifest.data }) ? "other-pins" : undefined;
}

/** The contract and the logic that a run says it was pinned to, as one text. Its first step recorded them, its manifest repeats them. */
function pinsOf(step: unknown): string {
  const { output } = step as { output?: Partial<RunManifest> };
  const { agent_version, contract_hash, logic_version, behaviour_id, garden_commit } = output ?? {};
  return JSON.stringify([agent_version, contract_hash, logic_version, behaviour_id, garden_commit]);
}
