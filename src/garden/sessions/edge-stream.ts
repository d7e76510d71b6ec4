import type { Oid } from "../../domain/git/git-names.ts";
import { EDGES_REF } from "../../domain/layout.ts";
import {
  type EdgeEvent,
  EdgeSet,
  edgeEvent,
  edgeFields,
  type SessionEdge,
  sessionEdge,
} from "../../domain/session/edges.ts";
import { decodeSystemCommit, encodeSystemCommit } from "../../domain/session/typed-commit.ts";
import type { RefMove, Repo } from "../../ports/repo.ts";
import { landRefs, untilLanded } from "./land-refs.ts";
import { gatewaySignature, type SessionGarden } from "./session-garden.ts";

/** S-4: the edges that hold now, folded from the event stream. */
export async function readEdges(repo: Repo): Promise<EdgeSet> {
  return new EdgeSet(await edgeEvents(repo));
}

/** All events, oldest first. */
export const edgeEvents = async (repo: Repo): Promise<readonly EdgeEvent[]> =>
  eventsAt(repo, await repo.resolve(EDGES_REF));

/** Events by the commit that the ref named: only newer commits are read. */
const known = new WeakMap<Repo, { readonly at: Oid; readonly events: readonly EdgeEvent[] }>();

async function eventsAt(repo: Repo, at: Oid | undefined): Promise<readonly EdgeEvent[]> {
  if (at === undefined) return [];
  const cached = known.get(repo);
  const fresh: EdgeEvent[] = [];
  let next: Oid | undefined = at;
  // A long stream that nothing is known of comes from one walk of git; a few new events are read one by one.
  const all = cached ? undefined : new Map((await repo.history(at, "")).map((commit) => [commit.oid, commit]));
  while (next !== undefined && next !== cached?.at) {
    const commit: { message: string; parents: readonly Oid[] } = all?.get(next) ?? (await repo.commit(next));
    const event = edgeEvent(decodeSystemCommit(commit.message, "edge"));
    if (event) fresh.push(event);
    next = commit.parents[0];
  }
  // A ref that was rewritten does not contain what is known: then everything was read.
  const events = [...(next === undefined ? [] : (cached?.events ?? [])), ...fresh.toReversed()];
  known.set(repo, { at, events });
  return events;
}

/** The move of the edges ref that records an event; undefined if the event changes nothing. */
export const edgeMove = (garden: SessionGarden, event: EdgeEvent): Promise<RefMove | undefined> =>
  edgeMoves(garden, [event]);

/** The same for several events, one commit each. */
export async function edgeMoves(
  { repo, world }: Pick<SessionGarden, "repo" | "world">,
  events: readonly EdgeEvent[],
): Promise<RefMove | undefined> {
  const from = await repo.resolve(EDGES_REF);
  const set = new EdgeSet(await eventsAt(repo, from));
  let to = from;
  for (const event of events) {
    const edge = sessionEdge(event);
    if (!set.apply(event) && !event.review) continue;
    const by = gatewaySignature(world.now());
    to = await repo.build(
      {
        parents: to === undefined ? [] : [to],
        edits: [],
        author: by,
        committer: by,
        ...encodeSystemCommit("edge", `${event.op}: ${edge.from} ${edge.kind} ${edge.to}`, edgeFields(event)),
      },
      { durable: "with-move" },
    );
  }
  return to === from ? undefined : { ref: EDGES_REF, from, to, reason: "bloom edge" };
}

/** True if the edge was not there before. */
export const relateSessions = (garden: SessionGarden, edge: SessionEdge): Promise<boolean> =>
  record(garden, { op: "assert", ...edge });

/** True if the edge was there. */
export const unrelateSessions = (garden: SessionGarden, edge: SessionEdge): Promise<boolean> =>
  record(garden, { op: "retract", ...edge });

function record(garden: SessionGarden, event: EdgeEvent): Promise<boolean> {
  return untilLanded(garden, [EDGES_REF], async () => {
    const move = await edgeMove(garden, event);
    if (!move) return false;
    return (await landRefs(garden, [move])).kind === "landed" ? true : undefined;
  });
}
