import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { inngestOrchestrator } from "../inngest/inngest-orchestrator.ts";
import { fastClock, serveEndpoint } from "./engine-http.ts";
import { EVENT_KEY, InngestExecutor, inngestSdk, SIGNING_KEY } from "./inngest-executor.ts";

/** The clocks of the orchestrator and of the executor are so many times faster than the real one. */
export const INNGEST_SPEED = 20;

interface InngestWorker {
  readonly limit?: number;
  readonly carriesOut?: boolean;
  readonly mode?: "serve" | "connect";
  readonly signingKey?: string;
}

/** An orchestrator at an executor of its own, or at a given one. */
export async function inngestPlace({
  given,
  clock = fastClock(INNGEST_SPEED),
  ...worker
}: InngestWorker & {
  readonly given?: InngestExecutor | undefined;
  readonly clock?: ReturnType<typeof fastClock>;
} = {}) {
  const executor = given ?? (await new InngestExecutor(clock.now, INNGEST_SPEED).start());
  const made = await inngestWorker({ ...worker, url: executor.url, clock, app: "bloom" });
  return {
    ...made,
    executor,
    close: async () => {
      await made.close();
      if (!given) await executor.stop();
    },
  };
}

/** The clock of a server that is not ours is the real one. */
export const realClock: ReturnType<typeof fastClock> = { now: Date.now, pace: (ms) => ms };

/** An orchestrator at the server of this address. */
export async function inngestWorker({
  url,
  app,
  clock = realClock,
  limit = 4,
  carriesOut = true,
  mode = "serve",
  signingKey = SIGNING_KEY,
  forgetMs = 3_600_000,
  port = 0,
}: InngestWorker & {
  readonly url: string;
  readonly app: string;
  readonly clock?: ReturnType<typeof fastClock>;
  readonly forgetMs?: number;
  /** Where the worker listens with `mode: serve`; 0: a free port. */
  readonly port?: number;
}) {
  const sdk = await inngestSdk();
  let waits = 0;
  let at: string | undefined;
  const orchestrator = inngestOrchestrator({
    world: { now: clock.now, random: (count) => randomBytes(count) },
    limit,
    forgetMs,
    wait: async (ms, signal) => {
      waits++;
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    },
    url,
    eventKey: EVENT_KEY,
    signingKey,
    mode,
    workerUrl: () => at,
    app,
    sdk,
    carriesOut,
  });
  const { endpoint } = orchestrator;
  const http = endpoint ? await serveEndpoint(endpoint, port) : { url: "", close: async () => undefined };
  at = http.url;
  return {
    orchestrator,
    http,
    now: clock.now,
    pass: (ms: number) => sleep(clock.pace(ms)).then(() => undefined),
    waits: () => waits,
    close: () => http.close(),
  };
}
