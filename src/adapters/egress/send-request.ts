import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { pipeline, Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { Failure } from "../../base/failure.ts";

/** One request to one host, after it was found to be allowed. Follows nothing. */
export interface Sending {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
  /** Asked of every address before a connection is made to it. */
  readonly mayBeAt: (address: string) => boolean;
}

export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;

/** Of one response, unpacked. */
export const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/**
 * `fetch` looks a name up by itself, so that whoever checks its address beforehand checks another answer than the one that is
 * used. Here the addresses that were checked are those that are connected to. Connections are kept, each set for one list.
 */
export function openWay(lookup: Lookup = (host) => systemLookup(host, { all: true })) {
  const agents = { "http:": new http.Agent({ keepAlive: true }), "https:": new https.Agent({ keepAlive: true }) };

  return async function send({ url, method, headers, body, signal, mayBeAt }: Sending): Promise<Response> {
    signal?.throwIfAborted();
    const addresses = await addressesOf(url, lookup);
    const open = addresses.filter(({ address }) => mayBeAt(address));
    if (open.length === 0) throw notThere(url, addresses);
    const found: LookupFunction = (_, { all }, done) =>
      all ? done(null, open) : done(null, open[0]!.address, open[0]!.family);
    const { request } = url.protocol === "https:" ? https : http;
    const response = await new Promise<http.IncomingMessage>((got, reject) => {
      const sent = request(url, {
        method,
        headers: { ...Object.fromEntries(headers), "accept-encoding": "identity" },
        agent: agents[url.protocol as keyof typeof agents],
        lookup: found,
        ...(signal && { signal }),
      });
      sent.once("response", got);
      sent.once("error", (error) => reject(signal?.aborted ? signal.reason : unreachable(url, error)));
      sent.end(body);
    });
    return responseOf(url, response);
  };
}

async function addressesOf(url: URL, lookup: Lookup): Promise<readonly LookupAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  try {
    return await lookup(host);
  } catch (error) {
    throw unreachable(url, error as Error);
  }
}

function responseOf(url: URL, from: http.IncomingMessage): Response {
  const status = from.statusCode ?? 0;
  const headers = new Headers();
  for (let i = 0; i + 1 < from.rawHeaders.length; i += 2) headers.append(from.rawHeaders[i]!, from.rawHeaders[i + 1]!);
  const empty = [204, 205, 304].includes(status);
  if (empty) from.resume();
  const content = pipeline([from, ...unpacking(headers), bounded(url)], () => undefined) as unknown as Readable;
  const response = new Response(empty ? null : (Readable.toWeb(content) as ReadableStream<Uint8Array>), {
    status,
    statusText: from.statusMessage ?? "",
    headers,
  });
  Object.defineProperty(response, "url", { value: url.href });
  return response;
}

/** Nothing packed was asked for; some send it all the same. */
function unpacking(headers: Headers): Transform[] {
  const packed = headers.get("content-encoding")?.trim().toLowerCase();
  const opener = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress }[packed ?? ""];
  if (!opener) return [];
  headers.delete("content-encoding");
  headers.delete("content-length");
  return [opener()];
}

function bounded(url: URL): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      bytes += chunk.length;
      if (bytes > MAX_RESPONSE_BYTES) done(tooLarge(url));
      else done(null, chunk);
    },
  });
}

function notThere(url: URL, found: readonly LookupAddress[]): Failure {
  const addresses = found.map(({ address }) => address);
  const where = addresses.join(", ");
  return new Failure(
    "FORBIDDEN",
    {
      en: `${url.hostname} is at ${where || "no address"}, on this machine or its local network, and that address is not on the list`,
      uk: `${url.hostname} має адресу ${where || "—"}, на цій машині чи в її локальній мережі, і цієї адреси немає в переліку`,
    },
    {
      hint: {
        en: "If it is meant, add the address itself to `egress` in garden.yaml.",
        uk: "Якщо так і задумано, додайте саму адресу до `egress` у garden.yaml.",
      },
      details: { host: url.host, addresses },
    },
  );
}

function unreachable(url: URL, error: Error): Failure {
  if (error instanceof Failure) return error;
  const why = "code" in error && typeof error.code === "string" ? error.code : error.message;
  return new Failure(
    "UPSTREAM_UNAVAILABLE",
    { en: `${url.host} cannot be reached: ${why}`, uk: `${url.host} недосяжний: ${why}` },
    { details: { host: url.host }, cause: error },
  );
}

const tooLarge = (url: URL): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `the answer of ${url.host} is larger than ${MAX_RESPONSE_BYTES} bytes`,
      uk: `відповідь ${url.host} більша за ${MAX_RESPONSE_BYTES} байтів`,
    },
    { details: { host: url.host, limit: MAX_RESPONSE_BYTES } },
  );
