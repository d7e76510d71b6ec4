import { isSlug } from "../../../../src/domain/contract/slug.ts";
import { MERGES, SUB_AGENT_OF } from "../../../../src/domain/session/edges.ts";
import type { AnswerOf } from "../../api/client.ts";
import type { GraphLaneRow } from "./branch-layout.ts";

export type ListedSession = AnswerOf<"GET /sessions">["sessions"][number];
export type SessionEdges = AnswerOf<"GET /sessions">["edges"];

/** The sessions that each one was spawned by. Of several, the first counts. */
function parentsOf(edges: SessionEdges): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const { kind, from, to } of edges) if (kind === SUB_AGENT_OF && !parents.has(from)) parents.set(from, to);
  return parents;
}

/** Sessions whose merge waits for a decision. */
export const proposedIn = (sessions: readonly ListedSession[]): ReadonlySet<string> =>
  new Set(sessions.flatMap(({ name, proposal }) => (proposal === undefined ? [] : [name])));

/** The session itself, all above it and all below these: what its page draws. */
export function sessionFamily(name: string, edges: SessionEdges): readonly string[] {
  const parents = parentsOf(edges);
  let root = name;
  for (const seen = new Set([name]); ; seen.add(root)) {
    const above = parents.get(root);
    if (above === undefined || seen.has(above)) break;
    root = above;
  }
  const found = new Set([root]);
  for (const each of found) for (const [below, above] of parents) if (above === each) found.add(below);
  // A session that merged it, or that it merged, without being its relative.
  for (const { kind, from, to } of edges) {
    if (kind !== MERGES) continue;
    if (from === name) found.add(to);
    if (to === name) found.add(from);
  }
  // Branches of other gardens are not in the picture.
  return [...found.add(name)].filter(isSlug);
}

/** Main, then every session with its sub-agents below it. */
export function laneRows(names: readonly string[], edges: SessionEdges): readonly GraphLaneRow[] {
  const parents = parentsOf(edges);
  const known = new Set(names);
  const above = (name: string): string | undefined => {
    const parent = parents.get(name);
    return parent !== undefined && known.has(parent) ? parent : undefined;
  };
  const rows: GraphLaneRow[] = [{ name: "", tone: "main", depth: 0 }];
  const done = new Set<string>();
  const put = (name: string, depth: number): void => {
    if (done.has(name)) return;
    done.add(name);
    rows.push({ name, tone: parents.has(name) ? "sub" : "session", depth });
    for (const each of names) if (above(each) === name) put(each, depth + 1);
  };
  for (const name of names) if (above(name) === undefined) put(name, 0);
  for (const name of names) put(name, 0); // a circle of edges has no top
  return rows;
}
