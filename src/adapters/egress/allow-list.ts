import { Failure } from "../../base/failure.ts";
import type { Egress } from "../../ports/egress.ts";
import { isListed, mayBeAt, shownHost } from "./hosts.ts";
import { type Lookup, openWay } from "./send-request.ts";

export interface AllowList {
  readonly allow: readonly string[];
  /** How names become addresses. */
  readonly lookup?: Lookup;
}

export const MAX_REDIRECTS = 5;

/**
 * The way out of a garden. A host is looked for in every list that applies, before anything is sent to it, and again for each
 * redirect; then its address is looked at, and that very address is connected to (`open-way.ts`).
 */
export const allowListEgress = ({ allow, lookup }: AllowList): Egress => egressWith([allow], lookup);

function egressWith(lists: readonly (readonly string[])[], lookup: Lookup | undefined): Egress {
  const send = openWay(lookup);
  const narrower = new Map<string, Egress>();
  const expectListed = (url: URL, from: URL | undefined): void => {
    if (url.protocol !== "http:" && url.protocol !== "https:") throw noWeb(url);
    const refusing = lists.findIndex((allow) => !isListed(allow, url));
    if (refusing >= 0) throw notListed(url, lists[refusing]!, refusing > 0, from);
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
        const atAddress = (address: string): boolean => lists.every((allow) => mayBeAt(allow, url, address));
        const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined) ?? undefined;
        const response = await send({ url, method, headers, body, signal, mayBeAt: atAddress });
        const location = REDIRECTS.includes(response.status) ? response.headers.get("location") : null;
        if (location === null || request.redirect === "manual") return response;
        await response.body?.cancel();
        if (request.redirect === "error" || hops >= MAX_REDIRECTS) throw tooFar(url, hops);
        const next = leadsTo(url, location);
        if (url.protocol === "https:" && next.protocol === "http:") throw downgraded(url, next);
        if (response.status === 303 || (method === "POST" && response.status < 303)) {
          [method, body] = [method === "HEAD" ? "HEAD" : "GET", undefined];
          for (const name of OF_BODIES) headers.delete(name);
        }
        if (next.origin !== url.origin) for (const name of SECRETS) headers.delete(name);
        [from, url] = [url, next];
      }
    },
    /** The same list gives the same way, with the connections that it has open. */
    within(allow) {
      const key = allow.join(" ");
      const there = narrower.get(key) ?? egressWith([...lists, allow], lookup);
      narrower.set(key, there);
      return there;
    },
  };
}

const REDIRECTS = [301, 302, 303, 307, 308];
const OF_BODIES = ["content-type", "content-length", "content-encoding", "content-language", "content-location"];
/** Meant for the host that they were sent to, and for no other. */
const SECRETS = ["authorization", "proxy-authorization", "cookie", "x-api-key", "api-key"];

function leadsTo(from: URL, location: string): URL {
  try {
    return new URL(location, from);
  } catch {
    throw new Failure("UPSTREAM_UNAVAILABLE", {
      en: `${from.host} leads on to something that is no address`,
      uk: `${from.host} веде далі до чогось, що не є адресою`,
    });
  }
}

function notListed(url: URL, allow: readonly string[], ofContract: boolean, from: URL | undefined): Failure {
  const host = shownHost(url);
  const where = ofContract ? "`network.allow`" : "`egress`";
  return new Failure(
    "FORBIDDEN",
    {
      en: `${host} is not on the list of hosts that may be reached${from ? `, and ${from.host} leads there` : ""} (${listed(allow).en})`,
      uk: `${host} немає в переліку дозволених вузлів${from ? `, а ${from.host} веде туди` : ""} (${listed(allow).uk})`,
    },
    {
      hint: {
        en: `Whoever wants it reached adds it to ${where} ${ofContract ? "in the contract" : "in garden.yaml"}.`,
        uk: `Щоб дозволити, додайте його до ${where} ${ofContract ? "у контракті" : "у garden.yaml"}.`,
      },
      details: { host, allow: allow.slice(0, 50), ...(from && { from: from.host }) },
    },
  );
}

const listed = (allow: readonly string[]): { en: string; uk: string } => {
  const names = `${allow.slice(0, 10).join(", ")}${allow.length > 10 ? ", …" : ""}`;
  return allow.length === 0 ? { en: "it is empty", uk: "він порожній" } : { en: names, uk: names };
};

const noWeb = (url: URL): Failure =>
  new Failure("FORBIDDEN", {
    en: `only http and https lead out, not ${url.protocol.slice(0, -1)}`,
    uk: `назовні ведуть лише http і https, а не ${url.protocol.slice(0, -1)}`,
  });

const downgraded = (from: URL, to: URL): Failure =>
  new Failure("FORBIDDEN", {
    en: `${from.host} leads on to ${to.host} without encryption`,
    uk: `${from.host} веде далі до ${to.host} без шифрування`,
  });

const tooFar = (url: URL, hops: number): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `${url.host} leads on after ${hops} redirects`,
    uk: `${url.host} веде далі після ${hops} переспрямувань`,
  });
