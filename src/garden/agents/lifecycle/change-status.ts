import { crashPoint } from "../../../base/crash-point.ts";
import { Failure, isLostAnswer } from "../../../base/failure.ts";
import { type AgentState, agentMoves, invalidAgentMove, isAgentState } from "../../../domain/contract/agent-state.ts";
import { readContract } from "../../../domain/contract/contract.ts";
import {
  type ContractFile,
  contractFile,
  frontFields,
  frontValue,
  withFrontValues,
} from "../../../domain/contract/contract-file.ts";
import { isSlug } from "../../../domain/contract/slug.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import type { Hash, Store } from "../../../ports/store.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { brokenContract, lookAtAgent, noAgent } from "../../records/agents/read-agent.ts";
import { refreshRegistry } from "../../records/agents/registry.ts";
import { activationReport, expectReady } from "./activation.ts";
import { adoptFirstLogic } from "./first-logic.ts";

export interface StatusWish {
  readonly slug: string;
  readonly to: AgentState;
  readonly by: Identity;
  /** In the asker's words; for a run that failed, what happened. */
  readonly reason?: string | undefined;
}

export interface StatusChanged {
  readonly slug: string;
  readonly from: AgentState;
  /** What the file says now: for a run's `error` that came to an agent which was stopped already, what it was. */
  readonly status: AgentState;
  readonly hash: Hash;
}

const MAX_ATTEMPTS = 50;

/**
 * Changes the `status` and `updated_at` lines of a contract, and nothing else (C-6, C-7). Only the owner moves an agent; a run
 * may set `error` and no more. Somebody who changes the file at the same moment is not overwritten: the file is read again,
 * and the move is judged anew.
 *
 * It works on a contract that does not hold, too, as long as its status can be read: one must be able to stop such an agent.
 */
export async function changeAgentStatus(garden: Garden, wish: StatusWish): Promise<StatusChanged> {
  const { slug, to, by } = wish;
  expectAllowed(wish);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const found = await statusIn(garden.store, slug);
    const { from, hash } = found;
    if (by.type !== "owner" && from !== "active") return await cameTooLate(garden, wish, found);
    if (!agentMoves[from].includes(to)) {
      if (from === to) await recordFound(garden, wish, found);
      throw invalidAgentMove(slug, from, to);
    }
    if (to === "active") {
      expectReady(await activationReport(garden, slug, await lookAtAgent(garden.store, slug)));
      // Runs follow a version of the logic: an agent whose contract came by hand gets its first one now, and a new file.
      const adopted = attempt === 0 ? await adoptFirstLogic(garden, slug, by) : undefined;
      if (adopted) continue;
    }
    const at = secondsOf(garden.world.now());
    const next = withFrontValues(found.file, { status: to, updated_at: at });
    if (!next) throw notInPlace(slug);
    // What a deletion left that got no further than its first step: whoever restores the agent has decided otherwise.
    if (from === "archived") await forgetDeletion(garden.store, slug);
    const swapped = await swapContract(garden.store, slug, hash, Buffer.from(next.text));
    if (swapped === undefined) continue;
    crashPoint("agent.status.swapped");
    await recordChange(garden, wish, { from, status: to, hash: swapped, at });
    await refreshRegistry(garden);
    return { slug, from, status: to, hash: swapped };
  }
  throw new Failure("CONCURRENT_MODIFICATION", {
    en: `${contractKey(slug)} is being changed by somebody else all the time`,
    uk: `${contractKey(slug)} весь час змінює хтось інший`,
  });
}

interface Found {
  readonly file: ContractFile;
  readonly from: AgentState;
  readonly hash: Hash;
}

async function statusIn(store: Store, slug: string): Promise<Found> {
  const stored = isSlug(slug) ? await store.get(contractKey(slug)) : undefined;
  if (!stored) throw noAgent(slug);
  const reading = readContract(stored.bytes);
  const text = reading.kind === "contract" ? reading.text : textOf(stored.bytes);
  const file = text === undefined ? undefined : contractFile(text);
  const from = file && frontFields(file)?.["status"];
  if (file && isAgentState(from)) return { file, from, hash: stored.hash };
  throw brokenContract(slug, reading.kind === "problems" ? reading.problems : []);
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The new hash; undefined if somebody else changed the file first. */
export async function swapContract(
  store: Store,
  slug: string,
  expected: Hash,
  bytes: Uint8Array,
): Promise<Hash | undefined> {
  try {
    const swapped = await store.swap(contractKey(slug), expected, bytes);
    return swapped.kind === "swapped" ? swapped.hash : undefined;
  } catch (error) {
    if (!isLostAnswer(error)) throw error;
    // The answer was lost: what stands there now says whether it was written.
    const there = await store.get(contractKey(slug));
    if (there && Buffer.from(there.bytes).equals(bytes)) return there.hash;
    if (there?.hash !== expected) return undefined;
    throw error;
  }
}

/**
 * A run's `error` that finds the agent stopped already: paused in the same moment by its owner, say. There is no such move, and
 * none is needed: the agent does not run. What happened stays on record.
 */
async function cameTooLate(garden: Garden, wish: StatusWish, { from, hash }: Found): Promise<StatusChanged> {
  const at = new Date(garden.world.now()).toISOString();
  const run = wish.by.type === "agent" ? wish.by.run : hash.slice(0, 8);
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

/** A crash between the swap and its record leaves no record. Who asks again finds the state there, and completes it. */
async function recordFound(garden: Garden, wish: StatusWish, { file, from, hash }: Found): Promise<void> {
  const at = frontValue(file, "updated_at");
  if (at !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(at))
    await recordChange(garden, wish, { status: from, hash, at });
}

async function forgetDeletion(store: Store, slug: string): Promise<void> {
  const mark = await store.get(keys.agentDeletion(slug));
  if (mark) await store.remove(keys.agentDeletion(slug), mark.hash);
}

const runOf = (by: Identity): { run?: string } => (by.type === "agent" ? { run: by.run } : {});

/** As the contract's other times are written: to the second. */
export const secondsOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");

function expectAllowed({ slug, to, by }: StatusWish): void {
  if (by.type === "owner" && to !== "error") return;
  const isRuntime = by.type === "gateway" || (by.type === "agent" && by.slug === slug);
  if (isRuntime && to === "error") return;
  throw new Failure(
    "FORBIDDEN",
    to === "error"
      ? { en: `only a run of ${slug} sets error`, uk: `стан error задає лише запуск агента ${slug}` }
      : { en: `only the owner may make an agent ${to}`, uk: `лише власник може перевести агента в стан ${to}` },
    { details: { agent: slug, to, by: identityName(by) } },
  );
}

const notInPlace = (slug: string): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `the status line of ${contractKey(slug)} cannot be changed without changing something else`,
      uk: `рядок status у ${contractKey(slug)} не можна змінити, не змінивши чогось іще`,
    },
    {
      hint: {
        en: "Write `status` and `updated_at` on lines of their own, without anchors.",
        uk: "Запишіть `status` і `updated_at` окремими рядками, без якорів.",
      },
      details: { agent: slug },
    },
  );
