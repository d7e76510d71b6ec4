import { canonicalJson } from "../../../base/canonical.ts";
import { fingerprint, type SshKeyPair } from "../../../domain/federation/ssh-key.ts";
import { sshSignature } from "../../../domain/federation/ssh-signature.ts";
import { GATEWAY, isGatewayCommit } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import {
  AUDIT_RANGE_FILE,
  AUDIT_RECORDS_REF,
  AUDIT_SIGNERS_FILE,
  auditRecordFile,
  CAPABILITIES_REF,
  contractKey,
  keys,
  MAIN_REF,
  machine,
  SESSION_BRANCHES,
  TRACE_REF,
} from "../../../domain/layout.ts";
import type { CommitDraft, Edit, RefEntry, Repo } from "../../../ports/repo.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { commitClaims } from "../../insight/why/commit-facts.ts";
import { readEvents } from "../../records/proposals/proposal-log.ts";
import { knownGardenKey } from "../garden-key.ts";
import { listPeers } from "../peer-book.ts";
import { trackedPlaces } from "../ref-classes.ts";
import { bundledChains, signersIn } from "./check-gardens.ts";
import { AUDIT_RECORDS, GRANT_RECORD } from "./check-grants.ts";
import { emptyAuditRange, noCommitToAudit } from "./failures.ts";

export interface AuditRange {
  /** The commits after this one are checked; undefined: from the first. */
  readonly from?: Oid | undefined;
  /** The newest commit; undefined: that of main. */
  readonly to?: Oid | undefined;
}

export interface AuditBundle {
  readonly file: string;
  readonly from: Oid | null;
  readonly to: Oid;
  readonly commits: number;
  readonly proposals: number;
  readonly runs: number;
  readonly records: number;
  /** The fingerprint of the key that signed it; null in a garden without a key. */
  readonly signed_by: string | null;
}

/** The refs beside main that a reader of the history wants: traces, sessions, grants, announcements, and what others announced. */
const MORE_REFS = [TRACE_REF, SESSION_BRANCHES, "refs/agentic/"];

/**
 * One file that git reads, with a range of main's history, everything that it descends from, and the records behind its commits: the
 * proposals with their decisions, the runs with their journals, the agents' contracts and the grants to other gardens. Nothing else is
 * needed to check it. The garden's key, if it has one, signs the whole.
 */
export async function writeAuditBundle(
  garden: Pick<Garden, "repo" | "store" | "world" | "config" | "folder">,
  file: string,
  range: AuditRange,
  told: (records: number) => void = () => undefined,
): Promise<AuditBundle> {
  const { repo, store, world } = garden;
  const to = range.to ?? (await repo.resolve(MAIN_REF));
  if (to === undefined) throw emptyAuditRange();
  for (const named of [to, range.from]) if (named !== undefined) await knownCommit(repo, named);
  const commits = await rangeOf(repo, range.from, to);
  if (commits.length === 0) throw emptyAuditRange();
  const records = new Map<string, Uint8Array>();
  const proposals = new Set<string>();
  const runs = new Set<string>();
  for (const oid of commits) {
    const commit = await repo.commit(oid);
    if (!isGatewayCommit(commit)) continue;
    for (const id of commitClaims(commit).proposals) proposals.add(id);
  }
  const keep = async (key: string): Promise<void> => {
    const stored = records.has(key) ? undefined : await store.get(key);
    if (stored) records.set(key, stored.bytes);
    if (stored && records.size % 500 === 0) told(records.size);
  };
  for (const id of proposals) for (const key of await proposalKeys(store, id, runs)) await keep(key);
  const refs = await bundledRefs(repo, to);
  if (refs.some(({ name }) => name === CAPABILITIES_REF)) for (const key of await grantKeys(store)) await keep(key);
  const at = new Date(world.now()).toISOString();
  const named = Object.fromEntries(refs.map(({ name, oid }) => [name, oid]));
  const meta = { garden: garden.config.name, from: range.from ?? null, to, made_at: at, format: 2, refs: named };
  const beside = new Map([[AUDIT_RANGE_FILE, `${canonicalJson(meta)}\n`]]);
  const signers = signersIn(await bundledChains(repo));
  if (signers !== "") beside.set(AUDIT_SIGNERS_FILE, signers);
  const key = await knownGardenKey(garden);
  const draft = { ...recordsDraft(records, beside, world.now()), ...(key && { sign: signedBy(key) }) };
  await repo.bundleWith(file, { refs, added: { ref: AUDIT_RECORDS_REF, draft } });
  return {
    file,
    from: range.from ?? null,
    to,
    commits: commits.length,
    proposals: proposals.size,
    runs: runs.size,
    records: records.size,
    signed_by: key ? fingerprint(key.publicKey) : null,
  };
}

const signedBy =
  (key: SshKeyPair) =>
  (content: Uint8Array): string =>
    sshSignature(content, key);

/** The bytes of a bundle, for a reader without the garden's folder. The file is removed once it is read to the end, or given up. */
export async function* streamAuditBundle(
  garden: Pick<Garden, "repo" | "store" | "world" | "config" | "folder">,
  range: AuditRange,
): AsyncGenerator<Uint8Array> {
  const { folder, world } = garden;
  const name = `${machine.temporary}/audit-${Buffer.from(world.random(8)).toString("hex")}.bundle`;
  try {
    await folder.makeFolder(machine.temporary);
    await writeAuditBundle(garden, `${folder.dir}/${name}`, range);
    yield* folder.stream(name);
  } finally {
    await folder.removeFile(name);
  }
}

async function knownCommit(repo: Repo, oid: Oid): Promise<void> {
  await repo.commit(oid).catch(() => {
    throw noCommitToAudit(oid);
  });
}

/** The commits of the range, those of merged sessions included. */
async function rangeOf(repo: Repo, from: Oid | undefined, to: Oid): Promise<readonly Oid[]> {
  const all = await repo.reachable([to]);
  const before = new Set(from === undefined ? [] : await repo.reachable([from]));
  return all.filter((oid) => !before.has(oid));
}

/** All records of a proposal: its events, the run that made it, and the contract of its agent. */
async function proposalKeys(store: Store, id: string, runs: Set<string>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { key } of everyKey(store, keys.proposalLog(id))) found.push(key);
  const made = (await readEvents(store, id).catch(() => []))[0];
  if (made?.type !== "made" || made.source.type !== "agent") return found;
  const { identity: slug, run_id: run } = made.source;
  found.push(contractKey(slug));
  if (run === undefined) return found;
  runs.add(run);
  found.push(keys.runManifest(slug, run));
  for (const folder of [keys.runSteps(slug, run), keys.heldRequests(slug, run), keys.heldAnswers(slug, run)])
    for await (const { key } of everyKey(store, folder)) found.push(key);
  return found;
}

/** The audit records of grants and their revocations: a commit that somebody took out of their history is missed. */
async function grantKeys(store: Store): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { key } of everyKey(store, AUDIT_RECORDS)) if (GRANT_RECORD.test(key)) found.push(key);
  return found;
}

async function bundledRefs(repo: Repo, to: Oid): Promise<readonly RefEntry[]> {
  const refs = new Map<string, Oid>([[MAIN_REF, to]]);
  const peers = (await listPeers(repo)).flatMap(({ name }) => trackedPlaces(name));
  for (const prefix of [...MORE_REFS, ...peers])
    for (const { name, oid } of await repo.refs(prefix)) if (!refs.has(name)) refs.set(name, oid);
  return [...refs].map(([name, oid]) => ({ name, oid }));
}

function recordsDraft(
  records: ReadonlyMap<string, Uint8Array>,
  beside: ReadonlyMap<string, string>,
  at: number,
): CommitDraft {
  const edits: Edit[] = [...records].map(([key, bytes]) => ({ path: auditRecordFile(key), bytes }));
  for (const [path, text] of beside) edits.push({ path, bytes: Buffer.from(text) });
  return {
    parents: [],
    edits,
    author: { ...GATEWAY, at },
    committer: { ...GATEWAY, at },
    message: "Records of an audit bundle\n\nCheck them with: node audit-check.js FILE, or bloom audit check FILE",
  };
}
