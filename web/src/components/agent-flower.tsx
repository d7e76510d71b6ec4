import { useQuery } from "@tanstack/react-query";
import { flowerHues, flowerRings } from "../../../src/domain/flower.ts";
import type { AnswerOf } from "../api/client.ts";
import { query } from "../api/queries.ts";
import { FLOWER_PX, Flower } from "./flower.tsx";

/** The face of an agent: its hue among the agents of this garden, a ring more from 10 and from 100 approvals, its state. */
export function AgentFlower({ slug, size = FLOWER_PX.row }: { readonly slug: string; readonly size?: number }) {
  const { data } = useQuery(query("GET /agents", {}));
  const agent = data?.agents.find((each) => each.slug === slug);
  const look = agent?.status === "draft" ? "draft" : agent?.status === "paused" ? "paused" : undefined;
  return (
    <Flower
      of={slug}
      size={size}
      rings={flowerRings(agent?.approvals ?? 0)}
      hue={data && huesOf(data.agents).get(slug)}
      look={look}
    />
  );
}

type Agents = AnswerOf<"GET /agents">["agents"];
const known = new WeakMap<Agents, ReadonlyMap<string, number>>();

/** Hues by slug, kept per answer. The oldest agent chooses first. */
function huesOf(agents: Agents): ReadonlyMap<string, number> {
  const before = known.get(agents);
  if (before) return before;
  const oldestFirst = agents.toSorted(
    (a, b) => a.created_at.localeCompare(b.created_at) || a.slug.localeCompare(b.slug),
  );
  const hues = flowerHues(oldestFirst.map(({ slug }) => slug));
  known.set(agents, hues);
  return hues;
}
