import type { Command } from "./command.ts";
import { agentCommand } from "./commands/agent.ts";
import { auditCommand } from "./commands/audit.ts";
import { backupCommand } from "./commands/backup.ts";
import { completeNamesCommand, completionCommand } from "./commands/completion.ts";
import { demoCommand } from "./commands/demo.ts";
import { diagramCommand } from "./commands/diagram.ts";
import { eventCommand } from "./commands/event.ts";
import { exportCommand } from "./commands/export.ts";
import { gardensCommand } from "./commands/gardens.ts";
import { helpCommand, versionCommand } from "./commands/help-and-version.ts";
import { importCommand } from "./commands/import.ts";
import { inboxCommand } from "./commands/inbox.ts";
import { initCommand } from "./commands/init.ts";
import { legacyCommand } from "./commands/legacy.ts";
import { libraryCommand } from "./commands/library.ts";
import { logicCommand } from "./commands/logic.ts";
import { maintainCommand } from "./commands/maintain.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { memoryCommand } from "./commands/memory.ts";
import { modelCommand } from "./commands/model.ts";
import { moveCommand } from "./commands/move.ts";
import { noteCommand } from "./commands/note.ts";
import { notifyCommand } from "./commands/notify.ts";
import { peerCommand } from "./commands/peer.ts";
import { proposalsCommand } from "./commands/proposals.ts";
import { proposeCommand } from "./commands/propose.ts";
import { fetchCommand, pullCommand, pushCommand } from "./commands/remotes.ts";
import { requestsCommand } from "./commands/requests.ts";
import { restoreCommand } from "./commands/restore.ts";
import { revertCommand } from "./commands/revert.ts";
import { reviewCommand } from "./commands/review.ts";
import { runCommand } from "./commands/run.ts";
import { runsCommand } from "./commands/runs.ts";
import { sandboxCommand } from "./commands/sandbox.ts";
import { sessionCommand } from "./commands/session.ts";
import { settingsCommand } from "./commands/settings.ts";
import { statusCommand } from "./commands/status.ts";
import { tokenCommand } from "./commands/token.ts";
import { traceCommand } from "./commands/trace.ts";
import { upCommand } from "./commands/up.ts";
import { upgradeCommand } from "./commands/upgrade.ts";
import { verifyCommand } from "./commands/verify.ts";
import { whyCommand } from "./commands/why.ts";
import { withdrawCommand } from "./commands/withdraw.ts";

/** All commands, in the order of the help page. */
export const commands: readonly Command[] = [
  initCommand,
  demoCommand,
  statusCommand,
  upCommand,
  gardensCommand,
  tokenCommand,
  mcpCommand,
  agentCommand,
  importCommand,
  legacyCommand,
  exportCommand,
  runCommand,
  runsCommand,
  requestsCommand,
  sandboxCommand,
  sessionCommand,
  peerCommand,
  libraryCommand,
  traceCommand,
  notifyCommand,
  modelCommand,
  settingsCommand,
  auditCommand,
  eventCommand,
  logicCommand,
  proposeCommand,
  proposalsCommand,
  reviewCommand,
  inboxCommand,
  noteCommand,
  memoryCommand,
  revertCommand,
  withdrawCommand,
  whyCommand,
  verifyCommand,
  diagramCommand,
  backupCommand,
  restoreCommand,
  moveCommand,
  upgradeCommand,
  fetchCommand,
  pullCommand,
  pushCommand,
  maintainCommand,
  helpCommand,
  versionCommand,
  completionCommand(() => commands),
  completeNamesCommand,
];
