import { canonicalId, type Json } from "../../base/canonical.ts";
import { Failure } from "../../base/failure.ts";
import { newId } from "../../base/ids.ts";
import { type Identity, identityName, isPerson } from "../../domain/identity.ts";
import { keys } from "../../domain/layout.ts";
import { type RunRequest, runRequest } from "../../domain/run/run.ts";
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
import { requestAt } from "./open-runs.ts";
import { openRunWith } from "./request-run.ts";

export interface ForkWish {
  readonly place: RunPlace;
  /** The last step that the two share: the fork goes on behind it. */
  readonly at: number;
  /** Members of the input that the fork has otherwise. Steps that depend on them cannot be shared. */
  readonly set?: { readonly [name: string]: Json } | undefined;
  readonly by: Identity;
  /** Of the fork: who asks again for it is given the first one. Default: a new one. */
  readonly id?: string | undefined;
}

/**
 * Copies a run at a step (O-7): the copy shares the journal up to there and goes on alone, under the same contract, logic version
 * and commit. Here only its request is made, which names what it shares; the copying is the first thing that its worker does
 * (`shareJournal`), so that a crash at any moment leaves a run that goes on, never half a copy.
 *
 * What a fork brings about is quarantined: its proposals say whose fork made them, and no rule approves them.
 */
export async function forkRun(garden: Garden, wish: ForkWish): Promise<RunRequest> {
  const { place, at, set } = wish;
  if (!isPerson(wish.by)) throw onlyOwner(wish.by);
  const by = identityName(wish.by);
  const known = wish.id === undefined ? undefined : await requestAt(garden.store, { slug: place.slug, run: wish.id });
  if (known) return known;
  const journal = await readJournal(garden.store, place);
  if (!journal?.request) throw noRun(place);
  const last = journal.records.at(-1)?.position ?? 0;
  const { contract } = await readAgent(garden.store, place.slug);
  if (contract.status !== "active") throw notActive(place.slug, contract.status);
  if (!Number.isInteger(at) || at < 1 || at > last) throw noStep(place.run, at, last);
  const shared = await sharedRecords(garden.store, place, at);
  const request: RunRequest = runRequest.parse({
    kind: "request",
    run_id: wish.id ?? newId(garden.world, "run"),
    agent_slug: place.slug,
    trigger: "manual",
    cause: `fork of ${place.run} at ${at}`,
    by,
    requested_at: new Date(garden.world.now()).toISOString(),
    input: editedInput(journal.request, set),
    forked_from: { run: place.run, step: at, journal: journalId(shared) },
    op: operationMark(garden.world),
  });
  const first = await openRunWith(garden, request);
  await tellForked(garden, first, journal.request);
  return first;
}

/** Told once, whoever tells it: the owner's process or, if that died before, the fork's worker. */
async function tellForked(
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

function editedInput({ input }: RunRequest, set: ForkWish["set"]): Json | undefined {
  if (!set || Object.keys(set).length === 0) return input;
  return { ...membersOf(input), ...set };
}

const membersOf = (input: Json | undefined): { readonly [name: string]: Json | undefined } =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? (input as { readonly [name: string]: Json | undefined })
    : {};

/**
 * Brings what a fork shares into its own journal, byte for byte, before its first step. Doing it again is doing it once. If the
 * origin no longer has it (deleted, damaged), nothing is begun: the fork would be a run that nobody asked for.
 */
export async function shareJournal(
  ground: Pick<Garden, "store" | "signals"> & { readonly pause: Pause },
  place: RunPlace,
  request: RunRequest,
): Promise<void> {
  const { forked_from: origin } = request;
  if (!origin) return;
  const { store } = ground;
  const own = await sharedRecords(store, place, origin.step);
  if (journalId(own) === origin.journal) return;
  await tellForked(ground, request, await requestAt(store, { slug: place.slug, run: origin.run }));
  const shared = await sharedRecords(store, { slug: place.slug, run: origin.run }, origin.step);
  if (journalId(shared) !== origin.journal) throw originChanged(place, origin);
  for (const { key } of shared) {
    const stored = await store.get(key);
    const name = key.slice(key.lastIndexOf("/") + 1);
    if (stored) await createRecord(ground, `${keys.runSteps(place.slug, place.run)}${name}`, stored.bytes);
  }
}

/** Everything that stands at the first positions of a journal, in the order of its keys. */
async function sharedRecords(
  store: Store,
  { slug, run }: RunPlace,
  at: number,
): Promise<{ key: string; hash: string }[]> {
  const found: { key: string; hash: string }[] = [];
  for await (const { key } of everyKey(store, keys.runSteps(slug, run))) {
    const parts = stepKeyParts(key);
    if (!parts || parts.position === 0 || parts.position > at) continue;
    const stored = await store.get(key);
    if (stored) found.push({ key, hash: stored.hash });
  }
  return found;
}

const onlyOwner = (by: Identity): Failure =>
  new Failure(
    "FORBIDDEN",
    { en: "only the owner forks a run", uk: "відгалузити запуск може лише власник" },
    { details: { by: identityName(by) } },
  );

const noRun = ({ slug, run }: RunPlace): Failure =>
  new Failure(
    "NOT_FOUND",
    { en: `there is no run ${run} of ${slug}`, uk: `немає запуску ${run} агента ${slug}` },
    { hint: { en: "`bloom runs` lists them.", uk: "Їх показує `bloom runs`." }, details: { agent: slug, run } },
  );

const noStep = (run: string, at: number, last: number): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `the run ${run} has no step ${at} to fork at`,
      uk: `запуск ${run} не має кроку ${at}, на якому його можна відгалузити`,
    },
    {
      hint: {
        en: last === 0 ? "It has not begun." : `It has steps 1 to ${last}; \`bloom runs show ${run}\` lists them.`,
        uk:
          last === 0 ? "Він ще не почався." : `Він має кроки від 1 до ${last}; їх показує \`bloom runs show ${run}\`.`,
      },
      details: { run, at, last },
    },
  );

const notActive = (slug: string, status: string): Failure =>
  new Failure(
    "INVALID_AGENT_TRANSITION",
    {
      en: `the agent ${slug} is ${status}; only an active one runs, also in a fork`,
      uk: `агент ${slug} має стан ${status}; запускаються лише активні, і відгалуження теж`,
    },
    { details: { agent: slug, status } },
  );

const originChanged = ({ run }: RunPlace, origin: NonNullable<RunRequest["forked_from"]>): Failure =>
  new Failure(
    "NOT_FOUND",
    {
      en: `the steps that ${run} shares with ${origin.run} are not there any more as they were`,
      uk: `кроків, які ${run} поділяє з ${origin.run}, уже немає такими, як були`,
    },
    { details: { run, from: origin.run, step: origin.step } },
  );
