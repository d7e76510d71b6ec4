import type { Orchestrator } from "../../../ports/orchestrator.ts";
import { type RemoteEngineOptions, remoteOrchestrator } from "../remote/remote-orchestrator.ts";
import { InngestLink, type InngestOptions } from "./inngest-link.ts";

/** Inngest as the engine of a garden. */
export const inngestOrchestrator = (options: Omit<RemoteEngineOptions, "link"> & InngestOptions): Orchestrator =>
  remoteOrchestrator({ ...options, link: new InngestLink(options) });
