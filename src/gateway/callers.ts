import { Failure } from "../base/failure.ts";

/**
 * Which callers a gateway on somebody's own machine may trust: a page of another site can make the browser send
 * requests here (by its own name that resolves to this machine, or cross-origin), but it cannot choose what the browser
 * writes into Host and Origin.
 */
export function callerCheck(listening: string, configured: readonly string[]): (request: Request) => void {
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
    if (origin !== null && !(URL.canParse(origin) && known(new URL(origin).host))) throw strange("Origin", origin);
  };
}

const bracketed = (host: string): string => (host.includes(":") ? `[${host.toLowerCase()}]` : host.toLowerCase());

const strange = (header: string, value: string | null): Failure =>
  new Failure(
    "FORBIDDEN",
    {
      en: `this garden does not answer to ${header} ${JSON.stringify(value?.slice(0, 100) ?? "")}; allow the name with BLOOM_ALLOWED_HOSTS`,
      uk: `цей сад не відповідає на ${header} ${JSON.stringify(value?.slice(0, 100) ?? "")}; дозвольте назву через BLOOM_ALLOWED_HOSTS`,
    },
    { details: { header } },
  );
