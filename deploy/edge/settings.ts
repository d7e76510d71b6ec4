import { notConfigured } from "./failures.ts";

/** Bindings and variables of the worker, as Cloudflare passes them. */
export interface EdgeBindings {
  /** The files of `web/dist`. */
  readonly ASSETS: { fetch(address: string): Promise<Response> };
  /** The gateway's address, without a path. */
  readonly ORIGIN?: string;
  /** The 64 hexadecimal digits of BLOOM_SIGNING_KEY. */
  readonly SIGNING_KEY?: string;
  readonly RATE_PER_MINUTE?: string;
  readonly ORIGIN_TIMEOUT_SECONDS?: string;
}

export interface EdgeSettings {
  readonly origin: string;
  readonly key: CryptoKey;
  readonly perMinute: number;
  readonly timeoutMs: number;
}

/** Throws UPSTREAM_UNAVAILABLE with the variable named: the worker forwards nothing that it cannot check. */
export async function edgeSettings(bindings: EdgeBindings): Promise<EdgeSettings> {
  const { ORIGIN = "", SIGNING_KEY = "" } = bindings;
  if (!/^https?:\/\//.test(ORIGIN) || !URL.canParse(ORIGIN) || new URL(ORIGIN).pathname !== "/")
    throw notConfigured("ORIGIN");
  if (!/^[0-9a-f]{64}\n?$/.test(SIGNING_KEY)) throw notConfigured("SIGNING_KEY");
  const bytes = Uint8Array.from(SIGNING_KEY.match(/[0-9a-f]{2}/g)!, (digits) => Number.parseInt(digits, 16));
  return {
    origin: new URL(ORIGIN).origin,
    key: await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]),
    perMinute: positive(bindings, "RATE_PER_MINUTE", 600),
    timeoutMs: positive(bindings, "ORIGIN_TIMEOUT_SECONDS", 60) * 1000,
  };
}

function positive(
  bindings: EdgeBindings,
  name: "RATE_PER_MINUTE" | "ORIGIN_TIMEOUT_SECONDS",
  byDefault: number,
): number {
  const text = bindings[name];
  if (text === undefined) return byDefault;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw notConfigured(name);
  return Number(text);
}
