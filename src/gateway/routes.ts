import type { Route } from "./route.ts";
import { aboutRoutes } from "./routes/about.ts";
import { agentTokenRoutes } from "./routes/agent-tokens.ts";
import { agentRoutes } from "./routes/agents.ts";
import { auditRoutes } from "./routes/audit.ts";
import { careRoutes } from "./routes/care.ts";
import { eventRoutes } from "./routes/events.ts";
import { experimentRoutes } from "./routes/experiments.ts";
import { federationRoutes } from "./routes/federation.ts";
import { gardenRoutes } from "./routes/gardens.ts";
import { importRoutes } from "./routes/imports.ts";
import { inboxRoutes } from "./routes/inbox.ts";
import { legacyRoutes } from "./routes/legacy.ts";
import { libraryRoutes } from "./routes/library.ts";
import { libraryFigureRoutes } from "./routes/library-figures.ts";
import { logicRoutes } from "./routes/logic.ts";
import { logicFigureRoutes } from "./routes/logic-figures.ts";
import { mcpRoutes } from "./routes/mcp.ts";
import { memoryRoutes } from "./routes/memory.ts";
import { memorySnapshotRoutes } from "./routes/memory-snapshots.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { modelRoutes } from "./routes/models.ts";
import { newAgentRoutes } from "./routes/new-agents.ts";
import { noteMapRoutes } from "./routes/note-map.ts";
import { noteRoutes } from "./routes/notes.ts";
import { notifyRoutes } from "./routes/notify.ts";
import { oauthRoutes } from "./routes/oauth.ts";
import { oauthConsentRoutes } from "./routes/oauth-consent.ts";
import { peerSessionRoutes } from "./routes/peer-sessions.ts";
import { proposalPartRoutes } from "./routes/proposal-parts.ts";
import { proposalRoutes } from "./routes/proposals.ts";
import { publicSpaceRoutes } from "./routes/public-space.ts";
import { requestRoutes } from "./routes/requests.ts";
import { runRoutes } from "./routes/runs.ts";

import { sessionChangeRoutes } from "./routes/session-changes.ts";

import { sessionPartRoutes } from "./routes/session-parts.ts";

import { sessionRequestRoutes } from "./routes/session-requests.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { settingsRoutes } from "./routes/settings.ts";
import { signInRoutes } from "./routes/sign-in.ts";
import { storyRoutes } from "./routes/story.ts";
import { tokenRoutes } from "./routes/tokens.ts";
import { traceRoutes } from "./routes/traces.ts";
import { trialRoutes } from "./routes/trials.ts";

/** All endpoints. The first match wins, so fixed names come before parameters. */
export const routes: readonly Route[] = [
  ...aboutRoutes,
  ...metricsRoutes,
  ...signInRoutes,
  ...inboxRoutes,
  ...proposalRoutes,
  ...proposalPartRoutes,
  ...logicRoutes,
  ...logicFigureRoutes,
  ...memoryRoutes,
  ...memorySnapshotRoutes,
  ...runRoutes,
  ...requestRoutes,
  ...sessionRoutes,
  ...federationRoutes,
  ...peerSessionRoutes,
  ...libraryFigureRoutes,
  ...libraryRoutes,
  ...publicSpaceRoutes,
  ...sessionChangeRoutes,
  ...traceRoutes,
  ...sessionPartRoutes,
  ...sessionRequestRoutes,
  ...experimentRoutes,
  ...newAgentRoutes,
  ...importRoutes,
  ...legacyRoutes,
  ...agentRoutes,
  ...trialRoutes,
  ...agentTokenRoutes,
  ...mcpRoutes,
  ...oauthRoutes,
  ...oauthConsentRoutes,
  ...noteRoutes,
  ...noteMapRoutes,
  ...auditRoutes,
  ...storyRoutes,
  ...eventRoutes,
  ...settingsRoutes,
  ...careRoutes,
  ...gardenRoutes,
  ...notifyRoutes,
  ...modelRoutes,
  ...tokenRoutes,
];
