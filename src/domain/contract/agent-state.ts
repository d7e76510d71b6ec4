/** The states of an agent and what may follow each (source 001 §4.1, C-6). */
export const agentStates = ["draft", "active", "paused", "error", "archived"] as const;
export type AgentState = (typeof agentStates)[number];

/** All allowed moves. Deletion is not a state: it needs `archived` and removes the file. */
export const agentMoves: Readonly<Record<AgentState, readonly AgentState[]>> = {
  draft: ["active", "archived"],
  active: ["paused", "error", "archived"],
  paused: ["active", "archived"],
  error: ["active", "paused", "archived"],
  archived: ["draft"],
};

export const isAgentState = (text: unknown): text is AgentState => agentStates.some((state) => state === text);
