import { useQuery } from "@tanstack/react-query";
import { query } from "../api/queries.ts";

/** By place, the number of things that need a person: questions on Today, proposals in Review. None is undefined. */
export function useNeeds(): Readonly<Record<string, number | string | undefined>> {
  const pending = useQuery(query("GET /proposals/pending", { query: { limit: "100" } })).data;
  const questions = useQuery(query("GET /requests", {})).data;
  return {
    "/proposals": pending?.next === undefined ? pending?.proposals.length || undefined : "100+",
    "/": questions?.requests.length || undefined,
  };
}
