import type { Tool } from "../../../domain/contract/tool.ts";
import type { RunTool } from "../../../ports/runtime.ts";
import { analyseLogicTool } from "./analyse-logic.ts";
import { askHuman } from "./ask-human.ts";
import { brokenLinks } from "./broken-links.ts";
import { createProposal } from "./create-proposal.ts";
import { listAgents } from "./list-agents.ts";
import { logicDiffTool } from "./logic-diff.ts";
import { logicPerformanceTool } from "./logic-performance.ts";
import { memoryDiffTool } from "./memory-diff.ts";
import { memorySnapshotTool } from "./memory-snapshot.ts";
import { noop } from "./noop.ts";
import { notebooklmQuery } from "./notebooklm-query.ts";
import { proposeLogicUpdate } from "./propose-logic-update.ts";
import { proposeMemoryUpdate } from "./propose-memory-update.ts";
import { readChangelog } from "./read-changelog.ts";
import { readContext } from "./read-context.ts";
import { readDrakon } from "./read-drakon.ts";
import { readLogicTool } from "./read-logic.ts";
import { readMemoryTool } from "./read-memory.ts";
import { readNotes } from "./read-notes.ts";
import { readRuns } from "./read-runs.ts";
import { searchMemoryTool } from "./search-memory.ts";
import { searchNotes } from "./search-notes.ts";
import type { GardenTool, ToolContext } from "./tool.ts";
import { triedBeforeTool } from "./tried-before.ts";
import { writeMemory } from "./write-memory.ts";

export type { ToolContext } from "./tool.ts";

/** One row per tool of R-3. A new tool is one file, its row in `domain/tool.ts` and this one. */
const toolTable: Readonly<Record<Tool, GardenTool>> = {
  "read-context": readContext,
  "read-notes": readNotes,
  "search-notes": searchNotes,
  "broken-links": brokenLinks,
  "read-memory": readMemoryTool,
  "write-memory": writeMemory,
  "memory-diff": memoryDiffTool,
  "search-memory": searchMemoryTool,
  "memory-snapshot": memorySnapshotTool,
  "read-drakon": readDrakon,
  "read-logic": readLogicTool,
  "logic-diff": logicDiffTool,
  "logic-performance": logicPerformanceTool,
  "read-runs": readRuns,
  "list-agents": listAgents,
  "read-changelog": readChangelog,
  "analyse-logic": analyseLogicTool,
  "tried-before": triedBeforeTool,
  "notebooklm-query": notebooklmQuery,
  "create-proposal": createProposal,
  "propose-memory-update": proposeMemoryUpdate,
  "propose-logic-update": proposeLogicUpdate,
  "ask-human": askHuman,
};

/** What a run may call: the tools that its contract names, and `noop`. Nothing else is there to be called. */
export const toolsFor = (context: ToolContext): readonly RunTool[] => [
  ...[...new Set(context.contract.tools)].map((tool) => toolTable[tool](context)),
  noop(context),
];
