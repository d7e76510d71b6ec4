import { headerNotAllowed } from "../../src/gateway/failures.ts";
import { gatewayAway } from "./failures.ts";
import type { EdgeSettings } from "./settings.ts";

/** Headers of one connection (RFC 9110, 7.6.1), which no proxy passes on; `Connection` may name more. */
const HOP_BY_HOP =
  /^(?:connection|keep-alive|proxy-authenticate|proxy-authorization|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;
/** Only a proxy may say these, and the worker is the first one. */
const SAID_BY_PROXIES = /^(?:forwarded|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip)$/i;

/** Statuses of a proxy before the gateway; 520 to 530 are Cloudflare's own for an origin that it cannot reach. */
const isProxyStatus = (status: number): boolean => status === 502 || status === 504 || (status >= 520 && status <= 530);

/** The gateway's answer. Bodies stream in both directions; the time limit ends with the answer's headers, so events go on. */
export async function forward(
  request: Request,
  { origin, timeoutMs }: EdgeSettings,
  correlationId: string,
): Promise<Response> {
  const url = new URL(request.url);
  const isSafe = request.method === "GET" || request.method === "HEAD";
  const headers = headersForGateway(request, url, origin, correlationId);
  const away = new AbortController();
  const timer = setTimeout(() => away.abort(), timeoutMs);
  try {
    const answer = await fetch(origin + url.pathname + url.search, {
      method: request.method,
      headers,
      body: isSafe ? null : request.body,
      redirect: "manual",
      signal: away.signal,
    });
    if (!isProxyStatus(answer.status)) {
      const { status, statusText, body } = answer;
      return new Response(body, { status, statusText, headers: withoutHops(answer.headers) });
    }
    await answer.body?.cancel();
  } catch {
    // Refused connection, unknown host, time limit: all of them mean that no answer came.
  } finally {
    clearTimeout(timer);
  }
  throw gatewayAway(!isSafe);
}

/**
 * `fetch` names the origin in `Host`, and the gateway compares `Origin` with it (CSRF): the worker makes that comparison for its own
 * address and passes the gateway's on. Throws FORBIDDEN for a page of another site.
 */
function headersForGateway(request: Request, url: URL, origin: string, correlationId: string): Headers {
  const page = request.headers.get("origin");
  if (page !== null && page !== url.origin) throw headerNotAllowed("Origin", page);
  const headers = withoutHops(request.headers);
  for (const name of request.headers.keys()) if (SAID_BY_PROXIES.test(name)) headers.delete(name);
  headers.delete("host");
  if (page !== null) headers.set("origin", origin);
  headers.set("x-forwarded-for", clientAddress(request) || "unknown");
  headers.set("x-forwarded-proto", url.protocol.slice(0, -1));
  headers.set("x-forwarded-host", url.host);
  headers.set("x-correlation-id", correlationId);
  return headers;
}

function withoutHops(from: Headers): Headers {
  const headers = new Headers(from);
  const named = (from.get("connection") ?? "").split(",").map((name) => name.trim().toLowerCase());
  for (const name of from.keys()) if (HOP_BY_HOP.test(name) || named.includes(name)) headers.delete(name);
  return headers;
}

/** Cloudflare sets this header itself and drops the client's; empty elsewhere. */
export const clientAddress = ({ headers }: Pick<Request, "headers">): string => headers.get("cf-connecting-ip") ?? "";
