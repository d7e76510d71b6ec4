import type { Json } from "../../base/canonical.ts";
import { Failure } from "../../base/failure.ts";
import type { Identity } from "../../domain/identity.ts";
import { type PersonRequest, runOfRequest } from "../../domain/run/request.ts";
import type { RunRequest } from "../../domain/run/run.ts";
import { answerFault, type Payload } from "../../drakon/walk/request.ts";
import { readJournal } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { noSuchQuestion, wrongAnswerForm } from "./failures.ts";
import { forkRun } from "./fork.ts";
import { requestsOf } from "./hold.ts";
import { findRun } from "./read-runs.ts";

export interface WhatIfWish {
  /** A question of a run, answered or open. */
  readonly request: string;
  /** The other answer. */
  readonly value: Json;
  readonly note?: string | undefined;
  readonly by: Identity;
  readonly correlation?: string | undefined;
}

const ASK_HUMAN = "ask-human";

/**
 * S-7: "what if I had answered otherwise": an experiment that shares everything before the question and gets this answer to it. Throws
 * VALIDATION_FAILED for an answer in the wrong form, and for a question that the program asked about itself (a repeated call).
 */
export async function whatIfAnswered(garden: Garden, wish: WhatIfWish): Promise<RunRequest> {
  const { request: id, value, note, by, correlation } = wish;
  const run = runOfRequest(id);
  const place = run === undefined ? undefined : await findRun(garden, run).catch(() => undefined);
  const found = place && (await requestsOf(garden.store, place)).find(({ request }) => request.id === id);
  if (!place || !found) throw noSuchQuestion(id);
  const { request } = found;
  if (request.reason !== "asked") throw notOfTheLogic(request);
  const fault = answerFault({ kind: "human", name: ASK_HUMAN, payload: request.ask as Payload }, value);
  if (fault) throw wrongAnswerForm(request, fault);
  const question = id.slice(id.lastIndexOf("_") + 1);
  const records = (await readJournal(garden.store, place))?.records ?? [];
  const asked = records.filter(({ name }) => name === ASK_HUMAN)[Number(question) - 1];
  const at = asked ? asked.position - 1 : (records.at(-1)?.position ?? 0);
  const answer = { question, value, ...(note !== undefined && { note }) };
  return await forkRun(garden, { place, at, by, correlation, whatIf: { answer } });
}

const notOfTheLogic = ({ id, reason }: PersonRequest): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${id} is a question about the run itself (${reason}), not of its logic: no other answer can be tried`,
    uk: `${id} — запитання про сам запуск (${reason}), а не його логіки: іншу відповідь не випробувати`,
    details: { request: id, reason },
  });
