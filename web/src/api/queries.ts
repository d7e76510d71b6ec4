import { type Query, type QueryClient, queryOptions } from "@tanstack/react-query";
import { type AnswerOf, call, type Endpoint, type RequestOf } from "./client.ts";

/** Options of `useQuery` for one endpoint. The key begins with the endpoint, so that events can invalidate queries by path. */
export const query = <E extends Endpoint & `GET ${string}`>(endpoint: E, request: RequestOf<E>) =>
  queryOptions<AnswerOf<E>>({
    queryKey: [endpoint, request],
    queryFn: ({ signal }) => call(endpoint, { ...request, signal }),
  });

/** Options of `useQuery` for the whole diagram that an agent follows, or of another version of it. */
export const diagramQuery = (slug: string, version?: string) =>
  query("GET /logic/:agentId/read", {
    params: { agentId: slug },
    query: { format: "drakon", maxTokens: "100000", ...(version !== undefined && { version }) },
  });

/** Invalidates every query of endpoints whose path begins with one of `paths`. Mounted ones are refetched at once. */
export const invalidate = (client: QueryClient, ...paths: readonly string[]): Promise<void> =>
  invalidateWhere(
    client,
    ({ queryKey: [endpoint] }) =>
      typeof endpoint === "string" && paths.some((path) => endpoint.startsWith(`GET ${path}`)),
  );

export async function invalidateWhere(client: QueryClient, matches: (query: Query) => boolean): Promise<void> {
  const matching = client.getQueryCache().findAll({ predicate: matches });
  await Promise.all(matching.map((each) => refetchAfterCurrent(client, each)));
}

/** Queries in flight that will be fetched once more. */
const pendingRefetches = new WeakMap<Query, Promise<void>>();

/**
 * Invalidates a query after the fetch in flight, whose answer may be older than the change. That fetch is never cancelled, or a busy
 * garden would never be shown; and there is at most one more, however many changes come meanwhile.
 */
function refetchAfterCurrent(client: QueryClient, target: Query): Promise<void> {
  const pending = pendingRefetches.get(target);
  if (pending) return pending;
  const refetch = (): Promise<void> => client.invalidateQueries({ predicate: (each) => each === target });
  const inFlight = target.state.fetchStatus === "fetching" ? target.promise : undefined;
  if (!inFlight) return refetch();
  const afterwards = (async () => {
    await Promise.allSettled([inFlight]);
    pendingRefetches.delete(target);
    await refetch();
  })();
  pendingRefetches.set(target, afterwards);
  return afterwards;
}
