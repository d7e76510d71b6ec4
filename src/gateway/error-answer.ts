import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { asFailure, type Failure, failureFromRecord, failureTable, failureToRecord } from "../base/failure.ts";
import type { Language } from "../base/text.ts";
import { withoutSecrets } from "../domain/text/redact.ts";
import type { Garden } from "../garden/core/garden.ts";
import { INTERNAL_ERROR_TEXT } from "./failures.ts";
import { requestLanguage } from "./language.ts";
import { originOf } from "./oauth/authorize-request.ts";
import { failurePage, pageHeaders } from "./plain-page.ts";
import type { Gateway } from "./route.ts";

/** the body of every error. */
export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** Facts for programs; `hint` tells a person what to do. */
    readonly details: Readonly<Record<string, unknown>>;
  };
  readonly correlationId: string;
}

/**
 * Turns anything thrown into an error response: a page for a browser that opened the address, JSON for everything else. The text of
 * an INTERNAL_ERROR and paths of this machine are left out.
 */
export async function answerFailure(
  context: Context,
  garden: Garden,
  thrown: unknown,
  { appStyles }: Pick<Gateway, "appStyles">,
): Promise<Response> {
  const failure = clean(asFailure(thrown), garden);
  const inner = failure.code === "INTERNAL_ERROR";
  const language: Language = requestLanguage(context.req.raw, garden.config.language);
  const message = inner ? INTERNAL_ERROR_TEXT[language] : withoutPaths(failure.text[language], garden);
  const hint = failure.hint?.[language];
  const facts = { ...failure.details, ...(hint !== undefined && { hint }) };
  const details = inner ? {} : (JSON.parse(withoutPaths(JSON.stringify(facts), garden)) as Record<string, unknown>);
  const body: ErrorBody = { error: { code: failure.code, message, details }, correlationId: correlationOf(context) };
  const status = failureTable[failure.code].status;
  const wait = failure.details["retryAfterSeconds"];
  if (status === 429) context.header("Retry-After", String(typeof wait === "number" ? wait : 60));
  if (status === 401) context.header("WWW-Authenticate", challengeFor(context.req.raw));
  if (!isOpenedInBrowser(context.req.raw)) return context.json(body, status as ContentfulStatusCode);
  const words = { message, hint: details["hint"] as string | undefined, styles: await appStyles() };
  const page = await failurePage(garden, words, language);
  for (const [name, value] of Object.entries(pageHeaders(page, language))) context.header(name, value);
  return context.body(page.html, status as ContentfulStatusCode);
}

/** An MCP client learns here where it gets a token (RFC 9728). */
const challengeFor = (request: Request): string =>
  new URL(request.url).pathname === "/mcp"
    ? `Bearer realm="garden", resource_metadata="${originOf(request)}/.well-known/oauth-protected-resource/mcp"`
    : 'Bearer realm="garden"';

/** A browser shows the answer itself: it prefers HTML. Scripts, also those of the app, ask for JSON or anything. */
const isOpenedInBrowser = ({ method, headers }: Request): boolean =>
  (method === "GET" || method === "HEAD") && (headers.get("accept") ?? "").includes("text/html");

/** The failure without secret values: another server's answer may repeat the key that we sent. */
const clean = (failure: Failure, { secrets }: Garden): Failure =>
  failureFromRecord(withoutSecrets(failureToRecord(failure), secrets()));

/** Replaces the path of the garden by `…`: callers must not learn it. */
export const withoutPaths = (text: string, { dir }: Pick<Garden, "dir">): string =>
  text.replaceAll(dir, "…").replaceAll(JSON.stringify(dir).slice(1, -1), "…");

/** The id of the request: the caller's own (`X-Correlation-Id`) or a random one. */
export const correlationOf = (context: Context): string =>
  (context.get("correlationId") as string | undefined) ?? "none";
