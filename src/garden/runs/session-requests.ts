import type { Json } from "../../base/canonical.ts";
import { Failure } from "../../base/failure.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import type { Identity } from "../../domain/identity.ts";
import { type PersonRequest, runOfRequest } from "../../domain/run/request.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { runSessionsOf } from "../sessions/run-session.ts";
import { genesisOf } from "../sessions/topology.ts";
import { type AnsweredRequest, answerRequest } from "./answer.ts";
import { openRequests } from "./hold.ts";
import { findRun } from "./read-runs.ts";

/** An open question of a session to a person. */
export interface SessionRequest {
  readonly session: string;
  /** The newest commit of the session: a decision can name it as the one that it is about. */
  readonly head: Oid;
  readonly request: PersonRequest;
}

/** S-8: the open questions of all sessions, oldest first, derived from the records of their runs. */
export async function sessionRequests(garden: Pick<Garden, "repo" | "store" | "signals">): Promise<SessionRequest[]> {
  const open = await openRequests(garden);
  const sessions = await runSessionsOf(
    garden.repo,
    open.map(({ agent_slug: slug, run_id: run }) => ({ slug, run })),
  );
  return open.flatMap((request) => {
    const session = sessions.get(request.run_id);
    return session ? [{ session: session.name, head: session.head, request }] : [];
  });
}

export interface SessionDecisionWish {
  readonly session: string;
  /** Needed if the session has several open questions. */
  readonly request?: string | undefined;
  readonly value: Json;
  readonly by: Identity;
  readonly note?: string | undefined;
  /** See `AnswerWish`. */
  readonly seen?: Oid | undefined;
}

/** S-8: `answerRequest` for a session. Throws NOT_FOUND if the session is not there, is no run's, or does not ask this. */
export async function decideInSession(garden: Garden, wish: SessionDecisionWish): Promise<AnsweredRequest> {
  const { session, request, ...decision } = wish;
  const run = await runOfSession(garden, session);
  if (request !== undefined && runOfRequest(request) !== run) throw notAskedBy(session, request);
  return await answerRequest(garden, { ...decision, ...(request === undefined ? { run } : { request }) });
}

async function runOfSession({ repo }: Pick<Garden, "repo">, session: string): Promise<string> {
  const run = (await genesisOf(repo, session))?.typed?.fields["run"];
  if (typeof run !== "string") throw sessionWithoutRun(session);
  return run;
}

/** The run whose work a session is. Throws NOT_FOUND. */
export const placeOfSession = async (garden: Pick<Garden, "repo" | "store">, session: string): Promise<RunPlace> =>
  findRun(garden, await runOfSession(garden, session));

const sessionWithoutRun = (session: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `the session ${session} is not the work of a run: it asks nothing, and cannot be forked`,
    uk: `сесія ${session} — не робота запуску: вона нічого не питає, і її не розгалузити`,
    hint: { en: "`bloom session requests` lists what waits.", uk: "`bloom session requests` показує, що чекає." },
    details: { session },
  });

const notAskedBy = (session: string, request: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `${request} is no question of the session ${session}`,
    uk: `${request} — не запитання сесії ${session}`,
    hint: { en: "`bloom session requests` lists what waits.", uk: "`bloom session requests` показує, що чекає." },
    details: { session, request },
  });
