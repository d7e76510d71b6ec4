import { Failure } from "../../base/failure.ts";
import { type Identity, identityName } from "../../domain/identity.ts";
import { EDGES_REF } from "../../domain/layout.ts";
import { isReviewOutcome, REVIEWS, type SessionReview } from "../../domain/session/edges.ts";
import { MAIN_SESSION } from "../../domain/session/session-name.ts";
import type { Repo } from "../../ports/repo.ts";
import { edgeEvents, edgeMove } from "./edge-stream.ts";
import { landRefs, untilLanded } from "./land-refs.ts";
import { anySessionHead } from "./peer-sessions.ts";
import type { SessionGarden } from "./session-garden.ts";

const MAX_TEXT = 20_000;

export interface ReviewWish {
  /** A session of this garden, or of another one (`alice/scout`). */
  readonly session: string;
  readonly outcome: string;
  readonly text: string;
}

/**
 * S-4: what a person says about the work of a session at its newest commit. It is an event among the edges, and merges nothing. Throws NOT_FOUND,
 * VALIDATION_FAILED.
 */
export async function reviewSession(
  garden: SessionGarden,
  { session, outcome, text }: ReviewWish,
  by: Identity,
): Promise<SessionReview> {
  if (!isReviewOutcome(outcome)) throw wrongOutcome(outcome);
  const words = text.trim().toWellFormed();
  if (words === "" || words.length > MAX_TEXT) throw wrongText();
  const head = await anySessionHead(garden.repo, session);
  const at = new Date(garden.world.now()).toISOString();
  const review: SessionReview = { outcome, text: words, head, at, by: identityName(by) };
  const event = { op: "assert", kind: REVIEWS, from: MAIN_SESSION, to: session, review } as const;
  await untilLanded(garden, [EDGES_REF], async () => {
    const move = (await edgeMove(garden, event))!;
    return (await landRefs(garden, [move])).kind === "landed" ? true : undefined;
  });
  return review;
}

/** The reviews of a session, newest first. */
export const reviewsOf = async (repo: Repo, session: string): Promise<readonly SessionReview[]> =>
  (await edgeEvents(repo))
    .flatMap(({ kind, to, review }) => (kind === REVIEWS && to === session && review ? [review] : []))
    .toReversed();

const wrongOutcome = (outcome: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${JSON.stringify(outcome)} is no outcome of a review`,
    uk: `${JSON.stringify(outcome)} — не підсумок огляду`,
    hint: {
      en: "`good`, `changes` (something should be changed) or `comment`",
      uk: "`good` (добре), `changes` (слід змінити) або `comment` (зауваження)",
    },
    details: { field: "outcome" },
  });

const wrongText = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `a review has a text of at most ${MAX_TEXT} characters`,
    uk: `огляд має текст, не довший за ${MAX_TEXT} символів`,
    details: { field: "text" },
  });
