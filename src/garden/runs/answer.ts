import { canonicalId, type Json } from "../../base/canonical.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { type Identity, identityName, isPerson } from "../../domain/identity.ts";
import { keys } from "../../domain/layout.ts";
import { type PersonAnswer, type PersonRequest, runOfRequest } from "../../domain/run/request.ts";
import { answerFault, type Payload } from "../../drakon/walk/request.ts";
import { type RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { cancelOf } from "./cancel-run.ts";
import {
  answeredOtherwise,
  noSuchQuestion,
  notOneOpenQuestion,
  onlyOwnerAnswers,
  questionMoved,
  questionOfEndedRun,
  wrongAnswerForm,
} from "./failures.ts";
import { answerOf, openRequests, requestsOf, settleAnswer } from "./hold.ts";
import { findRun } from "./read-runs.ts";
import { giveAnswer } from "./record-answer.ts";

export interface AnswerWish {
  /** The request; or instead `run`, if that run has exactly one open request. */
  readonly request?: string | undefined;
  readonly run?: string | undefined;
  readonly value: Json;
  readonly by: Identity;
  readonly note?: string | undefined;
  /** The head of the run's session that the person has seen; if the branch has moved since, nothing is recorded. */
  readonly seen?: Oid | undefined;
}

export interface AnsweredRequest {
  readonly place: RunPlace;
  readonly request: PersonRequest;
  readonly answer: PersonAnswer;
  /** The same answer was on record already. */
  readonly repeated: boolean;
}

/**
 * Answers a question of a held run. An answer is a decision: only the owner gives it (P-10a), and it is recorded before the run
 * sees it (S-8); if the run has a session, first as a commit of its branch. The value is checked against the form of the question before anything is written. Idempotent: a repetition with
 * the same value completes what a crash left undone; with another value it throws INVALID_TRANSITION with the recorded answer.
 */
export async function answerRequest(garden: Garden, wish: AnswerWish): Promise<AnsweredRequest> {
  if (!isPerson(wish.by)) throw onlyOwnerAnswers(wish.by);
  const { place, request } = await findRequest(garden, wish);
  const earlier = await answerOf(garden.store, place, request.id);
  if (!earlier) {
    const fault = answerFault({ kind: "human", name: "ask-human", payload: request.ask as Payload }, wish.value);
    if (fault) throw wrongAnswerForm(request, fault);
    if (await garden.store.get(keys.runManifest(place.slug, place.run))) throw questionOfEndedRun(request);
    const to = (await cancelOf(garden.store, place))?.moved_to;
    if (to) throw questionMoved(request, to.run_id);
  }
  const answer = earlier ?? (await giveAnswer(garden, place, request, { ...wish, by: identityName(wish.by) }));
  if (canonicalId(answer.value) !== canonicalId(wish.value)) throw answeredOtherwise(request, answer);
  await settleAnswer(garden, request, answer);
  return { place, request, answer, repeated: earlier !== undefined };
}

async function findRequest(
  garden: Pick<Garden, "store" | "signals">,
  { request: id, run }: AnswerWish,
): Promise<{ place: RunPlace; request: PersonRequest }> {
  const { store } = garden;
  if (id === undefined) {
    const open = (await openRequests(garden)).filter(({ run_id }) => run_id === run);
    if (open.length !== 1) throw notOneOpenQuestion(run ?? "?", open);
    return { place: { slug: open[0]!.agent_slug, run: open[0]!.run_id }, request: open[0]! };
  }
  const of = runOfRequest(id);
  const place = of === undefined ? undefined : await findRun({ store }, of).catch(() => undefined);
  const found = place && (await requestsOf(store, place)).find(({ request }) => request.id === id);
  if (!place || !found) throw noSuchQuestion(id);
  return { place, request: found.request };
}
