import type { Text } from "../../base/text.ts";
import { keys } from "../../domain/layout.ts";
import { requestIdOf } from "../../domain/run/request.ts";
import {
  type AttemptPart,
  attemptKeyParts,
  attemptRecord,
  isSuspect,
  type RunAttempt,
} from "../../domain/run/run-attempt.ts";
import type { Store } from "../../ports/store.ts";
import { createRecord } from "../core/flow/create-record.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Pause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, readJson } from "../core/json-record.ts";
import { operationMark } from "../records/proposals/operation-mark.ts";
import type { SessionGarden } from "../sessions/session-garden.ts";
import { AGAIN, CANCEL, choiceIn, type RunDecision } from "./decision-request.ts";
import { answerOf, askPerson } from "./hold.ts";
import type { RunSight } from "./run-sight.ts";

/** The work of this process on a run that an earlier process left open. */
export interface BegunAttempt {
  /** The process still answers, some seconds after the replay. Recorded once. */
  alive(): Promise<void>;
  /** The work stopped in order and will go on later. */
  over(): Promise<void>;
}

type AttemptDeps = Pick<Garden, "store" | "signals" | "config"> & SessionGarden & { readonly pause: Pause };

/**
 * Records that this process begins to work on a run that it found open. A run during which the process ended twice without a
 * record is not taken up again by itself: it could end this process too (memory, endless loop). Then a person is asked.
 * After the answer "again" the count begins anew.
 */
export async function beginAttempt(
  deps: AttemptDeps,
  place: RunPlace,
  { stepKeys, attemptKeys }: Pick<RunSight, "stepKeys" | "attemptKeys">,
): Promise<BegunAttempt | RunDecision> {
  const { store } = deps;
  const records = stepKeys.length;
  const attempts = await attemptsOf(store, attemptKeys);
  const last = attempts.at(-1)?.attempt ?? 0;
  const asked = await lastAnswer(store, place, last);
  if (asked?.kind === "cancel") return asked;
  const since = attempts.filter(({ attempt }) => attempt > (asked?.attempt ?? 0));
  if (isSuspect(since, records)) return await askToGoOn(deps, place, last);
  const record = async (part: AttemptPart): Promise<void> => {
    const made = attemptRecord.parse({
      at: new Date(deps.world.now()).toISOString(),
      records,
      op: operationMark(deps.world),
    });
    await createRecord(deps, keys.runAttempt(place.slug, place.run, last + 1, part), jsonBytes(made));
  };
  await record("began");
  let isAlive = false;
  return {
    async alive() {
      if (isAlive) return;
      isAlive = true;
      await record("alive");
    },
    over: () => record("over"),
  };
}

async function askToGoOn(deps: AttemptDeps, place: RunPlace, attempt: number): Promise<RunDecision> {
  const question = MAY_GO_ON[deps.config.language ?? "uk"];
  const { request } = await askPerson(deps, place, {
    tag: tagOf(attempt),
    reason: "interrupted",
    ask: { question, form: "choice", options: [AGAIN, CANCEL] },
  });
  return { kind: "asked", request: request.id };
}

/** The last attempt after which a person was asked, and the answer. */
async function lastAnswer(
  store: Store,
  place: RunPlace,
  last: number,
): Promise<
  { readonly kind: "again"; readonly attempt: number } | Extract<RunDecision, { kind: "cancel" }> | undefined
> {
  for (let attempt = last; attempt > 0; attempt--) {
    const answer = await answerOf(store, place, requestIdOf(place.run, tagOf(attempt)));
    if (!answer) continue;
    if (choiceIn(answer) === CANCEL) return { kind: "cancel", by: answer.by, why: answer.note };
    return { kind: "again", attempt };
  }
  return undefined;
}

async function attemptsOf(store: Store, attemptKeys: readonly string[]): Promise<RunAttempt[]> {
  const found = new Map<number, { attempt: number; records: number; parts: AttemptPart[] }>();
  for (const key of attemptKeys) {
    const named = attemptKeyParts(key);
    const stored = named && (await store.get(key));
    if (!stored) continue;
    const { attempt, part } = named;
    const one = found.get(attempt) ?? { attempt, records: -1, parts: [] };
    found.set(attempt, one);
    one.parts.push(part);
    if (part === "began") one.records = readJson(key, stored.bytes, attemptRecord).records;
  }
  return [...found.values()].toSorted((a, b) => a.attempt - b.attempt);
}

const tagOf = (attempt: number): string => `b${String(attempt).padStart(2, "0")}`;

const MAY_GO_ON: Text = {
  en: "The program ended several times while it worked on this run, each time before the next step was recorded. The run may be the cause. Try again, or cancel the run?",
  uk: "Програма кілька разів завершилася під час цього запуску, щоразу до запису наступного кроку. Можливо, причина в самому запуску. Спробувати ще раз чи скасувати запуск?",
};
