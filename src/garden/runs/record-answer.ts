import { canonicalId, type Json } from "../../base/canonical.ts";
import { crashPoint } from "../../base/crash-point.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { keys } from "../../domain/layout.ts";
import { type PersonAnswer, type PersonRequest, personAnswer } from "../../domain/run/request.ts";
import { createRecord } from "../core/flow/create-record.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import { realPause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, readJson } from "../core/json-record.ts";
import { commitDecision, decisionOn, type SessionDecision } from "../sessions/decision-commit.ts";
import { runSessionOf } from "../sessions/run-session.ts";
import type { SessionGarden } from "../sessions/session-garden.ts";

/** The decision of a person, without the question. */
interface GivenAnswer {
  readonly value: Json;
  readonly by: string;
  readonly note?: string | undefined;
  /** ISO 8601. */
  readonly at: string;
  readonly decision?: string;
}

type RecordDeps = Pick<Garden, "store" | "world">;

/** Creates the record of an answer, and returns the one that counts: of two, the first. */
async function recordAnswer(
  { store, world }: RecordDeps,
  { slug, run }: RunPlace,
  request: PersonRequest,
  { value, by, note, at, decision }: GivenAnswer,
): Promise<PersonAnswer> {
  const draft = personAnswer.parse({
    request: request.id,
    run_id: run,
    agent_slug: slug,
    value,
    by,
    note: note?.trim() || undefined,
    answered_at: at,
    request_hash: canonicalId(request),
    decision,
    op: Buffer.from(world.random(8)).toString("hex"),
  });
  const key = keys.heldAnswer(slug, run, request.id);
  const { bytes } = await createRecord({ store, pause: realPause }, key, jsonBytes(draft));
  crashPoint("run.answer.recorded");
  return readJson(key, bytes, personAnswer);
}

export interface AnswerToGive {
  readonly value: Json;
  /** The name of the identity that decides. */
  readonly by: string;
  readonly note?: string | undefined;
  /** The head of the run's session that the person has seen. */
  readonly seen?: Oid | undefined;
}

/** Records an answer. In a session, the decision is a commit first: after a crash the commit says what was decided (S-8). */
export async function giveAnswer(
  garden: RecordDeps & SessionGarden,
  place: RunPlace,
  request: PersonRequest,
  { value, by, note, seen }: AnswerToGive,
): Promise<PersonAnswer> {
  const session = await runSessionOf(garden.repo, place);
  if (!session) {
    const at = new Date(garden.world.now()).toISOString();
    return await recordAnswer(garden, place, request, { value, by, note, at });
  }
  const decision = await commitDecision(garden, session.name, {
    request: request.id,
    question: request.ask.question,
    value,
    by,
    rationale: note?.trim() || undefined,
    expect: seen,
  });
  return await recordAnswer(garden, place, request, answerInCommit(decision, decision.value ?? value));
}

/** The answer that a decision commit stands for. `value` is the one that its id names, if the commit has no more. */
const answerInCommit = (decision: SessionDecision, value: Json): GivenAnswer => ({
  value,
  by: decision.by,
  note: decision.rationale,
  at: decision.at,
  decision: decision.commit,
});

/**
 * S-8: the answer of a decision commit whose process died before it recorded the answer. Undefined without such a commit, and for a value
 * that the commit has the id of only: then the person answers again.
 */
export async function answerFromDecision(
  garden: RecordDeps & Pick<Garden, "repo">,
  place: RunPlace,
  request: PersonRequest,
): Promise<PersonAnswer | undefined> {
  const session = await runSessionOf(garden.repo, place);
  const decision = session && (await decisionOn(garden.repo, session.name, request.id));
  if (!decision || decision.value === undefined) return undefined;
  return await recordAnswer(garden, place, request, answerInCommit(decision, decision.value));
}
