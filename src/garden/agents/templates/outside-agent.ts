import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import type { AgentTemplate } from "./template.ts";

/** The grant of an agent outside of the garden: it becomes the contract that every gate checks. */
export interface OutsideGrant {
  readonly actions: readonly Action[];
  /** The folder that it sees and may propose to change; absent for all notes. */
  readonly folder?: string | undefined;
  /** Changes that it may propose in a minute; absent for the garden's limit. */
  readonly perMinute?: number | undefined;
}

/**
 * An agent that works elsewhere and is a member of the garden all the same: its contract is its grant, and its own procedure asks a
 * person, which is how a program outside gets an answer that is recorded like every other.
 */
export const outsideAgentTemplate = ({ actions, folder, perMinute }: OutsideGrant): AgentTemplate => ({
  id: "outside-agent",
  group: "answer",
  name: { uk: "Агент поза садом", en: "Agent outside of the garden" },
  purpose: {
    uk: "Працює поза садом і приходить через MCP чи HTTP; тут лише питає людину",
    en: "Works elsewhere and comes in over MCP or HTTP; here it only asks a person",
  },
  reads: { uk: "нотатки, які йому відкрито", en: "the notes that are open to it" },
  model: FOLLOWER,
  tools: ["read-notes", "search-notes", "create-proposal", "ask-human", ...memoryTools(actions)],
  safe_outputs: actions,
  settings: {
    execution: "flow",
    ...(folder !== undefined && { folder }),
    ...(perMinute !== undefined && { budget: { changes_per_minute: perMinute } }),
  },
  role: {
    uk: "Ти працюєш поза цим садом. Усе, що ти хочеш змінити, стає пропозицією, яку вирішує людина.",
    en: "You work outside of this garden. Everything that you want to change becomes a proposal that a person decides.",
  },
  procedure: {
    uk: `ПОЧАТОК "Питання до людини"
  ПАРАМЕТРИ: question

  відповідь ← ask-human(question)

КІНЕЦЬ
`,
    en: `BEGIN "A question to a person"
  PARAMETERS: question

  answer ← ask-human(question)

END
`,
  },
});

const memoryTools = (actions: readonly Action[]): ("propose-memory-update" | "propose-logic-update")[] => [
  ...(actions.includes("memory-update") ? (["propose-memory-update"] as const) : []),
  ...(actions.includes("logic-update") ? (["propose-logic-update"] as const) : []),
];
