import type { z } from "zod";
import { assert } from "../base/assert.ts";
import type { Language, Text } from "../base/text.ts";
import type { Identity } from "../domain/identity.ts";
import type { TokenClaims } from "../garden/agents/access/token.ts";
import type { Garden } from "../garden/core/garden.ts";
import type { RunsEngine } from "../garden/runs/runs-engine.ts";
import type { Reader } from "../ports/reader.ts";
import type { EventFeed } from "./event-feed.ts";
import type { StepFeed } from "./step-feed.ts";

/** Who may call: kinds of identity, or anyone at all. What of a thing they may see is the handler's to say. */
export type Allowed = "anyone" | "owner" | "agent" | "webhook" | "guest";

/**
 * How a call counts against the limits of whoever makes it: `change` by the gateway; `submit` by the gate of the inbox,
 * where it is the last check of several (P-3); reading does not.
 */
export type RateKind = "read" | "change" | "submit";

/** What kinds of body may hold: a request, a note, an artifact. */
export type BodySize = "request" | "submission";

/**
 * An endpoint as data. Routing, checks of what comes in, authorisation, the OpenAPI document, the reference page and the
 * table of the tests are all made from it, so that none of them can say something else.
 */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `/proposals/:id`; `:path{.+}` takes slashes too. */
  readonly path: string;
  readonly summary: Text;
  readonly allows: readonly Allowed[];
  readonly rate: RateKind;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly bodySize?: BodySize;
  /** The shape of the JSON that it answers with, or the media type of something else. */
  readonly answer: z.ZodType | MediaType;
  /** The status of a good answer; 200 unless set. */
  readonly status?: 201;
  handle(call: RouteCall): Promise<unknown>;
}

export type MediaType = "text/html" | "text/event-stream";

export interface RouteOf<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>
  extends Omit<Route, "params" | "query" | "body" | "handle"> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** A value for the answer's shape, or a whole response. */
  handle(call: RouteCall<z.output<P>, z.output<Q>, z.output<B>>): Promise<unknown>;
}

/** Types what the handler gets by the schemas beside it. */
export const route = <P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  spec: RouteOf<P, Q, B>,
): Route => spec;

/** One request, checked. */
export interface RouteCall<P = unknown, Q = unknown, B = unknown> {
  readonly garden: Garden;
  readonly gateway: Gateway;
  readonly request: Request;
  readonly language: Language;
  readonly correlation: Correlation;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Whoever came, where anyone may; undefined for a stranger. */
  readonly visitor: Caller | undefined;
  /** Whoever came, where somebody must. */
  readonly identity: Identity;
}

export interface Correlation {
  readonly id: string;
  /** The caller chose it, and may repeat the request with it. */
  readonly brought: boolean;
}

/** Somebody whose claim was proved, and how. */
export interface Caller {
  readonly identity: Identity;
  readonly by: "cookie" | "bearer" | "webhook";
  /** Of a token or a session. */
  readonly claims: TokenClaims | undefined;
}

/** What the gateway is told when it starts. */
export interface Gateway {
  /** The value of an environment variable that `garden.yaml` names. */
  readonly secretOf: (variable: string) => string | undefined;
  readonly feed: EventFeed;
  readonly steps: StepFeed;
  /** What works on runs in this process; undefined where nothing does. */
  readonly runs: RunsFace | undefined;
  /** Whether the owner's pages are served here. */
  readonly hasWebApp: boolean;
  /** All endpoints, for the documents that describe them. */
  readonly routes: readonly Route[];
}

/** What the gateway asks of the engine, and of the parts that runs need. */
export interface RunsFace extends Pick<RunsEngine, "offer" | "cancel" | "health"> {
  /** How the models and the reader are. */
  readonly parts: Readonly<Record<"models" | "reader", () => Promise<PartReport>>>;
  /** Answers questions to the notes. */
  readonly reader: Reader;
}

export interface PartReport {
  readonly ok: boolean;
  /** Something to know it by. */
  readonly about: string;
  readonly remarks: readonly Text[];
}

export function callerIdentity(visitor: Caller | undefined): Identity {
  assert(visitor, "a route that asks for somebody is not called without");
  return visitor.identity;
}
