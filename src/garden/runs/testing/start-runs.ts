import type { Garden } from "../../core/garden.ts";
import { type RunsEngine, runsEngine } from "../runs-engine.ts";
import type { RunsOptions } from "../runs-options.ts";

/** An engine that has begun to work. */
export async function startRuns(garden: Garden, options: RunsOptions): Promise<RunsEngine> {
  const engine = runsEngine(garden, options);
  await engine.start();
  return engine;
}
