import { appendFileSync } from "node:fs";
import { embeddedOrchestrator } from "../../../adapters/orchestrator/embedded/embedded-orchestrator.ts";
import { inngestOrchestrator } from "../../../adapters/orchestrator/inngest/inngest-orchestrator.ts";
import { restateOrchestrator } from "../../../adapters/orchestrator/restate/restate-orchestrator.ts";
import { serveEndpoint } from "../../../adapters/orchestrator/testing/engine-http.ts";
import { EVENT_KEY, inngestSdk, SIGNING_KEY } from "../../../adapters/orchestrator/testing/inngest-executor.ts";
import { restateSdk } from "../../../adapters/orchestrator/testing/restate-server.ts";
import { realWorld } from "../../../base/world.ts";
import type { Orchestrator } from "../../../ports/orchestrator.ts";
import type { Garden } from "../../core/garden.ts";
import { flowOf } from "./sample-flow.ts";
import { startRuns } from "./start-runs.ts";

export const ENGINE_KINDS = ["embedded", "restate", "inngest"] as const;
export type EngineKind = (typeof ENGINE_KINDS)[number];

/** Addresses of the servers. */
export interface EngineServers {
  readonly restate: { readonly url: string; readonly admin: string };
  readonly inngest: { readonly url: string };
}

interface Made {
  readonly orchestrator: Orchestrator;
  readonly close: () => Promise<void>;
}

async function engineOf(kind: EngineKind, servers: EngineServers, app: string): Promise<Made> {
  const [world, limit] = [realWorld, 2];
  if (kind === "embedded")
    return { orchestrator: embeddedOrchestrator({ world, limit }), close: async () => undefined };
  let at: string | undefined;
  const options = { world, limit, app, workerUrl: () => at };
  const orchestrator =
    kind === "restate"
      ? restateOrchestrator({ ...options, ...servers.restate, sdk: restateSdk })
      : inngestOrchestrator({
          ...options,
          ...servers.inngest,
          eventKey: EVENT_KEY,
          signingKey: SIGNING_KEY,
          mode: "serve",
          sdk: await inngestSdk(),
          carriesOut: true,
        });
  const http = await serveEndpoint(orchestrator.endpoint!);
  at = http.url;
  return { orchestrator, close: () => http.close() };
}

/**
 * Works on the runs of a garden with an engine of this kind, until `close`. A run has three steps; the second one waits while
 * `isStuck`. Effects are lines of the file `effects` beside the garden.
 */
export async function workWith(
  garden: Garden,
  how: { kind: EngineKind; servers: EngineServers; app: string; effects: string; isStuck: boolean },
): Promise<{ close(): Promise<void> }> {
  const { orchestrator, close } = await engineOf(how.kind, how.servers, how.app);
  const engine = await startRuns(garden, {
    orchestrator,
    leaseMs: 900,
    lookMs: 100,
    remindMs: 300,
    flow: flowOf(async ({ flow, signal }) => {
      for (const n of [1, 2, 3])
        await flow.step(`step-${n}`, { n }, async () => {
          if (n === 2 && how.isStuck) {
            appendFileSync(how.effects, "stuck\n");
            await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
          }
          appendFileSync(how.effects, `${n}\n`);
          return n;
        });
    }),
  });
  return {
    close: async () => {
      await engine.close();
      await close();
    },
  };
}
