import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { isFailure } from "../../../base/failure.ts";
import { realWorld } from "../../../base/world.ts";
import type { S3Endpoint } from "./endpoint.ts";
import { openS3Store } from "./open-s3-store.ts";

/** A server in memory that keeps the conditions that `keeps` names, and lets two writes overlap. */
function memoryServer(server: string, keeps: { create?: boolean; swap?: boolean; absent?: boolean }): S3Endpoint {
  const objects = new Map<string, { etag: string; body: Buffer }>();
  const answer = (status: number, body = "", etag?: string) => ({
    status,
    headers: { server, date: new Date().toUTCString(), ...(etag !== undefined && { etag: `"${etag}"` }) },
    body: Buffer.from(body),
  });
  return {
    close: () => undefined,
    async send({ method, target, headers, body }) {
      const url = new URL(target, "http://x");
      const name = url.pathname.split("/").slice(2).join("/");
      const there = objects.get(name);
      if (method === "DELETE") return (objects.delete(name), answer(204));
      if (method === "PUT") {
        if (headers["if-none-match"] !== undefined && keeps.create && there) return answer(412);
        const wanted = headers["if-match"]?.replaceAll('"', "");
        if (wanted !== undefined && keeps.swap && there && there.etag !== wanted) return answer(412);
        if (wanted !== undefined && keeps.absent && !there) return answer(404, "<Code>NoSuchKey</Code>");
        const etag = createHash("md5").update(body).digest("hex");
        objects.set(name, { etag, body: Buffer.from(body) });
        return answer(200, "", etag);
      }
      if (!url.searchParams.has("list-type"))
        return there ? { ...answer(200, "", there.etag), body: there.body } : answer(404, "<Code>NoSuchKey</Code>");
      const found = [...objects].filter(([key]) => key.startsWith(url.searchParams.get("prefix") ?? ""));
      const entries = found.map(
        ([key, { etag, body: bytes }]) =>
          `<Contents><Key>${key}</Key><Size>${bytes.length}</Size><ETag>${etag}</ETag></Contents>`,
      );
      return answer(200, `<ListBucketResult>${entries.join("")}</ListBucketResult>`);
    },
  };
}

const settings = {
  kind: "s3",
  endpoint: "http://s3.example",
  bucket: "garden",
  prefix: "",
  region: "us-east-1",
  key_env: "K",
  secret_env: "S",
} as const;
const proofs = { read: () => undefined, write: () => undefined };
const openOn = (endpoint: S3Endpoint) =>
  openS3Store({ settings, world: realWorld, secretOf: () => "x", proofs, endpoint });

const whole = { create: true, swap: true, absent: true };
it.each<[string, string, Parameters<typeof memoryServer>[1], RegExp]>([
  ["ignores `If-None-Match`", "S3rver", { ...whole, create: false }, /^S3rver at .* several of concurrent creations/],
  ["ignores `If-Match`", "Garage", { ...whole, swap: false }, /^Garage at .*`If-Match` is ignored/],
  [
    "writes an absent object in spite of `If-Match`",
    "MinIO",
    { ...whole, absent: false },
    /^MinIO at .* absent object/,
  ],
  ["has races that a short test may miss", "VERSITYGW", whole, /^VERSITYGW at .* not atomic/],
])("G-1 a server that %s is refused by name", async (_, server, keeps, expected) => {
  const refused = await openOn(memoryServer(server, keeps)).catch((error: unknown) => error);
  expect(isFailure(refused, "VALIDATION_FAILED") && refused.message).toMatch(expected);
});

it("a server that keeps all conditions is accepted, and leaves nothing of the test behind", async () => {
  const store = await openOn(memoryServer("Other", whole));
  expect({
    kind: (await store.create("audit/a.json", Buffer.from("1"))).kind,
    keys: (await store.list("")).entries.map(({ key, size }) => ({ key, size })),
  }).toEqual({
    kind: "created",
    keys: [{ key: "audit/a.json", size: 1 }],
  });
});
