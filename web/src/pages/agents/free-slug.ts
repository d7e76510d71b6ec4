import { useQuery } from "@tanstack/react-query";
import { query } from "../../api/queries.ts";

/** The slug itself, or with the first number that no agent has: `tagger-2`. */
export function useFreeSlug(wanted: string): string {
  const { data } = useQuery(query("GET /agents", {}));
  const taken = new Set(data?.agents.map(({ slug }) => slug));
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number++) if (!taken.has(`${wanted}-${number}`)) return `${wanted}-${number}`;
}
