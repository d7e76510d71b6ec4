import { createHash, createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { canonicalJson } from "../../../base/canonical.ts";
import type { InngestSdk } from "../inngest/inngest-package.ts";
import { ConnectGateway } from "./connect-gateway.ts";
import { onDemandFile } from "./on-demand.ts";

/** The SDK, loaded from where the tests have it. */
export const inngestSdk = async (): Promise<InngestSdk> => {
  const file = (name: string): Promise<unknown> =>
    onDemandFile("inngest", `inngest/${name}.js`).then((at) => import(at));
  const all = (await Promise.all([file("index"), file("edge"), file("connect")])) as [
    InngestSdk,
    InngestSdk,
    InngestSdk,
  ];
  const [{ Inngest }, { serve }, { connect }] = all;
  return { Inngest, serve, connect };
};

export const SIGNING_KEY = `signkey-test-${"1f".repeat(32)}`;
export const EVENT_KEY = "test-event-key";

interface RegisteredFunction {
  readonly id: string;
  readonly triggers: readonly { readonly event?: string; readonly expression?: string; readonly cron?: string }[];
  readonly steps: {
    readonly step: { readonly runtime: { readonly url: string }; readonly retries?: { readonly attempts: number } };
  };
  readonly concurrency?: readonly { readonly key?: string; readonly limit: number }[];
}

interface SentEvent {
  readonly id?: string;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly ts?: number;
}

export interface ExecutorRun {
  readonly id: string;
  /** Function runs in the order of their starts. */
  readonly number: number;
  readonly fn: string;
  readonly event: SentEvent;
  steps: Record<string, unknown>;
  attempt: number;
  state: "running" | "done" | "failed";
}

interface Opcode {
  readonly op: string;
  readonly id: string;
  readonly name?: string;
  readonly data?: unknown;
  readonly error?: unknown;
}

/**
 * A small executor of Inngest's published SDK protocol, for the unmodified SDK: registration with its bearer token, signed calls over
 * canonical JSON, memoised steps, sleeps, retries, concurrency by key, and events that are deduplicated by their id.
 */
export class InngestExecutor {
  readonly runs: ExecutorRun[] = [];
  readonly events: SentEvent[] = [];
  /** Makes every call twice, as a server does that has lost an answer. */
  doubles = false;
  /** Forgets the names of the steps of a run before the next call, once: as if another version had other names. */
  renamesSteps = false;
  /** Starts every second event before the one that was sent before it: the server handles events at the same time. */
  swaps = false;
  /** Answers events as if their key were wrong. */
  refusesEvents = false;
  /** Answers 404 where its health is asked for, as a proxy does that lets only some paths through. */
  hidesHealth = false;
  registrations = 0;
  /** Requests that did not carry the expected key. */
  refused = 0;
  /** By app: a registration replaces the functions of its app. */
  readonly #apps = new Map<string, readonly RegisteredFunction[]>();
  #seen = new Set<string>();
  #overtaken: (() => void) | undefined;
  #lanes = new Map<string, ExecutorRun[]>();
  readonly #busy = new Map<string, number>();
  readonly #now: () => number;
  readonly #speed: number;
  #over = new AbortController();
  #server: Server | undefined;
  #port = 0;
  /** Where workers with `mode: connect` are connected; made at the start. */
  gateway: ConnectGateway | undefined;

  /** `now`: the clock of the orchestrator, which is `speed` times as fast as the real one. */
  constructor(now: () => number = Date.now, speed = 1) {
    this.#now = now;
    this.#speed = speed;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<this> {
    this.#over = new AbortController();
    const server = createServer((request, response) => {
      void (async () => {
        const { status, body } = await this.#answer(request);
        response.writeHead(status, { "content-type": "application/json" });
        response.end(body instanceof Uint8Array ? body : JSON.stringify(body));
      })();
    });
    this.#server = server;
    this.gateway ??= await ConnectGateway.open((app, functions) =>
      this.#apps.set(app, JSON.parse(functions) as RegisteredFunction[]),
    );
    server.on("upgrade", (request, stream) => this.gateway!.upgrade(request, stream));
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as { readonly port: number }).port;
    return this;
  }

  /** Ends it. `wipe`: it forgets functions, runs and events, as a server without Redis does. */
  async stop(wipe?: "wipe"): Promise<void> {
    this.#over.abort();
    this.gateway?.close();
    this.#server?.closeAllConnections();
    await new Promise<void>((resolve) => (this.#server ? this.#server.close(() => resolve()) : resolve()));
    this.#server = undefined;
    if (!wipe) return;
    this.#apps.clear();
    this.#seen = new Set();
    this.#lanes = new Map();
    this.#busy.clear();
  }

  /** Where the registered functions are called, each address once. */
  get addresses(): readonly string[] {
    const urls = this.#functions().map(({ steps }) => new URL(steps.step.runtime.url));
    return [...new Set(urls.map(({ origin, pathname }) => origin + pathname))];
  }

  /** Fires every function with a cron trigger once. */
  tick(): void {
    for (const fn of this.#functions())
      if (fn.triggers.some(({ cron }) => cron !== undefined))
        this.#begin(fn, { name: "inngest/scheduled.timer", data: {} });
  }

  async #answer(request: IncomingMessage): Promise<{ readonly status: number; readonly body: unknown }> {
    const path = request.url ?? "";
    if (path === "/health") return { status: this.hidesHealth ? 404 : 200, body: {} };
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const text = bytes.toString();
    if (path.startsWith("/v0/connect/")) {
      if (request.headers.authorization !== `Bearer ${BEARER}`) return this.#refuse();
      if (path === "/v0/connect/flush") this.gateway!.flush(bytes);
      const endpoint = `${this.url.replace("http", "ws")}/v0/connect`;
      return { status: 200, body: path === "/v0/connect/start" ? this.gateway!.start(endpoint) : new Uint8Array() };
    }
    if (path.startsWith("/fn/register")) {
      if (request.headers.authorization !== `Bearer ${BEARER}`) return this.#refuse();
      const { appName, functions } = JSON.parse(text) as { appName: string; functions: RegisteredFunction[] };
      this.#apps.set(appName, functions);
      this.registrations++;
      return { status: 200, body: { ok: true, modified: true } };
    }
    if (path.startsWith("/e/")) {
      if (path !== `/e/${EVENT_KEY}` || this.refusesEvents) return this.#refuse();
      const given = JSON.parse(text) as SentEvent | SentEvent[];
      const ids = [given].flat().map((event) => this.#accept(event));
      return { status: 200, body: { ids, status: 200 } };
    }
    return { status: 404, body: {} };
  }

  #refuse() {
    this.refused++;
    return { status: 401, body: { error: "unauthorized" } };
  }

  #accept(event: SentEvent): string {
    const id = event.id ?? randomBytes(8).toString("hex");
    if (!this.#seen.has(id)) this.events.push(event);
    this.#seen.add(id);
    const begin = (): void => {
      for (const fn of this.#functions()) {
        // As the server does: an id is remembered with the function run that it began, not where no function waited for it.
        const once = `${id} ${fn.id}`;
        const isWanted = fn.triggers.some(
          (trigger) => trigger.event === event.name && holds(trigger.expression, event),
        );
        if (!isWanted || this.#seen.has(once)) continue;
        this.#seen.add(once);
        this.#begin(fn, event);
      }
    };
    if (this.swaps) this.#swap(begin);
    else begin();
    return id;
  }

  #swap(begin: () => void): void {
    const before = this.#overtaken;
    if (before === undefined) setTimeout(() => this.#overtaken === begin && this.#swap(() => undefined), SWAP_MS);
    else begin();
    before?.();
    this.#overtaken = before === undefined ? begin : undefined;
  }

  #begin(fn: RegisteredFunction, event: SentEvent): void {
    const id = randomBytes(8).toString("hex");
    const number = this.runs.length;
    const run: ExecutorRun = { id, number, fn: fn.id, event, steps: {}, attempt: 0, state: "running" };
    this.runs.push(run);
    void this.#after((event.ts ?? 0) - this.#now(), run);
  }

  async #after(ms: number, run: ExecutorRun): Promise<void> {
    const { signal } = this.#over;
    if (ms > 0) await sleep(ms / this.#speed, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const lane = this.#laneOf(run);
    // As the server does: steps of an older function run go before newer function runs.
    const waiting = [...(this.#lanes.get(lane) ?? []), run].toSorted((a, b) => a.number - b.number);
    this.#lanes.set(lane, waiting);
    this.#pump(lane);
  }

  #functions(): readonly RegisteredFunction[] {
    return [...this.#apps.values()].flat();
  }

  /** Concurrency counts calls that are under way, not runs. */
  #laneOf(run: ExecutorRun): string {
    const key = this.#functions().find(({ id }) => id === run.fn)?.concurrency?.[0]?.key;
    return `${run.fn}/${key === undefined ? "" : String(run.event.data[key.replace("event.data.", "")])}`;
  }

  #pump(lane: string): void {
    const next = this.#busy.get(lane) ? undefined : this.#lanes.get(lane)?.shift();
    if (!next || this.#over.signal.aborted) return;
    this.#busy.set(lane, 1);
    void this.#call(next).finally(() => {
      this.#busy.delete(lane);
      this.#pump(lane);
    });
  }

  async #call(run: ExecutorRun): Promise<void> {
    const fn = this.#functions().find(({ id }) => id === run.fn);
    if (!fn) return;
    const { url } = fn.steps.step.runtime;
    if (this.renamesSteps && Object.keys(run.steps).length > 0) {
      this.renamesSteps = false;
      run.steps = Object.fromEntries(Object.entries(run.steps).map(([id, step]) => [`old-${id}`, step]));
    }
    const body = canonicalJson({
      version: -1,
      event: run.event,
      events: [run.event],
      steps: run.steps,
      ctx: {
        run_id: run.id,
        fn_id: run.fn,
        attempt: run.attempt,
        disable_immediate_execution: false,
        use_api: false,
        stack: { stack: Object.keys(run.steps), current: Object.keys(run.steps).length },
      },
    });
    const send = async () => {
      const [app = ""] = [...this.#apps].find(([, functions]) => functions.includes(fn)) ?? [];
      if (url.startsWith("ws")) return this.gateway!.call(app, run.fn, run.id, body);
      const headers = { "content-type": "application/json", "x-inngest-signature": signed(body) };
      const answer = await fetch(url, { method: "POST", body, headers, signal: this.#over.signal });
      return { status: answer.status, body: await answer.text() };
    };
    const [answer] = await Promise.all([send(), ...(this.doubles ? [send()] : [])]).catch(() => [undefined]);
    if (this.#over.signal.aborted) return;
    if (!answer || answer.status >= 500 || answer.status === 401) return this.#retry(run, fn);
    if (answer.status === 206) return this.#take(run, fn, JSON.parse(answer.body) as Opcode[]);
    run.state = answer.status === 200 ? "done" : "failed";
  }

  #take(run: ExecutorRun, fn: RegisteredFunction, opcodes: readonly Opcode[]): void {
    let ms = 0;
    for (const { op, id, name, data } of opcodes) {
      if (op === "StepError") return this.#retry(run, fn);
      if (op === "Sleep") ms = Math.max(ms, durationMs(name ?? ""));
      run.steps[id] ??= op === "Sleep" ? { type: "data", data: null } : { type: "data", data: data ?? null };
    }
    run.attempt = 0;
    void this.#after(ms, run);
  }

  #retry(run: ExecutorRun, fn: RegisteredFunction): void {
    if (++run.attempt > (fn.steps.step.retries?.attempts ?? 3)) run.state = "failed";
    else void this.#after(RETRY_MS, run);
  }
}

/** The server waits 15 s at first; here it is a second of the executor's clock. */
const RETRY_MS = 1000;
/** An event waits so long for another one that overtakes it. */
const SWAP_MS = 100;

const KEY = SIGNING_KEY.replace("signkey-test-", "");
const BEARER = `signkey-test-${createHash("sha256").update(Buffer.from(KEY, "hex")).digest("hex")}`;

function signed(body: string, at = Math.floor(Date.now() / 1000)): string {
  return `t=${at}&s=${createHmac("sha256", KEY).update(body).update(String(at)).digest("hex")}`;
}

/** The expressions of our functions: `event.data.app == 'bloom'`. */
function holds(expression: string | undefined, { data }: SentEvent): boolean {
  if (expression === undefined) return true;
  const [, field, value] = /^event\.data\.(\w+) == '([^']*)'$/.exec(expression) ?? [];
  return field !== undefined && data[field] === value;
}

/** `1m30s` in milliseconds. */
function durationMs(text: string): number {
  const units: Readonly<Record<string, number>> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };
  return [...text.matchAll(/(\d+)([wdhms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * units[unit!]!, 0);
}
