import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { query } from "../api/queries.ts";
import { Flower } from "./flower.tsx";

/** The garden and its flower, which grows from its first commit. Leads to Today. */
export function GardenName() {
  const garden = useQuery({ ...query("GET /me", {}), staleTime: Number.POSITIVE_INFINITY }).data?.garden;
  return (
    <Link to="/" className="garden" title={garden?.name} {...(!garden && { "aria-label": "Garden Bloom" })}>
      <span className="garden-flower">{garden && <Flower of={garden.first_commit} size={26} />}</span>
      {garden && <b>{garden.name}</b>}
    </Link>
  );
}
