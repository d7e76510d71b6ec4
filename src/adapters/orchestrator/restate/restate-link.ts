import { setTimeout as sleep } from "node:timers/promises";
import { asFailure, Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { EngineEndpoint } from "../../../ports/orchestrator.ts";
import { type Deliver, type Delivery, delivery, type EngineLink } from "../remote/engine-link.ts";
import type { RestateSdk } from "./restate-package.ts";

export interface RestateOptions {
  /** Address of the ingress, where runs are offered. */
  readonly url: string;
  /** Address of the admin API, where workers register. */
  readonly admin: string;
  /** The address where the server calls the workers of this garden, without the path. Undefined: not listening yet. */
  readonly workerUrl: () => string | undefined;
  /** Name of this garden's virtual object: gardens on one server have different ones. */
  readonly app: string;
  /** Public key of the server: requests without its signature are refused. Without a key only this machine may call. */
  readonly identityKey?: string | undefined;
  /** For the ingress and the admin API, where they ask for one. */
  readonly token?: string | undefined;
  readonly sdk: () => Promise<RestateSdk>;
  /** Milliseconds of the server for those of the orchestrator's clock; tests run faster. */
  readonly pace?: (ms: number) => number;
}

export const RESTATE_PATH = "/api/restate";

/**
 * Restate as a queue of runs. Each lane is a virtual object, so the server gives out one run of an agent at a time, over all
 * workers, in the order of the offers. The handler journals nothing: the steps of a run are in the store, so the server's journal
 * cannot disagree with another version of this program. `later` is a delayed call.
 */
export class RestateLink implements EngineLink {
  readonly name = "restate";
  readonly endpoint: EngineEndpoint;
  readonly #options: RestateOptions;
  readonly #over = new AbortController();
  #deliver: Deliver | undefined;
  #answer: Promise<(request: Request) => Promise<Response>> | undefined;
  #registered: Registration = { isCurrent: false };
  #loop: Promise<void> = Promise.resolve();
  #wake = (): void => undefined;

  constructor(options: RestateOptions) {
    this.#options = options;
    this.endpoint = { path: RESTATE_PATH, answer: (request, from) => this.#endpoint(request, from) };
  }

  start(deliver: Deliver): void {
    this.#deliver = deliver;
    this.#loop = this.#keepRegistered();
  }

  async send(one: Delivery, delayMs: number, how: "merge" | "apart"): Promise<"sent" | "merged"> {
    const { url, app, pace = (ms) => ms } = this.#options;
    const delay = Math.round(pace(delayMs));
    const path = `/${app}/${encodeURIComponent(one.lane)}/deliver/send${delay > 0 ? `?delay=${delay}ms` : ""}`;
    const answer = await this.#call(url, path, {
      method: "POST",
      headers: { "idempotency-key": how === "merge" ? one.key : one.ticket },
      body: JSON.stringify(one),
    });
    if (answer.status === 404) {
      // The server does not know the garden: it is new, or has lost its state.
      this.#registered = { isCurrent: false };
      this.#wake();
    }
    if (answer.status >= 300) throw engineAway(url, `HTTP ${answer.status}: ${answer.text.slice(0, 200)}`);
    return answer.text.includes('"PreviouslyAccepted"') ? "merged" : "sent";
  }

  async health(): ReturnType<EngineLink["health"]> {
    const { url, admin } = this.#options;
    const remarks: Text[] = [];
    for (const [at, path] of [
      [admin, "/health"],
      [url, "/restate/health"],
    ] as const) {
      const away = await this.#call(at, path, {}).then(
        ({ status }) => (status < 300 ? undefined : engineAway(at, `HTTP ${status}`)),
        asFailure,
      );
      if (away) remarks.push(away.text);
    }
    if (remarks.length === 0 && this.#registered.failure) remarks.push(this.#registered.failure.text);
    return { ok: remarks.length === 0, remarks };
  }

  async close(): Promise<void> {
    this.#over.abort();
    this.#wake();
    await this.#loop;
  }

  async #endpoint(request: Request, { isLocal }: { readonly isLocal: boolean }): Promise<Response> {
    if (this.#options.identityKey === undefined && !isLocal) return new Response("unsigned", { status: 401 });
    this.#answer ??= this.#makeAnswer();
    return await (await this.#answer)(request);
  }

  async #makeAnswer(): Promise<(request: Request) => Promise<Response>> {
    const { sdk, app, identityKey } = this.#options;
    const { createEndpointHandler, handlers, object, TerminalError } = await sdk();
    const work = async (_: unknown, given: unknown): Promise<void> => {
      const one = delivery.safeParse(given);
      if (!one.success) throw new TerminalError("not a delivery of bloom"); // nothing to retry
      const next = await (this.#deliver ?? notStarted)(one.data);
      if (next) await this.send(next.delivery, next.delayMs, "apart");
    };
    const lane = object({
      name: app,
      handlers: { deliver: handlers.object.exclusive({}, work) },
      options: {
        abortTimeout: LONGEST_RUN_MS,
        inactivityTimeout: LONGEST_RUN_MS,
        // An offer merges with one that is waiting or under way, not with one that is over.
        idempotencyRetention: 0,
        journalRetention: 0,
        // The store has the open runs: an invocation that is given up is offered again, to a worker that is there.
        retryPolicy: {
          initialInterval: 100,
          exponentiationFactor: 2,
          maxInterval: 5000,
          maxAttempts: 12,
          onMaxAttempts: "kill",
        },
      },
    });
    const identityKeys = identityKey === undefined ? [] : [identityKey];
    return createEndpointHandler({ services: [lane], identityKeys, logger: () => undefined });
  }

  /** Registers at the start and whenever the server has forgotten the garden or cannot reach the worker that it knows. */
  async #keepRegistered(): Promise<void> {
    while (!this.#over.signal.aborted) {
      const at = this.#options.workerUrl();
      let pause = RETRY_MS;
      if (at !== undefined) {
        try {
          await this.#register(at.replace(/\/$/, ""));
          pause = LOOK_MS;
        } catch (error) {
          this.#registered = { isCurrent: false, failure: asFailure(error) };
        }
      }
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      if (this.#over.signal.aborted) return;
      await Promise.race([woken, sleep(pause, undefined, { signal: this.#over.signal }).catch(() => undefined)]);
    }
  }

  async #register(at: string): Promise<void> {
    const { admin, app } = this.#options;
    const known = await this.#call(admin, `/services/${app}`, {});
    if (known.status === 200) {
      const id = (JSON.parse(known.text) as { deployment_id: string }).deployment_id;
      const deployment = await this.#call(admin, `/deployments/${id}`, {});
      const uri = deployment.status === 200 ? (JSON.parse(deployment.text) as { uri?: string }).uri : undefined;
      const isOurs = uri === `${at}${RESTATE_PATH}`;
      // Several workers without a load balancer: one is called, and another takes its place when it is gone.
      if (uri !== undefined && (isOurs ? this.#registered.isCurrent : await isThere(uri))) {
        this.#registered = { isCurrent: isOurs };
        return;
      }
    }
    const made = await this.#call(admin, "/deployments", {
      method: "POST",
      body: JSON.stringify({ uri: `${at}${RESTATE_PATH}`, use_http_11: true, force: true }),
    });
    if (CALLS_NO_WORKER.test(made.text)) throw workersUnreachable(admin, at);
    if (made.status >= 300) throw engineAway(admin, `HTTP ${made.status}: ${made.text.slice(0, 300)}`);
    this.#registered = { isCurrent: true };
  }

  async #call(
    at: string,
    path: string,
    init: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string },
  ): Promise<{ readonly status: number; readonly text: string }> {
    const { token } = this.#options;
    const headers = {
      ...(init.body !== undefined && { "content-type": "application/json" }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...init.headers,
    };
    try {
      const signal = AbortSignal.timeout(CALL_MS);
      const answer = await fetch(`${at.replace(/\/$/, "")}${path}`, { ...init, headers, signal });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      throw engineAway(
        at,
        error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error),
      );
    }
  }
}

interface Registration {
  /** The server calls the address of this process, and was told so by this process. */
  readonly isCurrent: boolean;
  readonly failure?: Failure;
}

const CALL_MS = 10_000;
const RETRY_MS = 1000;
const LOOK_MS = 5000;
/** The server ends a call after this time, and calls again. Runs have limits of their own. */
const LONGEST_RUN_MS = 7 * 86_400_000;

const notStarted: Deliver = async () => {
  throw new Error("this process does not work on runs");
};

const isThere = (uri: string): Promise<boolean> =>
  fetch(`${uri}/health`, { signal: AbortSignal.timeout(2000) }).then(
    (answer) => answer.ok,
    () => false,
  );

/** The error of a registration that Restate could not complete because the worker did not answer it. */
const CALLS_NO_WORKER = /META0003/;

const workersUnreachable = (admin: string, worker: string): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `Restate at ${admin} cannot reach the workers at ${worker}. Correct \`engine.worker_url\` in garden.yaml: it is the address at which the server calls them.`,
    uk: `Restate за адресою ${admin} не може звернутися до виконавців за адресою ${worker}. Виправте \`engine.worker_url\` у garden.yaml: за цією адресою сервер їх викликає.`,
  });

const engineAway = (at: string, why: string): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `Restate at ${at} does not answer as it should (${why}). Runs wait in the store and go on when it is back.`,
    uk: `Restate за адресою ${at} не відповідає як слід (${why}). Запуски чекають у сховищі й продовжаться, коли він повернеться.`,
  });
