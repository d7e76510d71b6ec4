import { blobId } from "../../../base/canonical.ts";
import { crashPoint } from "../../../base/crash-point.ts";
import { Failure } from "../../../base/failure.ts";
import { type AgentState, agentMoves } from "../../../domain/contract/agent-state.ts";
import { readContract } from "../../../domain/contract/contract.ts";
import { contractFile, frontValue } from "../../../domain/contract/contract-file.ts";
import { invalidAgentMove } from "../../../domain/contract/failures.ts";
import { isSlug } from "../../../domain/contract/slug.ts";
import { statusOfText, withStatus } from "../../../domain/contract/status-line.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import type { Hash, Store } from "../../../ports/store.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { writeAgentFile } from "../../records/agents/agent-changes.ts";
import { commitAgentFiles, commitHandEdits } from "../../records/agents/commit-agent-files.ts";
import { brokenContract, noAgent, readAgentFile } from "../../records/agents/read-agent.ts";
import { refreshRegistry } from "../../records/agents/registry.ts";
import { contractContended, statusNotEditable } from "../failures.ts";
import { activationReport, expectReady } from "./activation.ts";
import { adoptFirstLogic } from "./first-logic.ts";

export interface StatusWish {
  readonly slug: string;
  readonly to: AgentState;
  readonly by: Identity;
  /** The caller's words; of a failed run, its error. */
  readonly reason?: string | undefined;
}

export interface StatusChanged {
  readonly slug: string;
  readonly from: AgentState;
  /** The status after the call. It is unchanged if a run reported an `error` for an agent that was not active any more. */
  readonly status: AgentState;
  readonly hash: Hash;
  /** G-1a: the commit of the change; absent if git is busy (it is made later) or nothing changed. */
  readonly commit?: Oid;
  /** The commit of what a person had changed in the agent's files and not committed. */
  readonly edited?: Oid;
}

const MAX_ATTEMPTS = 50;

/**
 * Changes the `status` and `updated_at` lines of a contract and nothing else (C-6, C-7). Only the owner changes the status; a run may
 * set `error`. Compare-and-swap: after a concurrent change the file is read and the transition checked again.
 *
 * Also works on an invalid contract if its status can be read, because it must be possible to stop such an agent.
 */
export async function changeAgentStatus(garden: Garden, wish: StatusWish): Promise<StatusChanged> {
  const { slug, to, by } = wish;
  expectAllowed(wish);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const found = await statusIn(garden.store, slug);
    const { from, hash } = found;
    if (by.type !== "owner" && from !== "active") return await auditLateError(garden, wish, found);
    if (!agentMoves[from].includes(to)) {
      if (from === to) await auditFoundStatus(garden, wish, found);
      throw invalidAgentMove(slug, from, to);
    }
    if (to === "active") {
      expectReady(await activationReport(garden, slug, await readAgentFile(garden.store, slug)));
      // Runs need a logic version. A contract that was written by hand gets its first one now, which changes the file.
      const adopted = attempt === 0 ? await adoptFirstLogic(garden, slug, by) : undefined;
      if (adopted) continue;
    }
    const at = secondsOf(garden.world.now());
    const next = withStatus(found.text, to, at);
    if (next === undefined) throw statusNotEditable(slug);
    // The mark of a deletion that stopped at its first step: restoring the agent cancels it.
    if (from === "archived") await forgetDeletion(garden.store, slug);
    const bytes = Buffer.from(next);
    const edited = await commitHandEdits(garden, slug, by.type === "owner" ? undefined : [contractKey(slug)]);
    const change = { slug, what: `${from} → ${to}`, by: identityName(by), at, why: wish.reason, ...runOf(by) };
    if (!(await writeAgentFile(garden, change, { key: contractKey(slug), expected: hash, bytes }))) continue;
    crashPoint("agent.status.swapped");
    const swapped = blobId(bytes);
    await recordChange(garden, wish, { from, status: to, hash: swapped, at });
    await refreshRegistry(garden);
    const commit = await commitAgentFiles(garden, slug);
    return { slug, from, status: to, hash: swapped, ...(edited && { edited }), ...(commit && { commit }) };
  }
  throw contractContended(slug);
}

interface StoredStatus {
  readonly text: string;
  readonly from: AgentState;
  readonly hash: Hash;
}

async function statusIn(store: Store, slug: string): Promise<StoredStatus> {
  const stored = isSlug(slug) ? await store.get(contractKey(slug)) : undefined;
  if (!stored) throw noAgent(slug);
  const reading = readContract(stored.bytes);
  const text = reading.kind === "contract" ? reading.text : textOf(stored.bytes);
  const from = text === undefined ? undefined : statusOfText(text);
  if (text !== undefined && from) return { text, from, hash: stored.hash };
  throw brokenContract(slug, reading.kind === "problems" ? reading.problems : []);
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A run reports an `error` for an agent that was stopped meanwhile: the status stays, and the error is audited. */
async function auditLateError(garden: Garden, wish: StatusWish, { from, hash }: StoredStatus): Promise<StatusChanged> {
  const at = new Date(garden.world.now()).toISOString();
  const run = (wish.by.type === "agent" ? wish.by.run : undefined) ?? hash.slice(0, 8);
  await recordAudit(garden, `${wish.slug}-error-in-${from}-${run}`, {
    kind: "agent-status",
    at,
    by: identityName(wish.by),
    subject: wish.slug,
    ...(wish.reason !== undefined && { why: wish.reason }),
    details: { from, asked: wish.to, status: from, ...runOf(wish.by) },
  });
  return { slug: wish.slug, from, status: from, hash };
}

const recordChange = (
  garden: Garden,
  { slug, by, reason }: StatusWish,
  change: { from?: AgentState; status: AgentState; hash: Hash; at: string },
): Promise<void> =>
  recordAudit(garden, `${slug}-${change.status}-${change.hash.slice(0, 8)}`, {
    kind: "agent-status",
    at: change.at,
    by: identityName(by),
    subject: slug,
    ...(reason !== undefined && { why: reason }),
    details: { ...(change.from && { from: change.from }), status: change.status, hash: change.hash, ...runOf(by) },
  });

/** After a crash between the swap and its audit record: a retry finds the state already set and writes the record. */
async function auditFoundStatus(garden: Garden, wish: StatusWish, { text, from, hash }: StoredStatus): Promise<void> {
  const file = contractFile(text);
  const at = file && frontValue(file, "updated_at");
  if (at !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(at))
    await recordChange(garden, wish, { status: from, hash, at });
}

async function forgetDeletion(store: Store, slug: string): Promise<void> {
  const mark = await store.get(keys.agentDeletion(slug));
  if (mark) await store.remove(keys.agentDeletion(slug), mark.hash);
}

const runOf = (by: Identity): { run?: string } => (by.type === "agent" && by.run !== undefined ? { run: by.run } : {});

/** ISO time in seconds, the precision of all times in a contract. */
export const secondsOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");

function expectAllowed({ slug, to, by }: StatusWish): void {
  if (by.type === "owner" && to !== "error") return;
  const isRuntime = by.type === "gateway" || (by.type === "agent" && by.slug === slug);
  if (isRuntime && to === "error") return;
  throw new Failure("FORBIDDEN", {
    ...(to === "error"
      ? { en: `only a run of ${slug} may set error`, uk: `стан error задає лише запуск агента ${slug}` }
      : { en: `only the owner may set an agent to ${to}`, uk: `лише власник може перевести агента в стан ${to}` }),
    details: { agent: slug, to, by: identityName(by) },
  });
}
