import { z } from "zod";
import { canonicalId } from "../../base/canonical.ts";
import { crashPoint } from "../../base/crash-point.ts";
import { Failure } from "../../base/failure.ts";
import { inTurns } from "../../base/in-turns.ts";
import { keys } from "../../domain/layout.ts";
import {
  type HumanAsk,
  type PersonAnswer,
  type PersonRequest,
  personAnswer,
  personRequest,
  requestIdOf,
} from "../../domain/run/request.ts";
import { everyKey, type Store } from "../../ports/store.ts";
import { recordAudit } from "../core/audit.ts";
import { createRecord } from "../core/flow/create-record.ts";
import { decisionNeeded } from "../core/flow/decision-needed.ts";
import { type RunPlace } from "../core/flow/journal.ts";
import type { Pause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, readJson, tryReadJson } from "../core/json-record.ts";
import { runSessionOf } from "../sessions/run-session.ts";
import type { SessionGarden } from "../sessions/session-garden.ts";
import { pendingTrace, recordTrace } from "../sessions/trace-buffer.ts";
import { type AnswerToGive, answerFromDecision, giveAnswer } from "./record-answer.ts";

type HoldDeps = Pick<Garden, "store" | "signals"> & SessionGarden & { readonly pause: Pause };

export interface PersonQuestion {
  /** Names the question of the run, or the call: the same in every replay. */
  readonly tag: string;
  readonly reason: PersonRequest["reason"];
  readonly ask: HumanAsk;
  readonly diagram?: string | undefined;
  readonly icon?: string | undefined;
  readonly line?: number | undefined;
  /** In an experiment: the answer to give at once. */
  readonly given?: AnswerToGive | undefined;
}

export interface QuestionAndAnswer {
  readonly request: PersonRequest;
  readonly answer: PersonAnswer | undefined;
}

/**
 * Asks a person and returns the answer if there is one (O-6). Idempotent: the id is derived from the run and the question. The
 * view is written first, then the request, then the audit record: after a crash in between, open questions still include this
 * one, and an answer that comes before the run has stopped is found here.
 */
export async function askPerson(deps: HoldDeps, place: RunPlace, asked: PersonQuestion): Promise<QuestionAndAnswer> {
  const { slug, run } = place;
  const { tag, reason, ask, diagram, icon, line } = asked;
  const id = requestIdOf(run, tag);
  const key = keys.heldRequest(slug, run, id);
  const there = await deps.store.get(key);
  if (there) return readAnswer(deps, place, readJson(key, there.bytes, personRequest), asked);
  const draft = personRequest.parse({
    id,
    run_id: run,
    agent_slug: slug,
    reason,
    ask,
    diagram,
    icon,
    line,
    asked_at: new Date(deps.world.now()).toISOString(),
    op: Buffer.from(deps.world.random(8)).toString("hex"),
  });
  await deps.store.put(keys.openRequest(id), jsonBytes({ id, run, slug }));
  crashPoint("run.hold.shown");
  const { bytes } = await createRecord(deps, key, jsonBytes(draft));
  crashPoint("run.hold.asked");
  return readAnswer(deps, place, readJson(key, bytes, personRequest), asked);
}

/**
 * Throws if the program now asks a different question: it must not get the answer to the earlier one. Also writes the audit
 * records that are missing because the process that asked or answered died.
 */
async function readAnswer(
  deps: HoldDeps,
  place: RunPlace,
  request: PersonRequest,
  { reason, ask, tag, given }: PersonQuestion,
): Promise<QuestionAndAnswer> {
  const [asked, there] = [canonicalId({ reason, ask }), canonicalId({ reason: request.reason, ask: request.ask })];
  if (asked !== there)
    throw decisionNeeded(
      "changed",
      { run: place.run, position: Number(tag.replace(/\D/g, "")), name: "ask-human", hash: asked },
      { name: "ask-human", input_hash: there },
    );
  await auditHold(deps, request);
  const answer =
    (await answerOf(deps.store, place, request.id)) ??
    (await answerFromDecision(deps, place, request)) ??
    (given && (await giveAnswer(deps, place, request, given)));
  if (!answer) await traceHold(deps, place, request);
  else if (await deps.store.get(keys.openRequest(request.id))) await settleAnswer(deps, request, answer);
  return { request, answer };
}

/** S-6: the console of the run's session says that it waits, once: until the answer, nothing of the run drains the buffer. */
async function traceHold(deps: HoldDeps, place: RunPlace, { id, ask }: PersonRequest): Promise<void> {
  const session = await runSessionOf(deps.repo, place);
  if (!session) return;
  const { entries } = await pendingTrace(deps, session.name);
  if (entries.some(({ request }) => request === id)) return;
  await recordTrace(deps, session.name, { kind: "session", text: `waits for a person: ${ask.question}`, request: id });
}

const auditHold = (deps: HoldDeps, { id, run_id, agent_slug, asked_at, ask, reason }: PersonRequest): Promise<void> =>
  recordAudit(deps, `${run_id}-held-${id}`, {
    kind: "run-held",
    at: asked_at,
    by: agent_slug,
    subject: run_id,
    why: ask.question.slice(0, 500),
    details: { agent: agent_slug, request: id, form: ask.form, reason },
  });

/** Writes the audit record of an answer, then deletes the question from the view: while it is there, the record may be missing. */
export async function settleAnswer(
  deps: Pick<Garden, "store" | "signals">,
  request: PersonRequest,
  answer: PersonAnswer,
): Promise<void> {
  await recordAudit(deps, `${request.id}-answered`, {
    kind: "answered",
    at: answer.answered_at,
    by: answer.by,
    subject: request.id,
    ...(answer.note !== undefined && { why: answer.note }),
    details: {
      agent: request.agent_slug,
      run: request.run_id,
      question: request.ask.question.slice(0, 500),
      value: answer.value,
    },
  });
  crashPoint("run.answer.told");
  await deps.store.delete(keys.openRequest(request.id));
}

export async function answerOf(store: Store, { slug, run }: RunPlace, id: string): Promise<PersonAnswer | undefined> {
  const key = keys.heldAnswer(slug, run, id);
  const stored = await store.get(key);
  return stored && readJson(key, stored.bytes, personAnswer);
}

/** Ends the work on a run until the question is answered. `callEnd` of the runtime port knows it by `held`. */
export const heldFor = ({ id, run_id, agent_slug, ask }: PersonRequest): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the run ${run_id} waits for a person: ${ask.question}`,
    uk: `запуск ${run_id} чекає на людину: ${ask.question}`,
    hint: { en: `\`bloom requests answer ${id}\``, uk: `\`bloom requests answer ${id}\`` },
    details: { held: id, run: run_id, agent: agent_slug },
  });

/** The request that a failure says the run is held by. */
export function heldRequest(failure: Failure): string | undefined {
  const { held } = failure.details;
  return typeof held === "string" ? held : undefined;
}

const viewRecord = z.object({ id: z.string(), run: z.string(), slug: z.string() });
/** Entries of the view that were read: one with the same key always says the same. */
const knownViews = new WeakMap<Store, ReadonlyMap<string, z.infer<typeof viewRecord>>>();

/**
 * All open questions, oldest first: from the view, each checked against the records. Questions that were answered, or whose run
 * has ended or was deleted, are left out and deleted from the view.
 */
export async function openRequests(garden: Pick<Garden, "store" | "signals">): Promise<readonly PersonRequest[]> {
  const { store } = garden;
  const open: PersonRequest[] = [];
  const shown: string[] = [];
  for await (const { key } of everyKey(store, keys.openRequests)) shown.push(key);
  const known = knownViews.get(store);
  const views = new Map<string, z.infer<typeof viewRecord>>();
  knownViews.set(store, views);
  await inTurns(shown, async (key) => {
    const view = known?.get(key) ?? tryReadJson((await store.get(key))?.bytes, viewRecord);
    if (!view) return;
    views.set(key, view);
    const request = await openRequestAt(store, view, view.id);
    if (request === "not-yet") return;
    if (request) open.push(request);
    else await closeView(garden, view);
  });
  return open.toSorted((a, b) => (a.asked_at < b.asked_at ? -1 : a.asked_at > b.asked_at ? 1 : a.id < b.id ? -1 : 1));
}

async function closeView(deps: Pick<Garden, "store" | "signals">, view: RunPlace & { readonly id: string }) {
  const key = keys.heldRequest(view.slug, view.run, view.id);
  const [stored, answer] = [await deps.store.get(key), await answerOf(deps.store, view, view.id)];
  if (stored && answer) await settleAnswer(deps, readJson(key, stored.bytes, personRequest), answer);
  else await deps.store.delete(keys.openRequest(view.id));
}

/** `not-yet`: the request is about to be written. Undefined: there is nothing left to answer. */
async function openRequestAt(
  store: Store,
  place: RunPlace,
  id: string,
): Promise<PersonRequest | "not-yet" | undefined> {
  const { slug, run } = place;
  const key = keys.heldRequest(slug, run, id);
  const [stored, manifest, answer] = await Promise.all([
    store.get(key),
    store.get(keys.runManifest(slug, run)),
    store.get(keys.heldAnswer(slug, run, id)),
  ]);
  if (manifest) return undefined;
  if (!stored) return (await store.get(keys.runRequest(slug, run))) ? "not-yet" : undefined;
  return answer ? undefined : readJson(key, stored.bytes, personRequest);
}

/** All questions of a run with their answers: the run's decisions (S-8a). */
export async function requestsOf(store: Store, place: RunPlace): Promise<readonly QuestionAndAnswer[]> {
  const found: QuestionAndAnswer[] = [];
  for await (const { key } of everyKey(store, keys.heldRequests(place.slug, place.run))) {
    const stored = await store.get(key);
    if (!stored) continue;
    const request = readJson(key, stored.bytes, personRequest);
    found.push({ request, answer: await answerOf(store, place, request.id) });
  }
  return found.toSorted((a, b) => (a.request.asked_at < b.request.asked_at ? -1 : 1));
}
