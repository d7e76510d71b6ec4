import { crashPoint } from "../../../base/crash-point.ts";
import { newId } from "../../../base/ids.ts";
import { type Identity, identityName, isPerson } from "../../../domain/identity.ts";
import { type RunRequest, runRequest } from "../../../domain/run/run.ts";
import { journalId } from "../../../domain/run/run-manifest.ts";
import { type Journal, type RunPlace, readJournal } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { readAgent } from "../../records/agents/read-agent.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { briefId, loadBrief, type RunBrief } from "../../runs/brief.ts";
import { cancelOf, cancelRun } from "../../runs/cancel-run.ts";
import { agentNotRunnable, noSuchRun } from "../../runs/failures.ts";
import { sharedRecords } from "../../runs/fork.ts";
import { requestsOf } from "../../runs/hold.ts";
import { openRunWith } from "../../runs/request-run.ts";
import { runIdForCorrelation } from "../../runs/run-correlation.ts";
import { pinnedContext } from "../../runs/run-pins.ts";
import { checkMove, type MovePlan } from "./move-check.ts";
import {
  cancelledMeanwhile,
  forkStays,
  notHeld,
  onlyOwnerMoves,
  pathParts,
  versionIsCurrent,
} from "./move-failures.ts";

export interface MoveWish {
  readonly place: RunPlace;
  readonly by: Identity;
  /** Makes the request idempotent: the same id in every repetition (P-3). */
  readonly correlation?: string | undefined;
}

/**
 * Moves a held run to the current contract and logic version (O-3a): a new run continues from its recorded steps, and it ends as
 * cancelled. Throws INVALID_TRANSITION with the place if the replay check does not find the same path.
 *
 * One record decides: the cancel of the held run, which contains the request of the new one. From then on the held run makes no step.
 * The process that ends it creates the new run first, so after a crash exactly one of the two runs can go on. A run is moved
 * once: a repetition gets the same new run.
 */
export async function moveRun(garden: Garden, { place, by, correlation }: MoveWish): Promise<RunRequest> {
  if (!isPerson(by)) throw onlyOwnerMoves(by);
  const asked = { slug: place.slug, by: identityName(by), what: ["move", place.run] };
  const id = correlation === undefined ? undefined : await runIdForCorrelation(garden, { ...asked, correlation });
  const earlier = await cancelOf(garden.store, place);
  if (earlier?.moved_to) return await openRunWith(garden, earlier.moved_to);
  const journal = await heldJournal(garden, place);
  const brief = await loadBrief(garden, place, journal.request);
  const plan = await planOf(garden, place, brief);
  if (plan.kind !== "same") throw pathParts(place, plan);
  const draft = await requestFor(garden, place, journal, { id, by: asked.by, checked: briefId(brief) });
  const { moved_to } = await cancelRun(garden, place, {
    by: asked.by,
    why: `moved to ${draft.run_id}`,
    moved_to: draft,
  });
  if (!moved_to) throw cancelledMeanwhile(place.run);
  crashPoint("runs.move.decided");
  return await openRunWith(garden, moved_to);
}

/** The replay check alone. Throws as `moveRun` does if the run cannot be moved at all. */
export async function planMove(garden: Garden, place: RunPlace): Promise<MovePlan> {
  const { request } = await heldJournal(garden, place);
  return await planOf(garden, place, await loadBrief(garden, place, request));
}

/** The current logic version, if this run is held under another one. */
export async function newerVersionFor(garden: Garden, place: RunPlace): Promise<string | undefined> {
  const [pinned, now] = [
    await pinnedContext(garden, place),
    await readAgent(garden.store, place.slug).catch(() => undefined),
  ];
  const to = now?.contract.logic_version;
  return to !== undefined && pinned && pinned.logic_version !== to ? to : undefined;
}

async function planOf(garden: Garden, place: RunPlace, brief: RunBrief): Promise<MovePlan> {
  const from = (await pinnedContext(garden, place))?.logic_version ?? null;
  const { logic_version: to, agent_status: status } = brief;
  if (from === to) throw versionIsCurrent(place, to);
  if (status !== null && status !== "active") throw agentNotRunnable(place.slug, status);
  return { ...(await checkMove(garden, place, brief)), from, to };
}

/** The journal of a run that waits for the answer to a question of its own, and for nothing else. */
async function heldJournal({ store }: Garden, place: RunPlace): Promise<Journal & { readonly request: RunRequest }> {
  const journal = await readJournal(store, place);
  const request = journal?.request;
  if (!journal || !request) throw noSuchRun(place.run);
  if (request.forked_from) throw forkStays(place.run, request.forked_from.run);
  const open = (await requestsOf(store, place)).filter(({ answer }) => !answer);
  if (journal.manifest || open.length !== 1 || open[0]!.request.reason !== "asked")
    throw notHeld(place.run, journal.manifest?.status);
  if (await cancelOf(store, place)) throw cancelledMeanwhile(place.run);
  return { ...journal, request };
}

async function requestFor(
  { store, world }: Garden,
  place: RunPlace,
  { request, records }: Journal & { readonly request: RunRequest },
  { id, by, checked }: { readonly id: string | undefined; readonly by: string; readonly checked: string },
): Promise<RunRequest> {
  const step = records.at(-1)!.position;
  const shared = await sharedRecords(store, place, { first: 2, last: step });
  return runRequest.parse({
    kind: "request",
    run_id: id ?? newId(world, "run"),
    agent_slug: place.slug,
    trigger: "manual",
    cause: `moved from ${place.run}`,
    by,
    requested_at: new Date(world.now()).toISOString(),
    ...(request.input !== undefined && { input: request.input }),
    ...(request.chain && { chain: request.chain }),
    ...(request.spawned_by && { spawned_by: request.spawned_by }),
    ...(request.ceiling && { ceiling: request.ceiling }),
    moved_from: { run: place.run, step, journal: journalId(shared), checked },
    op: operationMark(world),
  });
}
