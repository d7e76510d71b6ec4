import type { Orchestrator } from "../../../ports/orchestrator.ts";
import { type RemoteEngineOptions, remoteOrchestrator } from "../remote/remote-orchestrator.ts";
import { RestateLink, type RestateOptions } from "./restate-link.ts";

/** Restate as the engine of a garden. */
export const restateOrchestrator = (options: Omit<RemoteEngineOptions, "link"> & RestateOptions): Orchestrator =>
  remoteOrchestrator({ ...options, link: new RestateLink(options) });
