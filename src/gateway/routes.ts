import type { Route } from "./route.ts";
import { healthRoute, openApiRoute, pageRoute } from "./routes/about.ts";
import {
  agentListRoutes,
  agentRoute,
  agentStatusRoute,
  artifactRoute,
  artifactsRoute,
  changeOutputsRoute,
  changeStatusRoute,
  contractRoute,
} from "./routes/agents.ts";
import { auditRoute, whyRoute } from "./routes/audit.ts";
import { eventsRoute } from "./routes/events.ts";
import { entriesRoute, inboxStatsRoute, submitRoute } from "./routes/inbox.ts";
import { logicDiffRoute, proposeLogicRoute, readLogicRoute } from "./routes/logic.ts";
import {
  logicChangelogRoute,
  logicHeatRoute,
  logicPerformanceRoute,
  logicRationaleRoute,
  logicRollbackRoute,
  logicVersionsRoute,
} from "./routes/logic-figures.ts";
import { memoryRoutes } from "./routes/memory.ts";
import { memorySnapshotRoutes } from "./routes/memory-snapshots.ts";
import { emitRoute } from "./routes/named-events.ts";
import { askRoute, folderRoute, linesRoute, linksRoute, noteRoute, notesRoute, searchRoute } from "./routes/notes.ts";
import {
  batchRoute,
  decideRoute,
  historyRoute,
  makeReportRoute,
  pendingRoute,
  proposalRoute,
  reportRoute,
} from "./routes/proposals.ts";
import { requestRoutes } from "./routes/requests.ts";
import { runRoutes } from "./routes/runs.ts";
import { settingsRoutes } from "./routes/settings.ts";
import { meRoute, signInRoute, signOutRoute } from "./routes/sign-in.ts";
import { newTokenRoute, revokeTokenRoute, tokensRoute } from "./routes/tokens.ts";

/** All endpoints. The first match wins, so fixed names come before parameters. */
export const routes: readonly Route[] = [
  pageRoute,
  healthRoute,
  openApiRoute,
  signInRoute,
  signOutRoute,
  meRoute,
  submitRoute,
  inboxStatsRoute,
  entriesRoute,
  pendingRoute,
  historyRoute,
  batchRoute,
  proposalRoute,
  reportRoute,
  makeReportRoute,
  decideRoute,
  readLogicRoute,
  proposeLogicRoute,
  logicDiffRoute,
  logicPerformanceRoute,
  logicVersionsRoute,
  logicChangelogRoute,
  logicRationaleRoute,
  logicHeatRoute,
  logicRollbackRoute,
  ...memoryRoutes,
  ...memorySnapshotRoutes,
  ...runRoutes,
  ...requestRoutes,
  ...agentListRoutes,
  agentRoute,
  contractRoute,
  artifactsRoute,
  artifactRoute,
  agentStatusRoute,
  changeStatusRoute,
  changeOutputsRoute,
  notesRoute,
  noteRoute,
  folderRoute,
  searchRoute,
  linksRoute,
  linesRoute,
  askRoute,
  auditRoute,
  whyRoute,
  eventsRoute,
  emitRoute,
  ...settingsRoutes,
  tokensRoute,
  newTokenRoute,
  revokeTokenRoute,
];
