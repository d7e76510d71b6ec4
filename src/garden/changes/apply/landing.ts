import { blobId } from "../../../base/canonical.ts";
import { type Failure, isFailure, isLostAnswer } from "../../../base/failure.ts";
import { GATEWAY } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { isAgentFileKey, keys, TRACE_REF } from "../../../domain/layout.ts";
import type { ApplyPlan } from "../../../domain/proposal/apply-plan.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { writeAgentFile } from "../../records/agents/agent-changes.ts";
import { commitHandEdits } from "../../records/agents/commit-agent-files.ts";
import type { ObjectWrite } from "../effect/effect.ts";
import { objectChanged } from "./failures.ts";

/** The hash in a plan that stands for a removed object. */
const ABSENT = "0".repeat(40);

/** The plan of an attempt, as it is recorded. */
export const planOf = (head: Oid, commit: Oid | undefined, objects: readonly ObjectWrite[]): ApplyPlan => ({
  head,
  ...(commit !== undefined && { commit }),
  objects: objects.map(({ key, bytes }) => ({ key, hash: bytes ? blobId(bytes) : ABSENT })),
});

/**
 * The newest plan that has landed: its commit is part of main, or its objects have the planned hashes. Trailers prove nothing,
 * because a cherry-pick copies them. A commit that does not exist was lost in a crash.
 */
export async function landedPlan(
  { repo, store }: Pick<Garden, "repo" | "store">,
  proposal: Proposal,
  head: Oid,
): Promise<ApplyPlan | undefined> {
  for (const plan of proposal.plans.toReversed()) {
    if (plan.commit !== undefined ? await isPartOf(repo, plan.commit, plan.head, head) : await allStand(store, plan))
      return plan;
  }
  return undefined;
}

async function isPartOf(repo: Repo, commit: Oid, plannedOn: Oid | undefined, head: Oid): Promise<boolean> {
  if (commit === head) return true;
  if (plannedOn === head) return false; // main has not moved since it was planned
  try {
    return await repo.isAncestor(commit, head);
  } catch (error) {
    if (isFailure(error, "NOT_FOUND")) return false;
    throw error;
  }
}

async function allStand(store: Store, { objects }: ApplyPlan): Promise<boolean> {
  for (const { key, hash } of objects) if (((await store.get(key))?.hash ?? ABSENT) !== hash) return false;
  return objects.length > 0;
}

/** Writes every object as planned. Idempotent; never overwrites bytes of another writer: returns a failure instead. */
export async function writeObjects(
  garden: Garden,
  proposal: Proposal,
  objects: readonly ObjectWrite[],
): Promise<Failure | undefined> {
  for (const object of objects) {
    try {
      const hash = isAgentFileKey(object.key)
        ? await writeExport(garden, proposal, object)
        : await writeObject(garden.store, object);
      if (hash !== (object.bytes ? blobId(object.bytes) : undefined)) return objectChanged(object.key);
    } catch (error) {
      if (isFailure(error, "VALIDATION_FAILED")) return error; // the key is a folder of another key by now
      throw error;
    }
  }
  return undefined;
}

/** The hash that is stored after the attempt; undefined: no object. */
async function writeObject(store: Store, { key, bytes, replaces }: ObjectWrite): Promise<string | undefined> {
  try {
    if (!bytes) {
      if (replaces !== undefined) await store.remove(key, replaces);
    } else if (replaces === undefined) await store.create(key, bytes);
    else await store.swap(key, replaces, bytes);
  } catch (error) {
    if (!isLostAnswer(error)) throw error;
    const hash = (await store.get(key))?.hash;
    if (hash === (bytes ? blobId(bytes) : undefined)) return hash;
    throw error;
  }
  return (await store.get(key))?.hash;
}

/** A file of an agent (G-1a): what a person has not committed is committed first, as that person's. */
async function writeExport(
  garden: Garden,
  { id, approval, created_at }: Proposal,
  { key, bytes, replaces }: ObjectWrite,
): Promise<string | undefined> {
  const slug = key.split("/")[1]!;
  await commitHandEdits(garden, slug, [key]);
  const change = {
    slug,
    what: "export logic again",
    by: approval?.decided_by ?? "gateway",
    at: approval?.decided_at ?? created_at,
    cause: id,
  };
  await writeAgentFile(garden, change, { key, expected: replaces, bytes });
  return (await garden.store.get(key))?.hash;
}

/** Binds the console trace of the run to the commit that it caused (S-11), if the run has left one. Idempotent. */
export async function bindTrace(
  { repo, store }: Pick<Garden, "repo" | "store">,
  proposal: Proposal,
  commit: Oid,
): Promise<void> {
  const { source, approval, created_at } = proposal;
  if (source.type !== "agent" || source.run_id === undefined) return;
  const trace = await store.get(keys.runTrace(source.identity, source.run_id));
  if (!trace || (await repo.annotation(TRACE_REF, commit)) !== undefined) return;
  await repo.annotate(TRACE_REF, commit, trace.bytes, {
    ...GATEWAY,
    at: Date.parse(approval?.decided_at ?? created_at),
  });
}
