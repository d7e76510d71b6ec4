import type { IncomingMessage } from "node:http";
import { type Context, Hono } from "hono";
import type { LogLine } from "../base/log-line.ts";
import { isWorkerRole, type ProcessRole } from "../domain/peer.ts";
import type { Garden } from "../garden/core/garden.ts";
import { unknownGarden } from "../garden/life/known-gardens.ts";
import { bodyBudget } from "./body.ts";
import { answerCall } from "./dispatch.ts";
import { engineCalls } from "./engine-calls.ts";
import { answerFailure } from "./error-answer.ts";
import { eventFeed } from "./event-feed.ts";
import { methodNotAllowed, unknownAddress } from "./failures.ts";
import { withPartNames } from "./named-parts.ts";
import { originCheck } from "./origin-check.ts";
import type { Gateway, GatewayRuns, KnownGardensOf, Route } from "./route.ts";
import { routes } from "./routes.ts";
import { securityHeaders } from "./security-headers.ts";
import { stepFeed } from "./step-feed.ts";
import { APP, appStyles, isAppAsset, type WebFiles, webFile } from "./web-app.ts";

export interface GatewayOptions {
  /** Default `all`. A worker has only the routes that tell of itself. */
  readonly role?: ProcessRole | undefined;
  /** The address it listens at. */
  readonly host: string;
  /** Further allowed values of the Host header. */
  readonly allowedHosts: readonly string[];
  /** The value of an environment variable that `garden.yaml` names; without it no webhook has a secret. */
  readonly secretOf?: ((variable: string) => string | undefined) | undefined;
  /** The engine of this process, if it has one. */
  readonly runs?: GatewayRuns | undefined;
  /** The built web app, if there is one. */
  readonly web?: WebFiles | undefined;
  readonly program?: Gateway["program"];
  /** The gardens of this machine; none without it. */
  readonly gardens?: KnownGardensOf | undefined;
  /** Aborted on shutdown: ends the event streams. */
  readonly ended?: AbortSignal | undefined;
  /** Interval of polling for events of other processes. */
  readonly pollMs?: number | undefined;
  /** Gets a line for each request: method, route, status, time and correlation id; no address, no content. */
  readonly writeLog?: ((line: LogLine) => void) | undefined;
}

interface AppVariables {
  correlationId: string;
  /** The path of the matched route. */
  route: string;
}
type App = Hono<{ Variables: AppVariables }>;

/** Bytes of all bodies that one kind of caller may have in memory: two of the largest. */
const BODIES_AT_ONCE = 64_000_000;
const WORKER_PATHS: readonly string[] = ["/health", "/metrics"];
const CORRELATION = /^[A-Za-z0-9_-]{1,100}$/;

/** The HTTP interface of a garden: every route of the table, one error body, and the origin check before all of them. */
export function gatewayApp(served: Garden, options: GatewayOptions): App {
  const garden = withPartNames(served);
  const app: App = new Hono();
  const table = options.role === "worker" ? routes.filter(({ path }) => WORKER_PATHS.includes(path)) : routes;
  const checkOrigin = originCheck(options.host, options.allowedHosts);
  const gateway: Gateway = {
    secretOf: options.secretOf ?? (() => undefined),
    bodies: {
      owner: bodyBudget(Number.POSITIVE_INFINITY),
      gateway: bodyBudget(0),
      agent: bodyBudget(BODIES_AT_ONCE),
      webhook: bodyBudget(BODIES_AT_ONCE),
      guest: bodyBudget(BODIES_AT_ONCE),
    },
    feed: eventFeed(garden, options.ended ?? new AbortController().signal, options.pollMs),
    steps: stepFeed(garden, options.pollMs),
    role: options.role ?? "all",
    runs: options.runs,
    hasWebApp: options.web !== undefined,
    appStyles: () => appStyles(options.web),
    program: options.program,
    gardens: options.gardens ?? noGardens,
    routes: table,
    answer: async (request) => app.fetch(request),
  };

  const { endpoint } = options.runs ?? {};
  // Before the checks for browsers: an engine calls by another host name, and its requests are signed.
  if (endpoint && isWorkerRole(gateway.role)) {
    const call = engineCalls(endpoint);
    app.on("ALL", [endpoint.path, `${endpoint.path}/*`], async (context) => {
      const called = await call(context.req.raw, isLocalCaller(context.env));
      if ("answer" in called) return called.answer;
      const { body, headers, status } = await answerFailure(context, garden, called.refused, gateway);
      return new Response(body, { status: status === 400 ? 413 : status, headers });
    });
  }

  app.use(async (context, next) => {
    const brought = context.req.header("x-correlation-id");
    const id = brought && CORRELATION.test(brought) ? brought : Buffer.from(garden.world.random(8)).toString("hex");
    context.set("correlationId", id);
    for (const [name, value] of Object.entries(securityHeaders)) context.header(name, value);
    context.header("X-Correlation-Id", id);
    const began = performance.now();
    context.set("route", "none");
    checkOrigin(context.req.raw, isAppAsset(context.req.path));
    await next();
    tellRequest(context, garden, options.writeLog, (performance.now() - began) / 1000);
  });
  const { web } = options;
  if (web) {
    app.get(`${APP}*`, async (context) => (await webFile(context, web)) ?? (await context.notFound()));
    app.get(APP.slice(0, -1), (context) => context.redirect(APP));
  }
  for (const route of table)
    app.on(route.method, route.path, async (context) => {
      context.set("route", route.path);
      return await answerCall(context, garden, gateway, route);
    });
  for (const [path, methods] of methodsByPath(table)) {
    app.all(path, async (context) => {
      context.header("Allow", methods.join(", "));
      if (context.req.method === "OPTIONS") return context.body(null, 204);
      const answer = await answerFailure(context, garden, methodNotAllowed(context.req.method), gateway);
      return new Response(answer.body, { status: 405, headers: answer.headers });
    });
  }
  app.notFound((context) => answerFailure(context, garden, unknownAddress(context.req.path), gateway));
  app.onError((error, context) => answerFailure(context, garden, error, gateway));
  return app;
}

const noGardens: KnownGardensOf = {
  list: async () => [],
  forget: async (id) => {
    throw unknownGarden(id);
  },
};

/** Tells whether the connection comes from this machine; false where the server does not say. */
function isLocalCaller(environment: unknown): boolean {
  const { incoming } = (environment ?? {}) as { readonly incoming?: IncomingMessage };
  const address = incoming?.socket?.remoteAddress ?? "";
  return /^(?:::ffff:)?127\.|^::1$/.test(address);
}

/** Counts a request by the path of its route, never by the address that was asked for, and writes its line into the log. */
function tellRequest(
  { req, res, get }: Context<{ Variables: AppVariables }>,
  { meter }: Garden,
  log: GatewayOptions["writeLog"],
  seconds: number,
): void {
  const [route, id] = [get("route"), get("correlationId")];
  meter.add("bloom_http_requests_total", { method: req.method, route, status: String(res.status) });
  if (!res.headers.get("content-type")?.startsWith("text/event-stream"))
    meter.observe("bloom_http_request_seconds", seconds);
  log?.({
    event: "request",
    method: req.method,
    route,
    status: res.status,
    ms: Math.round(seconds * 1000),
    correlation: id,
  });
}

function methodsByPath(table: readonly Route[]): Map<string, readonly string[]> {
  const methods = new Map<string, string[]>();
  for (const { method, path } of table) {
    const known = methods.get(path) ?? ["OPTIONS"];
    methods.set(path, [...known, method, ...(method === "GET" ? ["HEAD"] : [])]);
  }
  return methods;
}
