import { setTimeout as sleep } from "node:timers/promises";
import { asFailure, Failure } from "../../../base/failure.ts";
import type { World } from "../../../base/world.ts";
import type { EngineEndpoint, EngineEvent, OfferedRun } from "../../../ports/orchestrator.ts";
import type { Deliver, Delivery, EngineLink } from "../remote/engine-link.ts";
import { InngestConnection } from "./inngest-connection.ts";
import { inngestFunctions, RUN_REQUESTED } from "./inngest-functions.ts";
import type { InngestEvent, InngestSdk } from "./inngest-package.ts";

export interface InngestOptions {
  readonly world: World;
  /** Maximum number of runs at once in this process. */
  readonly limit: number;
  /** Address of the server. */
  readonly url: string;
  readonly eventKey: string;
  readonly signingKey: string;
  readonly mode: "serve" | "connect";
  /** The address where the server calls the workers, without the path. Undefined: not listening yet. */
  readonly workerUrl: () => string | undefined;
  /** Id of the app: gardens on one server have different ones. */
  readonly app: string;
  readonly sdk: InngestSdk;
  /** This process works on runs: it offers them once its functions are registered. */
  readonly carriesOut: boolean;
}

export const INNGEST_PATH = "/api/inngest";

/** Inngest as a queue of runs: the event `agent/run.requested` starts the function `agent/run`, which works on the run. */
export class InngestLink implements EngineLink {
  readonly name = "inngest";
  readonly keepsSchedules = true;
  /** The server handles events at the same time. */
  readonly keepsOrder = false;
  /** The server ends a call after two hours. */
  readonly longestMs = 110 * 60_000;
  readonly endpoint?: EngineEndpoint;
  readonly #options: InngestOptions;
  readonly #client: InstanceType<InngestSdk["Inngest"]>;
  readonly #functions: readonly unknown[];
  readonly #over = new AbortController();
  #deliver: Deliver = notStarted;
  #requestDue: () => Promise<readonly OfferedRun[]> = async () => [];
  #failure: Failure | undefined;
  #sendFailure: Failure | undefined;
  #isRegistered = false;
  /** How often the server did not answer, and that number at the beginning of the last registration. */
  #absences = 0;
  #absencesAtRegistration = 0;
  /** Ends the pause before the next look at the server. */
  #lookNow = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  readonly #connection: InngestConnection | undefined;

  constructor(options: InngestOptions) {
    this.#options = options;
    const { world, limit, url, eventKey, signingKey, app, sdk, mode } = options;
    const [baseUrl, logger] = [url.replace(/\/$/, ""), silent];
    this.#client = new sdk.Inngest({
      id: app,
      baseUrl,
      eventKey,
      signingKey,
      isDev: false,
      checkpointing: false,
      logger,
      fetch: async (...call: Parameters<typeof fetch>) => {
        try {
          const answer = await fetch(...call);
          if (answer.status >= 500) this.#noteAway();
          return answer;
        } catch (error) {
          this.#noteAway(); // the SDK may retry, and succeed with a server that has lost its state
          throw error;
        }
      },
    });
    this.#functions = inngestFunctions(this.#client, {
      app,
      deliver: () => this.#deliver,
      requestDue: () => this.#requestDue,
      event: ({ delivery, delayMs }) => this.#event(delivery, delayMs, delivery.ticket),
    });
    if (mode === "serve") this.endpoint = { path: INNGEST_PATH, answer: (request) => this.#answer(request) };
    else {
      const instance = `${app}-${Buffer.from(world.random(6)).toString("hex")}`;
      const apps = [{ client: this.#client, functions: this.#functions }];
      this.#connection = new InngestConnection(sdk, instance, { apps, maxWorkerConcurrency: limit });
    }
  }

  start(deliver: Deliver, requestDue?: () => Promise<readonly OfferedRun[]>): void {
    this.#deliver = deliver;
    if (requestDue) this.#requestDue = requestDue;
    this.#loop = this.#keepRegistered();
  }

  async send(one: Delivery, delayMs: number, how: "merge" | "apart"): Promise<"sent"> {
    this.#expectFunctions();
    // The server remembers an event's id for a day, also after its function has given up: reminders get a new one now and then.
    const window = one.isReminder ? `-${Math.floor(this.#options.world.now() / REMINDER_MS)}` : "";
    await this.#send(this.#event(one, delayMs, how === "merge" ? `${one.key}${window}` : one.ticket));
    this.#expectFunctions();
    return "sent";
  }

  /** Throws in a worker whose functions the server may not know: it would take an event and start nothing. */
  #expectFunctions(): void {
    if (this.#options.carriesOut && (!this.#isRegistered || this.#wasAway()))
      throw inngestAway(this.#options.url, "not registered yet");
  }

  async announce({ name, id, at, data }: EngineEvent): Promise<void> {
    const { app } = this.#options;
    await this.#send({ id: `${app}:${id}`, name, ts: Date.parse(at), data: { app, ...data } });
  }

  async health(): ReturnType<EngineLink["health"]> {
    const failure = (await this.#away()) ?? this.#failure ?? this.#sendFailure;
    return { ok: failure === undefined, remarks: failure ? [failure.text] : [] };
  }

  async close(): Promise<void> {
    this.#over.abort();
    await this.#loop;
    await this.#connection?.close();
  }

  #event(one: Delivery, delayMs: number, id: string): InngestEvent {
    const { app } = this.#options;
    const data = { app, agentId: one.lane, runId: one.key, delivery: one };
    const ts = Math.round(this.#options.world.now() + delayMs);
    return { id: `${app}:${id}`, name: RUN_REQUESTED, data, ts };
  }

  async #send(event: InngestEvent): Promise<void> {
    try {
      await this.#client.send([event]);
      this.#sendFailure = undefined;
    } catch (error) {
      this.#sendFailure = inngestAway(this.#options.url, reasonOf(error));
      throw this.#sendFailure;
    }
  }

  /** The failure of a server that does not answer. A proxy that hides this path, with a status below 500, is no absence of the server. */
  async #away(): Promise<Failure | undefined> {
    const { url } = this.#options;
    try {
      const { status } = await fetch(`${url.replace(/\/$/, "")}/health`, { signal: AbortSignal.timeout(CALL_MS) });
      if (status >= 500) this.#absences++;
      return status < 300 ? undefined : inngestAway(url, `HTTP ${status}`);
    } catch (error) {
      this.#absences++;
      return inngestAway(url, reasonOf(error));
    }
  }

  /**
   * Answers calls whose signature the SDK validates: POST and GET. It does not validate that of a PUT, which registers the app at the
   * address below: workers register themselves, so a PUT from outside is refused.
   */
  async #answer(request: Request): Promise<Response> {
    const isValidated = request.method === "POST" || request.method === "GET";
    if (!isValidated || !request.headers.has("x-inngest-signature")) return new Response("unsigned", { status: 401 });
    return await this.#serve("http://127.0.0.1")(request);
  }

  #serve(origin: string): (request: Request) => Promise<Response> {
    const { sdk } = this.#options;
    const [client, functions] = [this.#client, this.#functions];
    return sdk.serve({ client, functions, serveOrigin: origin, servePath: INNGEST_PATH });
  }

  /** Registers at the start, every minute, and as soon as a server answers again: it may have lost its state. */
  async #keepRegistered(): Promise<void> {
    while (!this.#over.signal.aborted) {
      try {
        const before = this.#absences;
        if (await this.#register()) [this.#isRegistered, this.#absencesAtRegistration] = [true, before];
        this.#failure = undefined;
      } catch (error) {
        this.#failure = asFailure(error);
      }
      if (!this.#isRegistered || this.#failure) await this.#pause(RETRY_MS);
      else if (this.#connection) await this.#pause(LOOK_MS);
      else await this.#watchServer();
    }
  }

  /** Returns after a minute, or when a server that was away answers again. */
  async #watchServer(): Promise<void> {
    const end = performance.now() + REGISTER_MS;
    while (performance.now() < end && !this.#over.signal.aborted) {
      this.#lookNow = new AbortController();
      if (!this.#wasAway()) await this.#pause(LOOK_MS, this.#lookNow.signal);
      if (this.#over.signal.aborted) return;
      if (await this.#away()) await this.#pause(RETRY_MS);
      else if (this.#wasAway()) return;
    }
  }

  /** True if the server did not answer since the last registration began: it may have lost its state. */
  #wasAway(): boolean {
    return this.#absences !== this.#absencesAtRegistration;
  }

  #noteAway(): void {
    this.#absences++;
    this.#lookNow.abort();
  }

  async #pause(ms: number, wake?: AbortSignal): Promise<void> {
    const { signal } = this.#over;
    await sleep(ms, undefined, { signal: wake ? AbortSignal.any([signal, wake]) : signal }).catch(() => undefined);
  }

  async #register(): Promise<boolean> {
    const { url, workerUrl } = this.#options;
    if (this.#connection) {
      if (await this.#connection.look()) return true;
      throw inngestAway(url, this.#isRegistered ? "the connection is lost" : "no connection yet");
    }
    const origin = workerUrl()?.replace(/\/$/, "");
    if (origin === undefined) return false;
    const headers = { host: new URL(origin).host };
    const answer = await this.#serve(origin)(new Request(`${origin}${INNGEST_PATH}`, { method: "PUT", headers }));
    if (answer.status >= 300) throw inngestAway(url, `HTTP ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
    return true;
  }
}

const CALL_MS = 5000;
const RETRY_MS = 1000;
const REGISTER_MS = 60_000;
const LOOK_MS = 3000;
const REMINDER_MS = 300_000;

const nothing = (): void => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };

const notStarted: Deliver = async () => {
  throw new Error("this process does not work on runs");
};

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
};

const inngestAway = (at: string, why: string): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `Inngest at ${at} does not answer as it should (${why}). Runs wait in the store and go on when it is back.`,
    uk: `Inngest за адресою ${at} не відповідає як слід (${why}). Запуски чекають у сховищі й продовжаться, коли він повернеться.`,
  });
