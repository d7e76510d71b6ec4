import type { Orchestrator } from "../../../ports/orchestrator.ts";

/**
 * The embedded engine of a process that carries out no runs (`bloom up --role gateway`): an offer needs no delivery, because the
 * workers find open runs in the store.
 */
export const idleOrchestrator: Orchestrator = {
  name: "embedded",
  start: () => undefined,
  offer: async () => undefined,
  interrupt: () => undefined,
  settled: async () => undefined,
  health: async () => ({ ok: true, running: 0, waiting: 0 }),
  close: async () => undefined,
};
