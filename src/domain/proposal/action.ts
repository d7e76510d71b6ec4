/** Actions (P-4), and who may approve each (P-9). One row per action. */
export const actionTable = {
  "propose-note": { byRule: true, inBatch: true, event: "note/created" },
  "propose-edit": { byRule: true, inBatch: true, event: "note/updated" },
  "propose-tag": { byRule: true, inBatch: true, event: "note/updated" },
  "propose-comment": { byRule: true, inBatch: true, event: "comment/approved" },
  "propose-summary": { byRule: true, inBatch: true, event: "artifact/created" },
  "propose-artifact": { byRule: true, inBatch: true, event: "artifact/created" },
  "memory-update": { byRule: true, inBatch: true, event: "memory/updated" },
  "logic-update": { byRule: false, inBatch: false, event: "logic/updated" },
  "logic-rollback": { byRule: false, inBatch: false, event: "logic/updated" },
  "propose-merge": { byRule: false, inBatch: false, event: "session/merged" },
} as const satisfies Record<string, { byRule: boolean; inBatch: boolean; event: string }>;

export type Action = keyof typeof actionTable;
export const actions = Object.keys(actionTable) as readonly Action[];
export const isAction = (text: string): text is Action => Object.hasOwn(actionTable, text);
/** Actions that an owner's rule may approve: never logic, never a merge. */
export const ruleActions = actions.filter((action) => actionTable[action].byRule);
