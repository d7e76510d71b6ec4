import { canonicalJson } from "../../../base/canonical.ts";
import { GATEWAY, isGatewayCommit } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import {
  AUDIT_RANGE_FILE,
  AUDIT_RECORDS_REF,
  auditRecordFile,
  contractKey,
  keys,
  MAIN_REF,
  machine,
} from "../../../domain/layout.ts";
import type { CommitDraft, Edit, RefEntry, Repo } from "../../../ports/repo.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { readEvents } from "../../records/proposals/proposal-log.ts";
import { commitClaims } from "../why/commit-facts.ts";
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
}

/** The refs beside main that a reader of the history wants: traces, sessions, grants and announcements. */
const MORE_REFS = ["refs/notes/trace", "refs/heads/agents/", "refs/agentic/"];

/**
 * One file that git reads, with a range of main's history, everything that it descends from, and the records behind its commits: the
 * proposals with their decisions, the runs with their journals and the agents' contracts. Nothing else is needed to check it.
 */
export async function writeAuditBundle(
  garden: Pick<Garden, "repo" | "store" | "world" | "config">,
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
  const at = new Date(world.now()).toISOString();
  const meta = { garden: garden.config.name, from: range.from ?? null, to, made_at: at, format: 1 };
  await repo.bundleWith(file, {
    refs: await bundledRefs(repo, to),
    added: { ref: AUDIT_RECORDS_REF, draft: recordsDraft(records, canonicalJson(meta), world.now()) },
  });
  return {
    file,
    from: range.from ?? null,
    to,
    commits: commits.length,
    proposals: proposals.size,
    runs: runs.size,
    records: records.size,
  };
}

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

async function bundledRefs(repo: Repo, to: Oid): Promise<readonly RefEntry[]> {
  const refs: RefEntry[] = [{ name: MAIN_REF, oid: to }];
  for (const prefix of MORE_REFS)
    for (const entry of await repo.refs(prefix)) if (!refs.some(({ name }) => name === entry.name)) refs.push(entry);
  return refs;
}

function recordsDraft(records: ReadonlyMap<string, Uint8Array>, range: string, at: number): CommitDraft {
  const edits: Edit[] = [...records].map(([key, bytes]) => ({ path: auditRecordFile(key), bytes }));
  return {
    parents: [],
    edits: [...edits, { path: AUDIT_RANGE_FILE, bytes: Buffer.from(`${range}\n`) }],
    author: { ...GATEWAY, at },
    committer: { ...GATEWAY, at },
    message: "Records of an audit bundle\n\nCheck them with: node audit-check.js FILE, or bloom audit check FILE",
  };
}
