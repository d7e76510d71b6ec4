import { Failure } from "../base/failure.ts";

/**
 * Which callers a gateway on somebody's own machine may trust: a page of another site can make the browser send
 * requests here (by its own name that resolves to this machine, or cross-origin), but it cannot choose what the browser
 * writes into Host and Origin. An origin is a name with its port: another program on this machine that serves pages
 * at another port gets the same cookies from the browser, and is a stranger all the same.
 */
export function originCheck(listening: string, configured: readonly string[]): (request: Request) => void {
  const allowed = new Set(["localhost", "127.0.0.1", "[::1]", bracketed(listening), ...configured]);
  for (const wildcard of ["0.0.0.0", "[::]", ""]) allowed.delete(wildcard);
  const known = (authority: string): boolean => {
    const name = /^(\[[0-9a-f:.]+\]|[^:]+)(?::\d{1,5})?$/i.exec(authority)?.[1];
    return name !== undefined && allowed.has(name.toLowerCase().replace(/\.$/, ""));
  };
  return (request) => {
    const host = request.headers.get("host");
    if (host === null || !known(host)) throw strange("Host", host);
    const origin = request.headers.get("origin");
    if (origin !== null && !isOwnOrigin(origin, host)) throw strange("Origin", origin);
  };
}

/** Whether a page of this origin came from the authority that is called now. */
function isOwnOrigin(origin: string, host: string): boolean {
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  const page = new URL(origin);
  const called = `${page.protocol}//${host}`; // the usual port of the scheme may be written or not
  return URL.canParse(called) && new URL(called).host === page.host;
}

/**
 * Whether a request that changes something comes from a page of ours. The browser adds the cookie to whatever any page
 * sends; it adds no header that the page did not ask for, and asks us first (and is refused) before it lets a foreign page
 * add one of its own.
 */
export function isFromOwnPage(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  return request.headers.has("origin") || request.headers.has("x-requested-with"); // Origin was compared before
}

const bracketed = (host: string): string => (host.includes(":") ? `[${host.toLowerCase()}]` : host.toLowerCase());

const strange = (header: string, value: string | null): Failure =>
  new Failure(
    "FORBIDDEN",
    {
      en: `this garden does not answer to ${header} ${JSON.stringify(value?.slice(0, 100) ?? "")}`,
      uk: `цей сад не відповідає на ${header} ${JSON.stringify(value?.slice(0, 100) ?? "")}`,
    },
    {
      hint:
        header === "Host"
          ? {
              en: "Allow the name with BLOOM_ALLOWED_HOSTS.",
              uk: "Дозвольте назву через BLOOM_ALLOWED_HOSTS.",
            }
          : {
              en: "Pages of other addresses may not call it; a proxy in between must hand on the Host header.",
              uk: "Сторінки інших адрес не можуть його викликати; проксі має передавати заголовок Host.",
            },
      details: { header },
    },
  );
