import type { Tool } from "../../../domain/contract/tool.ts";
import type { RunTool } from "../../../ports/runtime.ts";
import { askHumanTool } from "./ask-human.ts";
import { analyseLogicTool } from "./logic/analyse-logic.ts";
import { listAgentsTool } from "./logic/list-agents.ts";
import { logicDiffTool } from "./logic/logic-diff.ts";
import { logicPerformanceTool } from "./logic/logic-performance.ts";
import { readChangelogTool } from "./logic/read-changelog.ts";
import { readDrakonTool } from "./logic/read-drakon.ts";
import { readLogicTool } from "./logic/read-logic.ts";
import { readRunsTool } from "./logic/read-runs.ts";
import { triedBeforeTool } from "./logic/tried-before.ts";
import { memoryDiffTool } from "./memory/memory-diff.ts";
import { memorySnapshotTool } from "./memory/memory-snapshot.ts";
import { readMemoryTool } from "./memory/read-memory.ts";
import { searchMemoryTool } from "./memory/search-memory.ts";
import { noopTool } from "./noop.ts";
import { deleteNoteTool, moveNoteTool, writeNoteTool } from "./notes/branch-tools.ts";
import { brokenLinksTool } from "./notes/broken-links.ts";
import { findLinesTool } from "./notes/find-lines.ts";
import { notebooklmQueryTool } from "./notes/notebooklm-query.ts";
import { readContextTool } from "./notes/read-context.ts";
import { readNotesTool } from "./notes/read-notes.ts";
import { searchNotesTool } from "./notes/search-notes.ts";
import { webLinksTool } from "./notes/web-links.ts";
import { createProposalTool } from "./propose/create-proposal.ts";
import { proposeLogicUpdateTool } from "./propose/propose-logic-update.ts";
import { proposeMemoryUpdateTool } from "./propose/propose-memory-update.ts";
import { writeMemoryTool } from "./propose/write-memory.ts";
import { spawnAgentTool } from "./spawn-agent.ts";
import { todayTool } from "./today.ts";
import type { GardenTool, ToolContext } from "./tool.ts";

export type { ToolContext } from "./tool.ts";

/** One row per tool of R-3. A new tool is one file, its row in `domain/tool.ts` and this one. */
const toolTable: Readonly<Record<Tool, GardenTool>> = {
  "read-context": readContextTool,
  "read-notes": readNotesTool,
  "search-notes": searchNotesTool,
  "broken-links": brokenLinksTool,
  "find-lines": findLinesTool,
  "web-links": webLinksTool,
  today: todayTool,
  "read-memory": readMemoryTool,
  "write-memory": writeMemoryTool,
  "memory-diff": memoryDiffTool,
  "search-memory": searchMemoryTool,
  "memory-snapshot": memorySnapshotTool,
  "read-drakon": readDrakonTool,
  "read-logic": readLogicTool,
  "logic-diff": logicDiffTool,
  "logic-performance": logicPerformanceTool,
  "read-runs": readRunsTool,
  "list-agents": listAgentsTool,
  "read-changelog": readChangelogTool,
  "analyse-logic": analyseLogicTool,
  "tried-before": triedBeforeTool,
  "notebooklm-query": notebooklmQueryTool,
  "write-note": writeNoteTool,
  "move-note": moveNoteTool,
  "delete-note": deleteNoteTool,
  "spawn-agent": spawnAgentTool,
  "create-proposal": createProposalTool,
  "propose-memory-update": proposeMemoryUpdateTool,
  "propose-logic-update": proposeLogicUpdateTool,
  "ask-human": askHumanTool,
};

/** The tools of a run: those that its contract names, and `noop`. */
export const toolsFor = (context: ToolContext): readonly RunTool[] => [
  ...[...new Set(context.contract.tools)].map((tool) => toolTable[tool](context)),
  noopTool(context),
];
