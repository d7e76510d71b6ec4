import { canonicalId, type Json } from "../../base/canonical.ts";
import { newId } from "../../base/ids.ts";
import { type Identity, identityName, isPerson } from "../../domain/identity.ts";
import { keys } from "../../domain/layout.ts";
import { isExperiment, movedSteps, type RunRequest, runRequest } from "../../domain/run/run.ts";
import { journalId } from "../../domain/run/run-manifest.ts";
import { stepKeyParts } from "../../domain/run/run-step.ts";
import type { Store } from "../../ports/store.ts";
import { everyKey } from "../../ports/store.ts";
import { recordAudit } from "../core/audit.ts";
import { createRecord } from "../core/flow/create-record.ts";
import { type RunPlace, readJournal } from "../core/flow/journal.ts";
import type { Pause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import { readAgent } from "../records/agents/read-agent.ts";
import { operationMark } from "../records/proposals/operation-mark.ts";
import {
  forkOfInactiveAgent,
  forkOriginChanged,
  movedRunWentOn,
  noStepToForkAt,
  noSuchRun,
  onlyOwnerForks,
} from "./failures.ts";
import { requestAt } from "./open-runs.ts";
import { openRunWith } from "./request-run.ts";
import { runIdForCorrelation } from "./run-correlation.ts";

export interface ForkWish {
  readonly place: RunPlace;
  /** The last step that both share: the fork continues after it. */
  readonly at: number;
  /** Members of the input that differ in the fork. Steps that depend on them cannot be shared. */
  readonly set?: { readonly [name: string]: Json } | undefined;
  /** An experiment: everything that it would propose goes to the sandbox (S-7). */
  readonly whatIf?:
    | { readonly answer?: { readonly question: string; readonly value: Json; readonly note?: string } }
    | undefined;
  readonly by: Identity;
  /** Makes the request idempotent: the same id in every repetition (P-3). */
  readonly correlation?: string | undefined;
}

/**
 * Copies a run at a step (O-7): the copy shares the journal up to there and continues alone, under the same contract, logic version
 * and commit. Only its request is created here, with the hash of the shared steps; its worker copies them first (`shareJournal`).
 * So a crash at any moment leaves a run that can continue, never half a copy.
 *
 * The proposals of a fork name it, and no rule approves them; those of an experiment (`whatIf`) go to the sandbox.
 */
export async function forkRun(garden: Garden, wish: ForkWish): Promise<RunRequest> {
  const { place, at, set, whatIf, correlation } = wish;
  if (!isPerson(wish.by)) throw onlyOwnerForks(wish.by);
  const by = identityName(wish.by);
  const asked = {
    slug: place.slug,
    by,
    what: ["fork", place.run, at, set ?? null, ...(whatIf ? [whatIf as Json] : [])],
  };
  const id = correlation === undefined ? undefined : await runIdForCorrelation(garden, { ...asked, correlation });
  const known = id === undefined ? undefined : await requestAt(garden.store, { slug: place.slug, run: id });
  if (known) return known;
  const journal = await readJournal(garden.store, place);
  if (!journal?.request) throw noSuchRun(place.run);
  const last = journal.records.at(-1)?.position ?? 0;
  const { contract } = await readAgent(garden.store, place.slug);
  if (contract.status !== "active") throw forkOfInactiveAgent(place.slug, contract.status);
  if (!Number.isInteger(at) || at < 1 || at > last) throw noStepToForkAt(place.run, at, last);
  const shared = await sharedRecords(garden.store, place, { first: 1, last: at });
  const request: RunRequest = runRequest.parse({
    kind: "request",
    run_id: id ?? newId(garden.world, "run"),
    agent_slug: place.slug,
    trigger: "manual",
    cause: `fork of ${place.run} at ${at}`,
    by,
    requested_at: new Date(garden.world.now()).toISOString(),
    input: editedInput(journal.request, set),
    ...(journal.request.ceiling && { ceiling: journal.request.ceiling }),
    forked_from: {
      run: place.run,
      step: at,
      journal: journalId(shared),
      ...movedMember(journal.request, at),
      // A fork of an experiment is one too: what it shares may rest on a made-up answer.
      ...((whatIf ?? (isExperiment(journal.request) ? {} : undefined)) && { what_if: whatIf ?? {} }),
    },
    op: operationMark(garden.world),
  });
  const first = await openRunWith(garden, request);
  await auditFork(garden, first, journal.request);
  return first;
}

/** Idempotent. Written by the process of the owner or, if that died before, by the fork's worker. */
async function auditFork(
  garden: Pick<Garden, "store" | "signals">,
  { run_id: run, agent_slug: agent, requested_at: at, by, forked_from: origin, input }: RunRequest,
  before: RunRequest | undefined,
): Promise<void> {
  const [old, own] = [membersOf(before?.input), membersOf(input)];
  const set = Object.keys(own).filter((name) => canonicalId([own[name]]) !== canonicalId([old[name]]));
  await recordAudit(garden, `${run}-forked`, {
    kind: "run-forked",
    at,
    by,
    subject: run,
    details: { agent, from: origin!.run, step: origin!.step, ...(set.length > 0 && { set }) },
  });
}

function movedMember(origin: RunRequest, at: number): { readonly moved?: number } {
  const moved = Math.min(movedSteps(origin), at);
  return moved > 0 ? { moved } : {};
}

function editedInput({ input }: RunRequest, set: ForkWish["set"]): Json | undefined {
  if (!set || Object.keys(set).length === 0) return input;
  return { ...membersOf(input), ...set };
}

const membersOf = (input: Json | undefined): { readonly [name: string]: Json | undefined } =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? (input as { readonly [name: string]: Json | undefined })
    : {};

/**
 * Copies the shared steps into the journal of a fork or of a moved run, byte for byte, before its first step. Idempotent. Throws
 * NOT_FOUND if the origin's steps were deleted or changed meanwhile: then the run is not started.
 */
export async function shareJournal(
  deps: Pick<Garden, "store" | "signals"> & { readonly pause: Pause },
  place: RunPlace,
  request: RunRequest,
): Promise<void> {
  const { forked_from, moved_from } = request;
  const origin = moved_from ?? forked_from;
  if (!origin) return;
  const { store } = deps;
  const first = moved_from ? 2 : 1;
  const own = await sharedRecords(store, place, { first, last: origin.step });
  if (own.length > 0 && journalId(own) === origin.journal) return;
  const from = { slug: place.slug, run: origin.run };
  if (forked_from) await auditFork(deps, request, await requestAt(store, from));
  // A run that was answered at the moment it was moved may have gone on: what it did then must not be done twice.
  const last = moved_from ? Number.POSITIVE_INFINITY : origin.step;
  const shared = await sharedRecords(store, from, { first, last });
  if (journalId(shared) !== origin.journal)
    throw moved_from ? movedRunWentOn(place, moved_from) : forkOriginChanged(place, origin);
  for (const { key } of shared) {
    const stored = await store.get(key);
    const name = key.slice(key.lastIndexOf("/") + 1);
    if (stored) await createRecord(deps, `${keys.runSteps(place.slug, place.run)}${name}`, stored.bytes);
  }
}

/** Everything at these positions of a journal, in the order of keys. */
export async function sharedRecords(
  store: Store,
  { slug, run }: RunPlace,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<{ key: string; hash: string }[]> {
  const found: { key: string; hash: string }[] = [];
  for await (const { key } of everyKey(store, keys.runSteps(slug, run))) {
    const parts = stepKeyParts(key);
    if (!parts || parts.position < first || parts.position > last) continue;
    const stored = await store.get(key);
    if (stored) found.push({ key, hash: stored.hash });
  }
  return found;
}
