import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { pipeline, Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { addressNotAllowed, hostUnreachable, responseTooLarge } from "./failures.ts";

/** One request to an allowed host. Redirects are not followed. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
  /** Checked for every address before a connection is made. */
  readonly mayBeAt: (address: string) => boolean;
}

export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;

/** Maximum size of one response, decompressed. */
export const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/**
 * Returns a function that sends requests. Not `fetch`, which resolves names by itself: an address checked before would not be
 * the one it connects to (DNS rebinding). Here the checked addresses are used. Each sender keeps its own connections alive.
 */
export function requestSender(lookup: Lookup = (host) => systemLookup(host, { all: true })) {
  const agents = { "http:": new http.Agent({ keepAlive: true }), "https:": new https.Agent({ keepAlive: true }) };

  return async function send({ url, method, headers, body, signal, mayBeAt }: OutgoingRequest): Promise<Response> {
    signal?.throwIfAborted();
    const addresses = await addressesOf(url, lookup);
    const allowed = addresses.filter(({ address }) => mayBeAt(address));
    if (allowed.length === 0) throw addressNotAllowed(url, addresses);
    const pinned: LookupFunction = (_, { all }, done) =>
      all ? done(null, allowed) : done(null, allowed[0]!.address, allowed[0]!.family);
    const { request } = url.protocol === "https:" ? https : http;
    const response = await new Promise<http.IncomingMessage>((got, reject) => {
      const sent = request(url, {
        method,
        headers: { ...Object.fromEntries(headers), "accept-encoding": "identity" },
        agent: agents[url.protocol as keyof typeof agents],
        lookup: pinned,
        ...(signal && { signal }),
      });
      sent.once("response", got);
      sent.once("error", (error) => reject(signal?.aborted ? signal.reason : hostUnreachable(url, error)));
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
    throw hostUnreachable(url, error as Error);
  }
}

function responseOf(url: URL, from: http.IncomingMessage): Response {
  const status = from.statusCode ?? 0;
  const headers = new Headers();
  for (let i = 0; i + 1 < from.rawHeaders.length; i += 2) headers.append(from.rawHeaders[i]!, from.rawHeaders[i + 1]!);
  const empty = [204, 205, 304].includes(status);
  if (empty) from.resume();
  const content = pipeline([from, ...decompression(headers), bounded(url)], () => undefined) as unknown as Readable;
  const response = new Response(empty ? null : (Readable.toWeb(content) as ReadableStream<Uint8Array>), {
    status,
    statusText: from.statusMessage ?? "",
    headers,
  });
  Object.defineProperty(response, "url", { value: url.href });
  return response;
}

/** For servers that compress although `identity` was requested. */
function decompression(headers: Headers): Transform[] {
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
      if (bytes > MAX_RESPONSE_BYTES) done(responseTooLarge(url, MAX_RESPONSE_BYTES));
      else done(null, chunk);
    },
  });
}
