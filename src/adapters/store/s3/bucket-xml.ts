/** One object on a page of ListObjectsV2. */
export interface BucketEntry {
  readonly name: string;
  readonly size: number;
  readonly etag: string;
  readonly modifiedMs: number;
}

export interface BucketPage {
  readonly entries: readonly BucketEntry[];
  readonly truncated: boolean;
}

/** Reads an answer of ListObjectsV2 with `encoding-type=url`. Throws an Error if it is no such answer. */
export function readBucketPage(xml: string): BucketPage {
  if (!xml.includes("<ListBucketResult")) throw new Error("not a list of objects");
  const isEncoded = textOf(xml, "EncodingType") === "url";
  const entries = [...xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, part = ""]) => {
    const name = textOf(part, "Key") ?? "";
    return {
      name: isEncoded ? decodeURIComponent(name.replaceAll("+", "%20")) : name,
      size: Number(textOf(part, "Size")),
      etag: bareEtag(textOf(part, "ETag")),
      modifiedMs: Date.parse(textOf(part, "LastModified") ?? ""),
    };
  });
  return { entries, truncated: textOf(xml, "IsTruncated") === "true" };
}

/** The code of an S3 error (`NoSuchBucket`); "" if the body has none, as that of a proxy. */
export const errorCodeOf = (body: Uint8Array): string =>
  textOf(Buffer.from(body.subarray(0, MAX_ERROR_BYTES)).toString(), "Code") ?? "";

const MAX_ERROR_BYTES = 64 * 1024;

/** Servers differ in the quotes; stored without. */
export const bareEtag = (etag: string | undefined): string => (etag ?? "").replace(/^W\//, "").replaceAll('"', "");

function textOf(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return found?.replaceAll(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));/g, (whole, decimal, hex, named) => {
    if (decimal) return String.fromCodePoint(Number(decimal));
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    return NAMED[named as string] ?? whole;
  });
}

const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
