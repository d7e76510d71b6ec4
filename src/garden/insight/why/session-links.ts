import type { Text } from "../../../base/text.ts";
import { TRACE_REF } from "../../../domain/layout.ts";
import type { Commit } from "../../../ports/repo.ts";
import { traceIdOf, tracesOf } from "../../sessions/traces.ts";
import type { Chain } from "./chain.ts";
import type { SessionOrigin } from "./session-origin.ts";

/** The trace that is bound to a commit of a session: what was said and called before it. */
export async function traceLink(chain: Chain, commit: Commit, depth: number): Promise<void> {
  const { repo } = chain.garden;
  const id = await traceIdOf(repo, commit.oid);
  if (id === undefined) return;
  const entries = (await tracesOf(repo, commit.oid)).reduce((sum, trace) => sum + trace.entries.length, 0);
  chain.add({
    kind: "trace",
    id,
    where: `${TRACE_REF}:${commit.oid}`,
    direction: "because",
    depth,
    what: { en: `trace of the commit, ${entries} entries`, uk: `слід коміту, записів: ${entries}` },
  });
}

export const inSession = ({ session, merge }: SessionOrigin): readonly Text[] => [
  { en: `written in the session ${session}`, uk: `написано в сесії ${session}` },
  ...(merge === undefined ? [{ en: "the session is not merged", uk: "сесію не злито" }] : []),
];
