import type { z } from "zod";
import { assert } from "../base/assert.ts";
import type { Language, Text } from "../base/text.ts";
import type { Identity, SourceType } from "../domain/identity.ts";
import type { GardenPlace } from "../domain/known-garden.ts";
import type { ProcessRole } from "../domain/peer.ts";
import type { TokenClaims } from "../domain/token-claims.ts";
import type { Garden } from "../garden/core/garden.ts";
import type { RunPorts } from "../garden/runs/run-agent.ts";
import type { RunsEngine } from "../garden/runs/runs-engine.ts";
import type { Messenger } from "../ports/messenger.ts";
import type { Models } from "../ports/models.ts";
import type { EngineEndpoint } from "../ports/orchestrator.ts";
import type { Reader } from "../ports/reader.ts";
import type { BodyBudget } from "./body.ts";
import type { EventFeed } from "./event-feed.ts";
import type { StepFeed } from "./step-feed.ts";

/** Kinds of caller that a route accepts. What a caller may see of the data is up to the handler. */
export type Allowed = "anyone" | "owner" | "agent" | "webhook" | "guest";

/**
 * Where a call is rate limited: `change` here in the gateway, `submit` as the last check of the inbox gate (P-3), `read` nowhere.
 */
export type RateKind = "read" | "change" | "submit";

/** Size class of a body: a plain request, or one that carries a note or an artifact. */
export type BodySize = "request" | "submission";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * An endpoint as data. Routing, validation, authorisation, the OpenAPI document, docs/http.md and the authorisation tests are all
 * derived from it, so they cannot disagree.
 */
export interface Route {
  readonly method: Method;
  /** `/proposals/:id`; `:path{.+}` matches slashes too. */
  readonly path: string;
  readonly summary: Text;
  readonly allows: readonly Allowed[];
  readonly rate: RateKind;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly bodySize?: BodySize;
  /** Schema of the JSON answer, or the media type of another answer. */
  readonly answer: z.ZodType | MediaType;
  /** Status of success; default 200. */
  readonly status?: 201;
  handle(call: RouteCall): Promise<unknown>;
}

export type MediaType = "text/html" | "text/event-stream" | "text/plain" | "application/octet-stream";

interface RouteSpec<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>
  extends Omit<Route, "method" | "path" | "rate" | "params" | "query" | "body" | "handle"> {
  /** Default: `read` for GET, else `change`. */
  readonly rate?: RateKind;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Returns a value of the answer's schema, or a whole Response. */
  handle(call: RouteCall<z.output<P>, z.output<Q>, z.output<B>>): Promise<unknown>;
}

/** A route for `GET /proposals/:id`. Infers the handler's types from the schemas. */
export function route<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  endpoint: `${Method} /${string}`,
  spec: RouteSpec<P, Q, B>,
): Route {
  const [method, path] = endpoint.split(" ") as [Method, string];
  return { method, path, rate: method === "GET" ? "read" : "change", ...spec };
}

/** One validated request. */
export interface RouteCall<P = unknown, Q = unknown, B = unknown> {
  readonly garden: Garden;
  readonly gateway: Gateway;
  readonly request: Request;
  readonly language: Language;
  readonly correlation: Correlation;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The caller; undefined for an anonymous request, which only routes for anyone get. */
  readonly visitor: Caller | undefined;
  /** The caller's identity. Throws for an anonymous request. */
  readonly identity: Identity;
}

export interface Correlation {
  readonly id: string;
  /** The caller sent it, so a repeated request with the same id is the same request. */
  readonly brought: boolean;
}

/** An authenticated caller. */
export interface Caller {
  readonly identity: Identity;
  readonly by: "cookie" | "bearer" | "webhook";
  /** Claims of the token or session; undefined for webhooks. */
  readonly claims: TokenClaims | undefined;
}

/** Agents whose runs a caller outside of the garden may start, by its token. */
export const startsOf = (caller: Caller | undefined): readonly string[] =>
  caller?.claims?.kind === "outside" ? (caller.claims.starts ?? []) : [];

/** Dependencies of the handlers beside the garden. */
export interface Gateway {
  /** Reads an environment variable that `garden.yaml` names. */
  readonly secretOf: (variable: string) => string | undefined;
  /** Memory for the bodies of each kind of caller: strangers cannot use up what the owner needs. */
  readonly bodies: Readonly<Record<SourceType, BodyBudget>>;
  readonly feed: EventFeed;
  readonly steps: StepFeed;
  /** The part of the work that this process does (O-10). */
  readonly role: ProcessRole;
  /** The engine of this process; undefined if it has none. */
  readonly runs: GatewayRuns | undefined;
  /** The web app is served here. */
  readonly hasWebApp: boolean;
  /** Addresses of the web app's style sheets; none without an app. */
  readonly appStyles: () => Promise<readonly string[]>;
  /** The version of this process, and the one that is installed now. */
  readonly program?: (() => Promise<{ readonly running: string; readonly installed: string }>) | undefined;
  /** The gardens of this machine. */
  readonly gardens: KnownGardensOf;
  /** All endpoints, for the documents that describe them. */
  readonly routes: readonly Route[];
  /** Answers a request as if it had come over the network: with all its checks. */
  readonly answer: (request: Request) => Promise<Response>;
}

/** The list of gardens that this machine keeps; this garden's folder is `here`. */
export interface KnownGardensOf {
  list(): Promise<readonly GardenPlace[]>;
  forget(id: string): Promise<GardenPlace>;
}

/** The part of the engine that the gateway uses, and the parts that runs need. */
export interface GatewayRuns extends Pick<RunsEngine, "offer" | "cancel" | "health"> {
  /** Health of the models and the reader. */
  readonly parts: Readonly<Record<"models" | "reader", () => Promise<PartReport>>>;
  /** Name of the engine, as manifests have it. */
  readonly engine: string;
  /** O-11: where an engine outside of this process calls it. */
  readonly endpoint?: EngineEndpoint | undefined;
  readonly reader: Reader;
  /** The dependencies of a trial, which runs here and not in the engine. */
  readonly ports: RunPorts;
  readonly messenger: Messenger;
  readonly models: Models;
}

export interface PartReport {
  readonly ok: boolean;
  /** For people: a name or a version. */
  readonly about: string;
  readonly remarks: readonly Text[];
}

export function callerIdentity(visitor: Caller | undefined): Identity {
  assert(visitor, "authorise() lets no anonymous caller through to this route");
  return visitor.identity;
}
