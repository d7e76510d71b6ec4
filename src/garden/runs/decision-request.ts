import type { Failure } from "../../base/failure.ts";
import { type PersonAnswer, requestIdOf } from "../../domain/run/request.ts";
import type { Store } from "../../ports/store.ts";
import { isDecisionNeeded } from "../core/flow/decision-needed.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Pause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import { answerOf, askPerson } from "./hold.ts";

/** What a person may decide about a run that cannot go on by itself. */
const AGAIN = "again";
const CANCEL = "cancel";

/** One letter per time that the same thing was asked: for acts in flight, and for a program that has changed. */
const LETTERS = { "in-flight": "cdefghijklm", changed: "nopqrstuvwxyz" } as const;

export type RunDecision =
  | { readonly kind: "asked"; readonly request: string }
  | { readonly kind: "cancel"; readonly by: string; readonly why: string | undefined };

/**
 * A run that needs a decision is held with a question, not failed: whether an act that was under way may be tried again, or
 * whether a run that a changed program cannot replay is looked at once more. Either way it can be cancelled; forking it before
 * that step is always possible beside it.
 */
export async function askForDecision(
  garden: Garden & { readonly pause: Pause },
  place: RunPlace,
  failure: Failure,
): Promise<RunDecision> {
  const reason = failure.details["decision"] === "in-flight" ? "in-flight" : "changed";
  const position = Number(failure.details["position"]);
  const language = garden.config.language ?? "uk";
  const question = [failure.text[language], failure.hint?.[language]].filter((text) => text !== undefined).join("\n");
  for (const letter of LETTERS[reason]) {
    const tag = `${letter}${String(position).padStart(2, "0")}`;
    const id = requestIdOf(place.run, tag);
    const answer = await answerOf(garden.store, place, id);
    if (answer && choiceIn(answer) === CANCEL) return { kind: "cancel", by: answer.by, why: answer.note };
    if (answer) continue; // it was tried again, and is in doubt again
    try {
      await askPerson(garden, place, {
        tag,
        reason,
        ask: { question, form: "choice", options: [AGAIN, CANCEL] },
      });
    } catch (error) {
      // Asked before, in other words: the question stands.
      if (!isDecisionNeeded(error)) throw error;
    }
    return { kind: "asked", request: id };
  }
  return { kind: "cancel", by: "gateway", why: failure.text.en };
}

/** Whether somebody has said that an act which has begun this many times may begin once more. */
export async function mayRepeat(
  store: Store,
  place: RunPlace,
  { position, times }: { readonly position: number; readonly times: number },
): Promise<boolean> {
  const letter = LETTERS["in-flight"][times - 1];
  if (letter === undefined) return false;
  const id = requestIdOf(place.run, `${letter}${String(position).padStart(2, "0")}`);
  const answer = await answerOf(store, place, id);
  return answer !== undefined && choiceIn(answer) === AGAIN;
}

/** The form of the question asks for it. */
const choiceIn = ({ value }: PersonAnswer): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value["choice"] : undefined;
