import { z } from "zod";
import { derivedId } from "../../base/ids.ts";
import { slugField } from "../identity.ts";
import { requestIdOf, runRequestId } from "./request.ts";
import { runId } from "./run-manifest.ts";

/** The tool with which a run asks for a sub-agent. Its call holds the run until that agent's run is over. */
export const SPAWN_AGENT = "spawn-agent";

/** The step with which the run of a sub-agent ends: the head of its branch, and how many files it changed. */
export const HAND_OVER = "hand-over";

export const MAX_GOAL = 2000;

const commit = z.string().regex(/^[0-9a-f]{40}$/);

/**
 * `sub-runs/<id>.json` of the run that asks: created once, before the run of the sub-agent is requested. That run's id is derived from
 * this record, so a repetition after a crash finds the same run.
 */
export const subRun = z.strictObject({
  id: runRequestId,
  run_id: runId,
  agent_slug: slugField,
  child: z.strictObject({ agent: slugField, run: runId }),
  /** Hash of the arguments of the call. */
  asked: commit,
  /** The session of the run that asks, and its head: the sub-agent begins there. */
  session: z.string(),
  at: commit,
  asked_at: z.iso.datetime(),
  op: z.string(),
});
export type SubRun = z.infer<typeof subRun>;

/** In the request of a sub-agent's run: the run that waits for it. */
export const spawnedBy = subRun
  .pick({ session: true, at: true })
  .extend({ run: runId, agent: slugField, request: runRequestId });
export type SpawnedBy = z.infer<typeof spawnedBy>;

/** The same in every replay: the run and the number of its sub-agent. */
export const subRunIdOf = (run: string, number: number): string =>
  requestIdOf(run, `s${String(number).padStart(2, "0")}`);

/** True if a run that is held by this request waits for a sub-agent, and not for a person. */
export const isSubRunId = (request: string): boolean => /_s\d{2,5}$/.test(request);

/** The id of the sub-agent's run: by the time of the record, so that it sorts behind the run that asked. */
export const childRunId = (id: string, askedAt: string): string => derivedId("run", Date.parse(askedAt), `spawn:${id}`);
