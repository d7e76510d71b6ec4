import { z } from "zod";
import { readCapability } from "../../../domain/federation/capability.ts";
import { GATEWAY } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { auditRecordFile, CAPABILITIES_REF, capabilityFile } from "../../../domain/layout.ts";
import { isKindName } from "../../../domain/session/kinds.ts";
import { decodeSystemCommit } from "../../../domain/session/typed-commit.ts";
import type { Change, Commit } from "../../../ports/repo.ts";
import type { RepoReading } from "../../../ports/repos.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { type AuditFinding, findingAt } from "./audit-report.ts";

export const AUDIT_RECORDS = "audit/";
/** Audit records of grants: `capability-granted-…`, `capability-revoked-…`. */
export const GRANT_RECORD = /^audit\/\d{4}-\d\d\/\d\d\/\d{6}-capability-(?:granted|revoked)-[0-9a-f]+\.json$/;

const grantRecord = z.object({ kind: z.enum(["capability-granted", "capability-revoked"]), subject: z.string() });

/**
 * The history of the grants: every commit adds one grant or takes one back, and every audit record of such a change has its commit.
 */
export async function grantHistoryFindings(
  repo: RepoReading,
  records: Oid,
): Promise<{ readonly changes: number; readonly findings: readonly AuditFinding[] }> {
  const findings: AuditFinding[] = [];
  const seen = new Map<string, number>();
  let changes = 0;
  for (let at = await repo.resolve(CAPABILITIES_REF); at !== undefined; ) {
    const commit: Commit = await repo.commit(at);
    const change = await grantChange(repo, commit);
    if (change === undefined) findings.push(findingAt(CAPABILITIES_REF, "malformed-grant", at));
    else seen.set(change, (seen.get(change) ?? 0) + 1);
    changes++;
    at = commit.parents[0];
  }
  const prefix = auditRecordFile("");
  for (const { path } of await repo.list(records, auditRecordFile(AUDIT_RECORDS).replace(/\/$/, ""))) {
    if (!GRANT_RECORD.test(path.slice(prefix.length))) continue;
    const record = tryReadJson((await repo.read(records, path))?.bytes, grantRecord);
    const change = record && `${record.kind} ${record.subject}`;
    const left = change === undefined ? undefined : (seen.get(change) ?? 0);
    if (change === undefined || left === undefined) findings.push(findingAt(path, "broken-record"));
    else if (left === 0) findings.push(findingAt(path, "lost-grant"));
    else seen.set(change, left - 1);
  }
  return { changes, findings };
}

/** The one grant that a commit adds or takes back; undefined for a commit that the verbs would not make. */
async function grantChange(repo: RepoReading, commit: Commit): Promise<string | undefined> {
  const { oid, parents, committer, message } = commit;
  const [change, ...more] = await repo.changes(parents[0], oid);
  const isSystem = committer.email === GATEWAY.email && decodeSystemCommit(message, "capabilities") !== undefined;
  if (!isSystem || parents.length > 1 || !change || more.length > 0) return undefined;
  if (change.before && change.after) return undefined;
  const id = await grantIn(repo, oid, change);
  return id && `${change.after ? "capability-granted" : "capability-revoked"} ${id}`;
}

/** A grant is checked where it appears. What is taken away need not be one: `bloom verify` asks for the removal of any other file. */
async function grantIn(repo: RepoReading, at: Oid, { path, after }: Change): Promise<string | undefined> {
  if (!after) return path.replace(/\.json$/, "");
  const bytes = (await repo.read(at, path))?.bytes ?? new Uint8Array();
  const found = readCapability(bytes, kindsNamedIn(bytes));
  return found && capabilityFile(found.id) === path ? found.id : undefined;
}

/** Kinds are registered elsewhere, and later ones are no concern of the history: the name alone is checked. */
function kindsNamedIn(bytes: Uint8Array): ReadonlyMap<string, undefined> {
  const kind = tryReadJson(bytes, z.looseObject({ agenticType: z.string() }))?.agenticType;
  const isName = kind !== undefined && isKindName(kind);
  return new Map([["capability", undefined], ...(isName ? [[kind, undefined] as const] : [])]);
}
