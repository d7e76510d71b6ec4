import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { Failure } from "../base/failure.ts";
import type { Garden } from "../garden/garden.ts";
import { callerCheck } from "./callers.ts";
import { answerFailure, noSuchPlace } from "./errors.ts";
import { gardenHealth } from "./health.ts";
import { languageOf } from "./language.ts";
import { firstPage } from "./page.ts";

export interface GatewayOptions {
  /** The address that it listens at. */
  readonly host: string;
  /** Further names under which it may be called. */
  readonly allowedHosts: readonly string[];
}

const MAX_BODY_BYTES = 1024 * 1024;
const CORRELATION = /^[A-Za-z0-9_-]{1,100}$/;

/** The HTTP face of a garden. One error body, security headers on everything, and no caller that a stranger sent. */
export function gatewayApp(garden: Garden, options: GatewayOptions): Hono<{ Variables: { correlationId: string } }> {
  const app = new Hono<{ Variables: { correlationId: string } }>();
  const checkCaller = callerCheck(options.host, options.allowedHosts);

  app.use(async (context, next) => {
    const brought = context.req.header("x-correlation-id");
    const id = brought && CORRELATION.test(brought) ? brought : Buffer.from(garden.world.random(8)).toString("hex");
    context.set("correlationId", id);
    for (const [name, value] of Object.entries(SECURITY)) context.header(name, value);
    context.header("X-Correlation-Id", id);
    checkCaller(context.req.raw);
    await next();
  });
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw tooLarge();
      },
    }),
  );

  app.get("/health", async (context) => {
    const health = await gardenHealth(garden);
    return context.json(health, health.status === "ok" ? 200 : 503);
  });

  app.get("/", async (context) => {
    const page = await firstPage(garden, languageOf(context.req.raw, garden.config.language));
    context.header("Content-Security-Policy", page.policy);
    context.header("Content-Language", page.language);
    context.header("Vary", "Accept-Language");
    return context.html(page.html);
  });

  for (const path of ["/", "/health"]) {
    app.all(path, (context) => {
      context.header("Allow", "GET, HEAD");
      const answer = answerFailure(context, garden, wrongMethod(context.req.method));
      return new Response(answer.body, { status: 405, headers: answer.headers });
    });
  }
  app.notFound((context) => answerFailure(context, garden, noSuchPlace(context.req.path)));
  app.onError((error, context) => answerFailure(context, garden, error));
  return app;
}

const SECURITY: Readonly<Record<string, string>> = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
  "Cache-Control": "no-store",
};

const wrongMethod = (method: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${method} is not possible at this address`,
    uk: `${method} за цією адресою неможливий`,
  });

const tooLarge = (): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `a request body may have at most ${MAX_BODY_BYTES} bytes`,
      uk: `тіло запиту може мати щонайбільше ${MAX_BODY_BYTES} байтів`,
    },
    { details: { limit: MAX_BODY_BYTES } },
  );
