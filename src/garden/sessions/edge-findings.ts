import { isSessionRef } from "../../domain/federation/peer-origin.ts";
import { EDGES_REF } from "../../domain/layout.ts";
import { type EdgeEvent, MERGES, type SessionEdge, SUB_AGENT_OF } from "../../domain/session/edges.ts";
import { archivedSessions } from "./archive-session.ts";
import { readEdges, relateSessions, unrelateSessions } from "./edge-stream.ts";
import type { SessionFinding } from "./session-finding.ts";
import type { SessionGarden } from "./session-garden.ts";
import { logFrom, sessionHeads } from "./topology.ts";

/** Sub-agents and merges are in the commits too: the stream of edges must say the same (S-4). Other kinds are only in the stream. */
export async function* edgeFindings(garden: SessionGarden): AsyncGenerator<SessionFinding> {
  for (const event of await edgeDifferences(garden)) {
    const edge = `${event.from} ${event.kind} ${event.to}`;
    yield {
      where: EDGES_REF,
      what:
        event.op === "assert"
          ? {
              en: `the edge ${edge} is in the commits and not in the stream`,
              uk: `зв'язок ${edge} є в комітах, але не в потоці`,
            }
          : {
              en: `the edge ${edge} is in the stream and in no commit`,
              uk: `зв'язок ${edge} є в потоці, але не в комітах`,
            },
      repair: async () => {
        const isStill = (await edgeDifferences(garden)).some(
          ({ op, kind, from, to }) => op === event.op && kind === event.kind && from === event.from && to === event.to,
        );
        if (isStill) await (event.op === "assert" ? relateSessions : unrelateSessions)(garden, plain(event));
      },
    };
  }
}

const plain = ({ kind, from, to }: SessionEdge): SessionEdge => ({ kind, from, to });
const keyOf = ({ kind, from, to }: SessionEdge): string => `${kind} ${from} ${to}`;

/** The events that would make the stream equal to the commits. */
async function edgeDifferences(garden: SessionGarden): Promise<readonly EdgeEvent[]> {
  const { edges: derived, unknown } = await derivedEdges(garden);
  const stream = (await readEdges(garden.repo)).all().filter(({ kind }) => kind === SUB_AGENT_OF || kind === MERGES);
  const known = new Set(stream.map(keyOf));
  return [
    ...[...derived.values()]
      .filter((edge) => !known.has(keyOf(edge)))
      .map((edge) => ({ op: "assert" as const, ...edge })),
    ...stream
      .filter((edge) => !derived.has(keyOf(edge)) && !unknown.has(edge.from))
      .map((edge) => ({ op: "retract" as const, ...edge })),
  ];
}

/** `unknown`: sessions whose commits do not tell, and main, whose merges are on record with their proposals. */
async function derivedEdges(
  garden: SessionGarden,
): Promise<{ readonly edges: ReadonlyMap<string, SessionEdge>; readonly unknown: ReadonlySet<string> }> {
  const { repo } = garden;
  const edges = new Map<string, SessionEdge>();
  const unknown = new Set(["main"]);
  const add = (kind: string, from: string, to: unknown): void => {
    if (typeof to !== "string" || !isSessionRef(to) || from === to) return;
    const edge = { kind, from, to };
    edges.set(keyOf(edge), edge);
  };
  for (const { name, head } of [...(await sessionHeads(repo)), ...(await archivedSessions(repo))]) {
    const { commits, genesis } = await logFrom(repo, name, head);
    if (genesis) add(SUB_AGENT_OF, name, genesis.typed?.fields["parent"]);
    else unknown.add(name);
    for (const { commit, typed } of commits)
      if (typed?.kind === "session-merge" && typed.fields["agent"] === name && commit.parents.length > 1)
        add(MERGES, name, typed.fields["merged"]);
  }
  return { edges, unknown };
}
