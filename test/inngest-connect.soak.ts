import { orchestratorConformance } from "../src/adapters/orchestrator/conformance.ts";
import { inngestPlace } from "../src/adapters/orchestrator/testing/inngest-place.ts";

orchestratorConformance("inngest, connect", (limit) => inngestPlace({ limit, mode: "connect" }), {
  soonMs: 20_000,
  hourMs: 60_000,
  randomRuns: 2,
  workMs: 20,
});
