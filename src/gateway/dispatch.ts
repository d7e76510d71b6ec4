import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import type { GardenConfig } from "../domain/config/garden-config.ts";
import type { Identity } from "../domain/identity.ts";
import type { Action } from "../domain/proposal/action.ts";
import { withNearestName } from "../garden/agents/nearest-name.ts";
import { artifactLimit, noteLimit } from "../garden/changes/effect/failures.ts";
import { takeChange } from "../garden/changes/inbox/rate-limit.ts";
import { currentSettings } from "../garden/core/access/current-settings.ts";
import type { Garden } from "../garden/core/garden.ts";
import { authenticate, authenticateOptional, authorise } from "./authenticate.ts";
import { type BodyBudget, bodyBytes, parseBody } from "./body.ts";
import { correlationOf } from "./error-answer.ts";
import { requestLanguage } from "./language.ts";
import { checkPart, requestRefused } from "./request-problems.ts";
import { type Caller, callerIdentity, type Gateway, type Route, type RouteCall } from "./route.ts";

/**
 * One request through one route: authenticate, authorise, rate limit, validate, handle, and check the answer against its schema.
 * The body is read after authorisation, except for webhooks, whose signature covers the body.
 */
export async function answerCall(context: Context, garden: Garden, gateway: Gateway, route: Route): Promise<Response> {
  const taken = { bytes: 0 };
  let budget: BodyBudget | undefined;
  // For a webhook the body is read before its identity is known: the limit is that of the webhook that it names.
  let sender: Sender | undefined;
  const body = once(async () => {
    const settings = await currentSettings(garden);
    sender ??= namedWebhook(context.req.header("x-bloom-webhook"), settings);
    budget = gateway.bodies[sender?.type ?? "webhook"];
    return bodyBytes(context.req.raw, bodyLimit(settings, route, sender), budget, taken);
  });
  try {
    return await answerWith(context, garden, gateway, route, body, (caller) => {
      sender = caller?.identity;
    });
  } finally {
    budget?.release(taken.bytes);
  }
}

async function answerWith(
  context: Context,
  garden: Garden,
  gateway: Gateway,
  route: Route,
  body: () => Promise<Uint8Array>,
  identified: (caller: Caller | undefined) => void,
): Promise<Response> {
  const request = context.req.raw;
  const identify = (): Promise<Caller | undefined> => authenticate(garden, request, route, gateway.secretOf, body);
  const visitor = await (route.allows.includes("anyone") ? authenticateOptional(identify) : identify());
  identified(visitor);
  authorise(route, visitor);
  if (route.rate === "change" && visitor) {
    const refused = await takeChange(garden, visitor.identity, await currentSettings(garden));
    if (refused) throw refused;
  }
  const checked = await checkRequest(context, route, body);
  const call: RouteCall = {
    ...checked,
    garden,
    gateway,
    request,
    visitor,
    language: requestLanguage(request, garden.config.language),
    correlation: {
      id: correlationOf(context),
      brought: context.req.header("x-correlation-id") === correlationOf(context),
    },
    get identity() {
      return callerIdentity(visitor);
    },
  };
  const answer = await handled(route, call);
  if (answer instanceof Response) return withHeaders(context, answer);
  if (typeof route.answer === "string") throw new Error(`${route.path} promised ${route.answer}`);
  return context.json(route.answer.parse(answer) as object, (route.status ?? 200) as ContentfulStatusCode);
}

/** Calls the handler. The owner gets the nearest name with a missing agent or note. */
async function handled(route: Route, call: RouteCall): Promise<unknown> {
  try {
    return await route.handle(call);
  } catch (error) {
    throw call.visitor?.identity.type === "owner" ? await withNearestName(call.garden, error) : error;
  }
}

async function checkRequest(
  context: Context,
  route: Route,
  body: () => Promise<Uint8Array>,
): Promise<{ params: unknown; query: unknown; body: unknown }> {
  const { lang: _, ...query } = Object.fromEntries(new URL(context.req.raw.url).searchParams);
  const parts = {
    params: checkPart("path", route.params, context.req.param()),
    query: checkPart("query", route.query ?? NO_QUERY, query),
    body: checkPart("body", route.body, route.body && parseBody(await body())),
  };
  const problems = [...parts.params.problems, ...parts.query.problems, ...parts.body.problems];
  if (problems.length > 0) throw requestRefused(problems);
  return { params: parts.params.value, query: parts.query.value, body: parts.body.value };
}

const NO_QUERY = z.strictObject({});
const REQUEST_BYTES = 1_000_000;

type Sender = Pick<Identity, "type"> & { readonly actions?: readonly string[] };

function namedWebhook(name: string | undefined, { webhooks }: Pick<GardenConfig, "webhooks">): Sender | undefined {
  const hook = webhooks.find((each) => each.name === name);
  return hook && { type: "webhook", actions: hook.actions };
}

/**
 * Bounds the memory for a body. A submission carries a note or an artifact inside JSON: base64 adds a third, escapes add some.
 * Guests and webhooks get room only for what they may propose. The gate checks the exact size of the content later.
 */
function bodyLimit(config: GardenConfig, { bodySize }: Route, sender: Sender | undefined): number {
  const request = config.limits.body_bytes ?? REQUEST_BYTES;
  if (bodySize !== "submission" || !sender) return request;
  const may = (...wanted: readonly Action[]): boolean =>
    sender.actions === undefined || wanted.some((action) => sender.actions?.includes(action));
  const note = may("propose-note", "propose-edit", "propose-summary") ? 2 * noteLimit(config) : 0;
  const artifact = may("propose-artifact") ? Math.ceil((artifactLimit(config) * 4) / 3) : 0;
  return request + Math.max(note, artifact);
}

/** Adds the security headers and the correlation id to a response that a handler built itself. */
function withHeaders(context: Context, answer: Response): Response {
  for (const [name, value] of answer.headers) context.header(name, value, { append: name === "set-cookie" });
  return context.newResponse(answer.body, answer.status as ContentfulStatusCode);
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
