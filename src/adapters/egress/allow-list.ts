import type { Egress } from "../../ports/egress.ts";
import { badRedirect, hostNotAllowed, protocolNotAllowed, redirectDowngraded, tooManyRedirects } from "./failures.ts";
import { isAddressAllowed, isListed } from "./hosts.ts";
import { type Lookup, requestSender } from "./send-request.ts";

export interface AllowList {
  readonly allow: readonly string[];
  /** Resolves host names. Default: the system's resolver. */
  readonly lookup?: Lookup;
}

export const MAX_REDIRECTS = 5;

/**
 * The egress of a garden. A host must be on every list that applies, checked before anything is sent and again for each redirect;
 * then its address is checked, and that very address is connected to (`send-request.ts`).
 */
export const allowListEgress = ({ allow, lookup }: AllowList): Egress => egressWith([allow], lookup);

function egressWith(lists: readonly (readonly string[])[], lookup: Lookup | undefined): Egress {
  const send = requestSender(lookup);
  const narrower = new Map<string, Egress>();
  const expectListed = (url: URL, from: URL | undefined): void => {
    if (url.protocol !== "http:" && url.protocol !== "https:") throw protocolNotAllowed(url);
    const refusing = lists.findIndex((allow) => !isListed(allow, url));
    if (refusing >= 0) throw hostNotAllowed(url, lists[refusing]!, refusing > 0, from);
  };
  return {
    async fetch(input, init) {
      const request = new Request(input, init);
      let method = request.method;
      let body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
      const headers = new Headers(request.headers);
      let from: URL | undefined;
      for (let url = new URL(request.url), hops = 0; ; hops++) {
        expectListed(url, from);
        const atAddress = (address: string): boolean => lists.every((allow) => isAddressAllowed(allow, url, address));
        const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined) ?? undefined;
        const response = await send({ url, method, headers, body, signal, mayBeAt: atAddress });
        const location = REDIRECTS.includes(response.status) ? response.headers.get("location") : null;
        if (location === null || request.redirect === "manual") return response;
        await response.body?.cancel();
        if (request.redirect === "error" || hops >= MAX_REDIRECTS) throw tooManyRedirects(url, hops);
        const next = redirectTarget(url, location);
        if (url.protocol === "https:" && next.protocol === "http:") throw redirectDowngraded(url, next);
        if (response.status === 303 || (method === "POST" && response.status < 303)) {
          [method, body] = [method === "HEAD" ? "HEAD" : "GET", undefined];
          for (const name of BODY_HEADERS) headers.delete(name);
        }
        if (next.origin !== url.origin) for (const name of SECRET_HEADERS) headers.delete(name);
        [from, url] = [url, next];
      }
    },
    /** Cached by list, so that its connections are reused. */
    within(allow) {
      const key = allow.join(" ");
      const there = narrower.get(key) ?? egressWith([...lists, allow], lookup);
      narrower.set(key, there);
      return there;
    },
  };
}

const REDIRECTS = [301, 302, 303, 307, 308];
const BODY_HEADERS = ["content-type", "content-length", "content-encoding", "content-language", "content-location"];
/** Headers that must not reach another origin. */
const SECRET_HEADERS = ["authorization", "proxy-authorization", "cookie", "x-api-key", "api-key"];

function redirectTarget(from: URL, location: string): URL {
  try {
    return new URL(location, from);
  } catch {
    throw badRedirect(from);
  }
}
