import { headOf } from "../../core/main-head.ts";
import { openRunSession, type RunSession } from "../../sessions/run-session.ts";
import { sessionLog } from "../../sessions/topology.ts";
import { git } from "../../testing/scratch.ts";
import { runBrief } from "../brief.ts";
import { stepsOf } from "./agent-ground.ts";
import { type HeldOrder, startedOrder } from "./held-order.ts";

export interface HeldSession extends HeldOrder {
  readonly session: string;
  readonly behaviour: string | null;
}

/** A run that waits at its first question and has a session. */
export async function heldSession(...args: Parameters<typeof startedOrder>): Promise<HeldSession> {
  return withSession(await startedOrder(...args));
}

export async function withSession(held: HeldOrder): Promise<HeldSession> {
  const { name, behaviour } = await sessionFor(held);
  return { ...held, session: name, behaviour };
}

/** Opens the session of a run as its worker does. */
export async function sessionFor({
  garden,
  place,
}: HeldOrder): Promise<RunSession & { readonly behaviour: string | null }> {
  const brief = runBrief.parse((await stepsOf(garden, place))[0]!.output);
  const session = await openRunSession(garden, place, {
    at: await headOf(garden.repo),
    goal: "Take the order",
    contract: brief.contract_hash,
    logic: brief.logic_version,
    behaviour: brief.behaviour_id,
    trigger: "manual",
  });
  return { ...session, behaviour: brief.behaviour_id };
}

/** The commits of the session, newest first, as `kind: message`. */
export const logOf = async ({ garden, session }: HeldSession): Promise<string[]> =>
  (await sessionLog(garden.repo, session)).commits.map(({ typed }) => `${typed?.kind}: ${typed?.message}`);

export const gitIn = ({ garden }: HeldOrder, ...args: string[]): string => git(garden.dir, ...args);
