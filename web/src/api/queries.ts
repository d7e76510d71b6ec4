import { type Query, type QueryClient, queryOptions } from "@tanstack/react-query";
import { type AnswerOf, type Asked, call, type Endpoint } from "./client.ts";

/**
 * A reading of one endpoint, for `useQuery`. The key begins with the endpoint, so that what happened in the garden can make
 * everything out of date that may show it.
 */
export const reading = <E extends Endpoint & `GET ${string}`>(endpoint: E, asked: Asked<E>) =>
  queryOptions<AnswerOf<E>>({
    queryKey: [endpoint, asked],
    queryFn: ({ signal }) => call(endpoint, { ...asked, signal }),
  });

/** Everything that was read from endpoints whose path begins so is asked for again: what is looked at now, the rest when it is. */
export const outdate = (client: QueryClient, ...paths: readonly string[]): Promise<void> =>
  outdateWhere(
    client,
    ({ queryKey: [endpoint] }) =>
      typeof endpoint === "string" && paths.some((path) => endpoint.startsWith(`GET ${path}`)),
  );

export async function outdateWhere(client: QueryClient, isMeant: (query: Query) => boolean): Promise<void> {
  const meant = client.getQueryCache().findAll({ predicate: isMeant });
  await Promise.all(meant.map((query) => renewed(client, query)));
}

/** Readings under way that are to be read once more. */
const again = new WeakMap<Query, Promise<void>>();

/**
 * An answer that is on its way may have been made before the change. It is waited for and asked for once more: never cut off, or a
 * garden in which much happens would never be shown; and once, however much happens meanwhile.
 */
function renewed(client: QueryClient, query: Query): Promise<void> {
  const waits = again.get(query);
  if (waits) return waits;
  const renew = (): Promise<void> => client.invalidateQueries({ predicate: (each) => each === query });
  const underWay = query.state.fetchStatus === "fetching" ? query.promise : undefined;
  if (!underWay) return renew();
  const afterwards = (async () => {
    await Promise.allSettled([underWay]);
    again.delete(query);
    await renew();
  })();
  again.set(query, afterwards);
  return afterwards;
}
