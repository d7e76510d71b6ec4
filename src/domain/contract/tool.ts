import { type Action, actions } from "../proposal/action.ts";

/**
 * The tools that a contract may name. `serves` lists the safe outputs that a tool can produce; a tool without
 * any only reads or asks (C-5).
 */
const proposals = actions.filter((action) => action.startsWith("propose-"));

export const toolTable = {
  "read-context": [],
  "read-notes": [],
  "search-notes": [],
  "broken-links": [],
  "find-lines": [],
  "web-links": [],
  today: [],
  "read-memory": [],
  "write-memory": ["memory-update"],
  "memory-diff": [],
  "search-memory": [],
  "memory-snapshot": [],
  "read-drakon": [],
  "read-logic": [],
  "logic-diff": [],
  "logic-performance": [],
  "read-runs": [],
  "list-agents": [],
  "read-changelog": [],
  "analyse-logic": [],
  "tried-before": [],
  "notebooklm-query": [],
  /** These three act on the branch of the run (`workspace: session`), which the run proposes to merge when it ends. */
  "write-note": ["propose-merge"],
  "move-note": ["propose-merge"],
  "delete-note": ["propose-merge"],
  /** Its result is merged into the same branch. */
  "spawn-agent": ["propose-merge"],
  "create-proposal": proposals,
  "propose-memory-update": ["memory-update"],
  "propose-logic-update": ["logic-update", "logic-rollback"],
  "ask-human": [],
} as const satisfies Record<string, readonly Action[]>;

export type Tool = keyof typeof toolTable;
export const tools = Object.keys(toolTable) as readonly Tool[];
export const isTool = (name: string): name is Tool => Object.hasOwn(toolTable, name);

/** Tools that make commits on the branch of the run. */
export const branchTools = ["write-note", "move-note", "delete-note", "spawn-agent"] as const satisfies readonly Tool[];

/** Actions that a tool can propose; empty for a read-only tool. */
export const servedBy = (tool: string): readonly Action[] => (isTool(tool) ? toolTable[tool] : []);
export const safeOutputTools = tools.filter((tool) => toolTable[tool].length > 0);
