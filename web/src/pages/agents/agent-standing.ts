import type { AnswerOf } from "../../api/client.ts";
import type { AgentFigures } from "../../api/endpoints.gen.ts";

type Agents = AnswerOf<"GET /agents">;
type Questions = AnswerOf<"GET /requests">["requests"];

export type Group = "needs" | "work" | "rest";

/** One agent of the list with everything that decides where it stands. */
export interface AgentStanding {
  readonly agent: Agents["agents"][number];
  readonly group: Group;
  /** Why it stopped (C-7). */
  readonly trouble: Agents["troubles"][number] | undefined;
  /** Its oldest open question. */
  readonly question: Questions[number] | undefined;
  readonly figures: AgentFigures | undefined;
}

/** In the order of the registry. An agent that stopped or asks needs the owner; an active one works; the others rest. */
export const standingsOf = (
  { agents, troubles }: Agents,
  figures: readonly AgentFigures[],
  questions: Questions,
): readonly AgentStanding[] =>
  agents.map((agent) => {
    const { slug, status, pending_proposals } = agent;
    const trouble = troubles.find((each) => each.slug === slug);
    const question = questions.find(({ agent_slug }) => agent_slug === slug);
    const needsOwner = trouble !== undefined || question !== undefined || pending_proposals > 0;
    return {
      agent,
      group: needsOwner ? "needs" : status === "active" ? "work" : "rest",
      trouble,
      question,
      figures: figures.find((each) => each.slug === slug),
    };
  });
