import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { seeded } from "../src/base/testing/seeded.ts";

/** Requests and bytes since the start. */
export interface Traffic {
  readonly reads: number;
  readonly writes: number;
  readonly lists: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

export interface SimulatedS3 {
  readonly url: string;
  traffic(): Traffic;
  has(name: string): boolean;
  /** Milliseconds that every answer takes, from the shortest to the longest. */
  delay(shortest: number, longest: number): void;
  close(): Promise<void>;
}

interface Kept {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly at: string;
}

/**
 * One bucket in memory, with conditional writes, whose answers take as long as those of a distant S3 server. It decides when the
 * request has arrived and delays the answer, so as many requests as there are connections are under way at once.
 */
export async function simulatedS3(): Promise<SimulatedS3> {
  const objects = new Map<string, Kept>();
  const traffic = { reads: 0, writes: 0, lists: 0, bytesIn: 0, bytesOut: 0 };
  const draw = seeded(1);
  let [shortest, longest] = [0, 0];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const { status, headers = {}, bytes } = answerTo(objects, request, body, traffic);
      traffic.bytesIn += body.length;
      traffic.bytesOut += bytes.length;
      const ms = shortest + draw() * (longest - shortest);
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
      response.writeHead(status, { server: "simulated", "content-length": bytes.length, ...headers }).end(bytes);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    traffic: () => ({ ...traffic }),
    has: (name) => objects.has(name),
    delay(from, to) {
      [shortest, longest] = [from, to];
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

function answerTo(
  objects: Map<string, Kept>,
  { method, url = "/", headers }: IncomingMessage,
  body: Buffer,
  traffic: { reads: number; writes: number; lists: number },
): Answer {
  const { pathname, searchParams } = new URL(url, "http://x");
  const name = decodeURIComponent(pathname.split("/").slice(2).join("/"));
  const there = objects.get(name);
  if (method === "GET" && searchParams.get("list-type") === "2") {
    traffic.lists++;
    return listed(objects, searchParams);
  }
  if (method === "GET") {
    traffic.reads++;
    return there ? { status: 200, headers: { etag: `"${there.etag}"` }, bytes: there.bytes } : failed(404, "NoSuchKey");
  }
  traffic.writes++;
  const match = headers["if-match"]?.replaceAll('"', "");
  if (headers["if-none-match"] === "*" && there) return failed(412, "PreconditionFailed");
  if (match !== undefined && there?.etag !== match) return failed(412, "PreconditionFailed");
  if (method === "DELETE") {
    objects.delete(name);
    return { status: 204, bytes: Buffer.alloc(0) };
  }
  const etag = createHash("md5").update(body).digest("hex");
  objects.set(name, { bytes: body, etag, at: new Date().toISOString() });
  return { status: 200, headers: { etag: `"${etag}"` }, bytes: Buffer.alloc(0) };
}

function listed(objects: ReadonlyMap<string, Kept>, query: URLSearchParams): Answer {
  const [prefix, after] = [query.get("prefix") ?? "", query.get("start-after") ?? ""];
  const most = Number(query.get("max-keys") ?? "1000");
  const names = [...objects.keys()]
    .filter((name) => name.startsWith(prefix) && name > after)
    .toSorted((a, b) => (a < b ? -1 : 1));
  const contents = names.slice(0, most).map((name) => {
    const { bytes, etag, at } = objects.get(name)!;
    const key = encodeURIComponent(name);
    return `<Contents><Key>${key}</Key><LastModified>${at}</LastModified><ETag>"${etag}"</ETag><Size>${bytes.length}</Size></Contents>`;
  });
  const more = `<IsTruncated>${names.length > most}</IsTruncated><EncodingType>url</EncodingType>`;
  return { status: 200, bytes: Buffer.from(`<ListBucketResult>${more}${contents.join("")}</ListBucketResult>`) };
}

const failed = (status: number, code: string): Answer => ({
  status,
  bytes: Buffer.from(`<Error><Code>${code}</Code></Error>`),
});

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}
