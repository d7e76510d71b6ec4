import { type QueryClient, queryOptions } from "@tanstack/react-query";
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

/** Everything that was read from endpoints whose path begins so is asked for again when it is next looked at. */
export const outdate = (client: QueryClient, ...paths: readonly string[]): Promise<void> =>
  client.invalidateQueries({
    predicate: ({ queryKey: [endpoint] }) =>
      typeof endpoint === "string" && paths.some((path) => endpoint.startsWith(`GET ${path}`)),
  });
