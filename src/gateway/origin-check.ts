import { headerNotAllowed } from "./failures.ts";

/**
 * Protects a gateway on a private machine against DNS rebinding and cross-origin requests. A page of another site can make the
 * browser send requests here, but it cannot choose Host and Origin. An origin includes the port: a program on another port of this
 * machine gets the same cookies and is still foreign. The returned function throws FORBIDDEN. `isPublic`:
 * any page may read the answer, because it is the same for everybody.
 */
export function originCheck(
  listening: string,
  configured: readonly string[],
): (request: Request, isPublic?: boolean) => void {
  const allowed = new Set(["localhost", "127.0.0.1", "[::1]", bracketed(listening), ...configured]);
  for (const wildcard of ["0.0.0.0", "[::]", ""]) allowed.delete(wildcard);
  const known = (authority: string): boolean => {
    const name = /^(\[[0-9a-f:.]+\]|[^:]+)(?::\d{1,5})?$/i.exec(authority)?.[1];
    return name !== undefined && allowed.has(name.toLowerCase().replace(/\.$/, ""));
  };
  return (request, isPublic = false) => {
    const host = request.headers.get("host");
    if (host === null || !known(host)) throw headerNotAllowed("Host", host);
    const origin = request.headers.get("origin");
    if (origin !== null && !isPublic && !isOwnOrigin(origin, host)) throw headerNotAllowed("Origin", origin);
  };
}

/** The origin is the authority of this request. */
function isOwnOrigin(origin: string, host: string): boolean {
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  const page = new URL(origin);
  const called = `${page.protocol}//${host}`; // URL drops the default port of the scheme
  return URL.canParse(called) && new URL(called).host === page.host;
}

/**
 * CSRF check for requests with a cookie. The browser adds the cookie to requests of any page, but it asks first (CORS preflight,
 * which is refused) before a foreign page may add a custom header.
 */
export function isFromOwnPage(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  return request.headers.has("origin") || request.headers.has("x-requested-with"); // originCheck compared Origin
}

const bracketed = (host: string): string => (host.includes(":") ? `[${host.toLowerCase()}]` : host.toLowerCase());
