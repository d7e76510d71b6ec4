import { blobId } from "../../../base/canonical.ts";
import { Failure, isFailure } from "../../../base/failure.ts";
import { GATEWAY } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { keys, TRACE_REF } from "../../../domain/layout.ts";
import type { ApplyPlan, Proposal } from "../../../domain/proposal/proposal.ts";
import type { Repo } from "../../../ports/repo.ts";
import type { Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import type { ObjectWrite } from "../effect/effect.ts";

/** In a plan, where a hash says what an object will be: nothing. */
const ABSENT = "0".repeat(40);

/** What an attempt is about to make, as it goes on record. */
export const planOf = (head: Oid, commit: Oid | undefined, objects: readonly ObjectWrite[]): ApplyPlan => ({
  head,
  ...(commit !== undefined && { commit }),
  objects: objects.map(({ key, bytes }) => ({ key, hash: bytes ? blobId(bytes) : ABSENT })),
});

/**
 * The plan that came true, whoever made it: its commit is part of main, or its objects are as it said. A trailer proves
 * nothing, because cherry-picks copy trailers; a commit that is not there at all was lost with its process.
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

/** Makes every object as planned. Doing it again changes nothing; somebody else's bytes are never written over. */
export async function writeObjects(store: Store, objects: readonly ObjectWrite[]): Promise<Failure | undefined> {
  for (const object of objects) {
    try {
      const standing = await written(store, object);
      if (standing !== (object.bytes ? blobId(object.bytes) : undefined)) return inTheWay(object.key);
    } catch (error) {
      if (isFailure(error, "VALIDATION_FAILED")) return error; // a name that cannot be beside what came since
      throw error;
    }
  }
  return undefined;
}

/** The hash that stands there after the attempt; undefined: nothing. */
async function written(store: Store, { key, bytes, replaces }: ObjectWrite): Promise<string | undefined> {
  try {
    if (!bytes) {
      if (replaces !== undefined) await store.remove(key, replaces);
    } else if (replaces === undefined) await store.create(key, bytes);
    else await store.swap(key, replaces, bytes);
  } catch (error) {
    // A lost answer is no answer: what stands there says whether it happened.
    if (!(isFailure(error) && error.outcome === "unknown")) throw error;
    const standing = (await store.get(key))?.hash;
    if (standing === (bytes ? blobId(bytes) : undefined)) return standing;
    throw error;
  }
  return (await store.get(key))?.hash;
}

/** The console trace of the run that caused a commit is bound to it (S-11), where the run has left one. */
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

const inTheWay = (key: string): Failure =>
  new Failure(
    "CONCURRENT_MODIFICATION",
    { en: `${key} was changed by somebody else meanwhile`, uk: `${key} тим часом змінив хтось інший` },
    { details: { key } },
  );
