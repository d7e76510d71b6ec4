import type { Garden } from "../../core/garden.ts";
import { type RunsEngine, type RunsOptions, runsEngine } from "../runs-engine.ts";

/** An engine that has begun to work. */
export async function startRuns(garden: Garden, options: RunsOptions): Promise<RunsEngine> {
  const engine = runsEngine(garden, options);
  await engine.start();
  return engine;
}
