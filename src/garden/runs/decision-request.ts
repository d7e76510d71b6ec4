import type { Failure } from "../../base/failure.ts";
import { type PersonAnswer, requestIdOf } from "../../domain/run/request.ts";
import type { Store } from "../../ports/store.ts";
import { isDecisionNeeded } from "../core/flow/decision-needed.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Pause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import { answerOf, askPerson } from "./hold.ts";

/** The options of a person when a run cannot continue by itself. */
export const AGAIN = "again";
export const CANCEL = "cancel";

/** Each repeated question about the same step has the next letter in its id: calls in flight, and a changed program. */
const LETTERS = { "in-flight": "cdefghijklm", changed: "nopqrstuvwxyz" } as const;

export type RunDecision =
  | { readonly kind: "asked"; readonly request: string }
  | { readonly kind: "cancel"; readonly by: string; readonly why: string | undefined };

/**
 * Holds a run that needs a decision with a question instead of failing it: may a call that was in flight be repeated, or may a run
 * that the changed program cannot replay be tried again? The person can also cancel it, or fork it before that step.
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
    if (answer) continue; // it was repeated, and was interrupted again
    try {
      await askPerson(garden, place, { tag, reason, ask: { question, form: "choice", options: [AGAIN, CANCEL] } });
    } catch (error) {
      // The same question was asked before in other words: that one stays open.
      if (!isDecisionNeeded(error)) throw error;
    }
    return { kind: "asked", request: id };
  }
  return { kind: "cancel", by: "gateway", why: failure.text.en };
}

/** True if a person has decided that a call which has begun this many times may begin once more. */
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

export const choiceIn = ({ value }: PersonAnswer): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value["choice"] : undefined;
