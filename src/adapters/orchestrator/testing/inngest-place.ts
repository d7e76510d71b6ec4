import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { inngestOrchestrator } from "../inngest/inngest-orchestrator.ts";
import { fastClock, serveEndpoint } from "./engine-http.ts";
import { EVENT_KEY, InngestExecutor, inngestSdk, SIGNING_KEY } from "./inngest-executor.ts";

/** The clocks of the orchestrator and of the executor are so many times faster than the real one. */
export const INNGEST_SPEED = 20;

/** An orchestrator at an executor of its own, or at a given one. */
export async function inngestPlace({
  limit = 4,
  given,
  clock = fastClock(INNGEST_SPEED),
  carriesOut = true,
  mode = "serve",
  signingKey = SIGNING_KEY,
}: {
  readonly limit?: number;
  readonly given?: InngestExecutor | undefined;
  readonly clock?: ReturnType<typeof fastClock>;
  readonly carriesOut?: boolean;
  readonly mode?: "serve" | "connect";
  readonly signingKey?: string;
} = {}) {
  const sdk = await inngestSdk();
  const executor = given ?? (await new InngestExecutor(clock.now, INNGEST_SPEED).start());
  let waits = 0;
  let at: string | undefined;
  const orchestrator = inngestOrchestrator({
    world: { now: clock.now, random: (count) => randomBytes(count) },
    limit,
    forgetMs: 3_600_000,
    wait: async (ms, signal) => {
      waits++;
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    },
    url: executor.url,
    eventKey: EVENT_KEY,
    signingKey,
    mode,
    workerUrl: () => at,
    app: "bloom",
    sdk,
    carriesOut,
  });
  const { endpoint } = orchestrator;
  const http = endpoint ? await serveEndpoint(endpoint) : { url: "", close: async () => undefined };
  at = http.url;
  return {
    orchestrator,
    executor,
    http,
    now: clock.now,
    pass: (ms: number) => sleep(clock.pace(ms)).then(() => undefined),
    waits: () => waits,
    close: async () => {
      await http.close();
      if (!given) await executor.stop();
    },
  };
}
