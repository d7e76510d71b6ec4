import { type Context, Hono } from "hono";
import { asFailure, failureTable } from "../../src/base/failure.ts";
import type { ErrorBody } from "../../src/gateway/error-answer.ts";
import { INTERNAL_ERROR_TEXT } from "../../src/gateway/failures.ts";
import { requestLanguage } from "../../src/gateway/language.ts";
import { securityHeaders } from "../../src/gateway/security-headers.ts";
import { APP, isAppAsset, webFile } from "../../src/gateway/web-app.ts";
import { checkToken } from "./check-token.ts";
import { tooManyRequests } from "./failures.ts";
import { clientAddress, forward } from "./forward.ts";
import { RateWindow } from "./rate-window.ts";
import { type EdgeBindings, type EdgeSettings, edgeSettings } from "./settings.ts";

interface EdgeTypes {
  Bindings: EdgeBindings;
  Variables: { correlationId: string; settings: EdgeSettings };
}

const CORRELATION = /^[A-Za-z0-9_-]{1,100}$/;
const requests = new RateWindow();

const app = new Hono<EdgeTypes>();

app.use(async (context, next) => {
  const brought = context.req.header("x-correlation-id");
  context.set("correlationId", brought && CORRELATION.test(brought) ? brought : crypto.randomUUID());
  const settings = await edgeSettings(context.env);
  context.set("settings", settings);
  const wait = requests.take(clientAddress(context.req.raw), settings.perMinute, Date.now());
  if (wait !== undefined) throw tooManyRequests(settings.perMinute, wait);
  await next();
});

app.get(`${APP}*`, async (context, next) => {
  for (const [name, value] of Object.entries(securityHeaders)) context.header(name, value);
  return (await webFile(context, (path) => builtFile(context.env, path))) ?? (await next());
});
app.get(APP.slice(0, -1), (context) => context.redirect(APP));

app.all("*", async (context) => {
  const settings = context.get("settings");
  const { raw, path } = context.req;
  // During an upgrade the gateway's pages name files that this worker does not have yet.
  if (!isAppAsset(path)) await checkToken(settings.key, raw, Date.now());
  return await forward(raw, settings, context.get("correlationId"));
});

app.onError(answerError);

/** Cloudflare compresses answers itself, so the compressed copies of the build are not used. */
async function builtFile({ ASSETS }: EdgeBindings, path: string): Promise<Uint8Array | undefined> {
  if (path.endsWith(".br")) return undefined;
  const found = await ASSETS.fetch(`https://assets.invalid/${path}`);
  if (found.ok) return new Uint8Array(await found.arrayBuffer());
  await found.body?.cancel();
  return undefined;
}

/** The gateway's error body, always JSON. */
function answerError(error: Error, context: Context<EdgeTypes>): Response {
  const failure = asFailure(error);
  const { status } = failureTable[failure.code];
  const language = requestLanguage(context.req.raw, undefined);
  const text = failure.code === "INTERNAL_ERROR" ? INTERNAL_ERROR_TEXT : failure.text;
  const hint = failure.hint?.[language];
  const correlationId = context.get("correlationId");
  const body: ErrorBody = {
    error: {
      code: failure.code,
      message: text[language],
      details: { ...failure.details, ...(hint !== undefined && { hint }) },
    },
    correlationId,
  };
  const headers = new Headers({ ...securityHeaders, "X-Correlation-Id": correlationId });
  if (status === 401) headers.set("WWW-Authenticate", 'Bearer realm="garden"');
  const wait = failure.details["retryAfterSeconds"];
  if (typeof wait === "number") headers.set("Retry-After", String(wait));
  return Response.json(body, { status, headers });
}

export default app;
