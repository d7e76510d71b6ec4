import { useQueries, useQuery } from "@tanstack/react-query";
import type { AnswerOf } from "../../api/client.ts";
import type { ProposalCard, Request, Run } from "../../api/endpoints.gen.ts";
import { query } from "../../api/queries.ts";

/** Everything that needs the owner. */
export interface Needs {
  readonly requests: readonly Request[];
  readonly proposals: readonly ProposalCard[];
  /** True if there are more proposals than were read. */
  readonly hasMore: boolean;
  /** Agents that stopped, and why (C-7). */
  readonly troubles: AnswerOf<"GET /agents">["troubles"];
  /** The last run of each agent whose last run failed. A later run of the same agent takes it off the list. */
  readonly failed: readonly Run[];
  /** Approved changes that could not be applied. */
  readonly unapplied: readonly ProposalCard[];
}

/** Undefined while it is read; the error of the first query that failed without older data. */
export function useNeedsOfToday(): {
  readonly needs?: Needs;
  readonly error?: Error;
  readonly again: () => void;
  readonly readAt: number;
} {
  const asked = useQuery(query("GET /requests", {}));
  const pending = useQuery(query("GET /proposals/pending", { query: { limit: "100" } }));
  const unapplied = useQuery(query("GET /proposals/history", { query: { status: "failed", limit: "5" } }));
  const agents = useQuery(query("GET /agents", {}));
  const failing = agents.data?.agents.filter(({ last_run_status }) => last_run_status === "failed") ?? [];
  const failures = useQueries({
    queries: failing.map(({ slug }) => query("GET /runs", { query: { agent: slug, state: "failed", limit: "1" } })),
  });
  const queries = [asked, pending, unapplied, agents, ...failures];
  const again = (): void => queries.forEach((one) => void (one.error && one.refetch()));
  const readAt = asked.dataUpdatedAt;
  const error = queries.find((one) => one.error && one.data === undefined)?.error;
  if (error) return { error, again, readAt };
  if (!asked.data || !pending.data || !unapplied.data || !agents.data || failures.some(({ data }) => !data))
    return { again, readAt };
  return {
    needs: {
      requests: asked.data.requests,
      proposals: pending.data.proposals,
      hasMore: pending.data.next !== undefined,
      troubles: agents.data.troubles,
      failed: failures.flatMap(({ data }) => data?.runs ?? []),
      unapplied: unapplied.data.proposals,
    },
    again,
    readAt,
  };
}
