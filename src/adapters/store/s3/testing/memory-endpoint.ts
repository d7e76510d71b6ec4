import { createHash } from "node:crypto";
import type { EndpointAnswer, EndpointRequest, S3Endpoint } from "../endpoint.ts";

/** A bucket in memory, for counting the requests of large gardens: the answers of an S3 server, without its time. */
export function memoryEndpoint(): S3Endpoint & { readonly seen: string[] } {
  const objects = new Map<string, { readonly bytes: Uint8Array; readonly etag: string }>();
  const seen: string[] = [];

  const put = (name: string, { headers, body }: EndpointRequest): EndpointAnswer => {
    const there = objects.get(name);
    const expected = headers["if-match"]?.replaceAll('"', "");
    if (headers["if-none-match"] === "*" && there) return answer(412);
    if (expected !== undefined && there?.etag !== expected) return answer(412);
    const etag = createHash("md5").update(body).digest("hex");
    objects.set(name, { bytes: Uint8Array.from(body), etag });
    return answer(200, "", { etag: `"${etag}"` });
  };
  const list = (query: URLSearchParams): EndpointAnswer => {
    const [prefix, after, most] = [
      query.get("prefix") ?? "",
      query.get("start-after") ?? "",
      Number(query.get("max-keys")),
    ];
    const found = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).toSorted();
    const entries = found.slice(0, most).map((name) => {
      const { bytes, etag } = objects.get(name)!;
      return `<Contents><Key>${encodeURIComponent(name)}</Key><Size>${bytes.length}</Size><ETag>${etag}</ETag></Contents>`;
    });
    return answer(
      200,
      `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${found.length > most}</IsTruncated>${entries.join("")}</ListBucketResult>`,
    );
  };
  return {
    seen,
    async send(request) {
      const { pathname, searchParams } = new URL(request.target, "http://memory");
      const name = decodeURIComponent(pathname.split("/").slice(2).join("/"));
      seen.push(`${request.method} ${name === "" ? `list ${searchParams.get("prefix")}` : name}`);
      if (request.method === "PUT") return put(name, request);
      if (request.method === "DELETE") {
        objects.delete(name);
        return answer(204);
      }
      if (name === "") return list(searchParams);
      const there = objects.get(name);
      return there
        ? { ...answer(200, "", { etag: there.etag }), body: Buffer.from(there.bytes) }
        : answer(404, NO_SUCH_KEY);
    },
    close: () => undefined,
  };
}

const NO_SUCH_KEY = "<Error><Code>NoSuchKey</Code></Error>";

const answer = (status: number, body = "", headers: Readonly<Record<string, string>> = {}): EndpointAnswer => ({
  status,
  headers: { date: new Date(0).toUTCString(), ...headers },
  body: Buffer.from(body),
});
