import { createHash, createHmac } from "node:crypto";

export interface S3Credentials {
  readonly key: string;
  readonly secret: string;
}

/** A request before it is signed: `path` is encoded already, `query` is not. */
export interface UnsignedRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Signs a request with AWS Signature Version 4. Every header is signed (Ceph answers 403 to an unsigned one), and so is the hash of
 * the body. Returns the headers to send, without `host`, and the query as it was signed.
 */
export function signRequest(
  { method, host, path, query, headers, body }: UnsignedRequest,
  credentials: S3Credentials,
  region: string,
  atMs: number,
): { readonly headers: Record<string, string>; readonly query: string } {
  const time = new Date(atMs).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const content = sha256(body);
  const all: Record<string, string> = { ...headers, host, "x-amz-content-sha256": content, "x-amz-date": time };
  const names = Object.keys(all).toSorted();
  const signed = names.join(";");
  const pairs = Object.entries(query).map(([name, value]) => `${uriPart(name)}=${uriPart(value)}`);
  const sent = pairs.toSorted().join("&");
  const canonical = [method, path, sent, ...names.map((name) => `${name}:${all[name]}`), "", signed, content].join(
    "\n",
  );
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`;
  const signature = hmac(signingKey(credentials.secret, day, region), text).toString("hex");
  const { host: _, ...others } = all;
  return {
    query: sent,
    headers: {
      ...others,
      authorization: `AWS4-HMAC-SHA256 Credential=${credentials.key}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
    },
  };
}

/** Percent-encoding as the signature wants it: everything but letters, digits and `-._~`. */
export const uriPart = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** The path of an object: its slashes stay. */
export const uriPath = (path: string): string => path.split("/").map(uriPart).join("/");

const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Uint8Array, data: string): Buffer => createHmac("sha256", key).update(data).digest();

/** The key of a day costs four hashes, so the last one is kept. */
let last: { readonly of: string; readonly key: Buffer } | undefined;
function signingKey(secret: string, day: string, region: string): Buffer {
  const of = `${secret}\n${day}\n${region}`;
  if (last?.of === of) return last.key;
  const key = ["s3", "aws4_request"].reduce(hmac, hmac(hmac(`AWS4${secret}`, day), region));
  last = { of, key };
  return key;
}
