import { expect, test } from "vitest";
import { contractKey, keys } from "../domain/layout.ts";
import { testGateway } from "./testing/test-gateway.ts";

type Json = Record<string, any>; // oxlint-disable-line no-explicit-any -- answers are looked at, not worked with

test("A-1 M-3 M-5 memory over HTTP: read, search, facts, propose, archive, restore", async () => {
  const { ask, garden } = await testGateway();
  const get = async (path: string, who: "token" | "agent" = "token"): Promise<Json> =>
    (await (await ask(who, "GET", `/memory/archivist${path}`)).json()) as Json;
  const post = async (path: string, body?: unknown): Promise<Json> =>
    (await (await ask("token", "POST", `/memory/archivist${path}`, body === undefined ? {} : { body })).json()) as Json;

  expect(await get("/read")).toMatchObject({
    mode: "basic",
    version: 1,
    limit: 4100,
    parts: { snapshot: "" },
    cut: [],
  });
  expect(await get("/search?q=trees")).toMatchObject({
    hits: [{ file: "facts.md", text: "The lime tree is old." }],
    total: 1,
  });
  expect((await get("/history"))["changes"]).toMatchObject([{ by: "hand", version: 1 }]);

  // M-2a: a read by a person is not recorded as use; a read by an agent is.
  expect(await garden.store.get(keys.memoryUse("archivist"))).toBeUndefined();
  await get("/read?mode=wide", "agent");
  expect((await get("/facts"))["facts"]).toMatchObject([
    { byHand: true, lastUsed: expect.stringMatching(/^2026-/) as string, stale: false },
  ]);

  const { snapshot } = await post("/snapshots");
  const proposed = await post("/propose", {
    operations: [{ op: "replace", file: "facts.md", text: "- Another tree." }],
    expectedVersion: 1,
    summary: "Look again",
  });
  await ask("token", "PATCH", `/proposals/${proposed["proposal_id"]}`, {
    body: { verdict: "approve", digest: proposed["digest"] },
  });
  expect((await get("/diff?from=2026-02-01"))["files"]).toContainEqual({ file: "facts.md", added: 1, removed: 0 });
  const back = await post("/restore", { from: snapshot });
  expect({ status: back["status"], action: back["action"] }).toEqual({ status: "pending", action: "memory-update" });
  expect(await get(`/snapshots/${snapshot}`)).toMatchObject({ agentId: "archivist", version: 1 });
});

test("M-6 an agent reads another memory only if its contract allows it", async () => {
  const { ask, garden } = await testGateway();
  const asked = async (): Promise<number> => (await ask("other", "GET", "/memory/archivist/read?mode=deep")).status;
  const before = await asked();
  const stored = (await garden.store.get(contractKey("gardener")))!;
  const granted = Buffer.from(stored.bytes)
    .toString()
    .replace("created_by:", "reads_memory_of: [archivist]\ncreated_by:");
  await garden.store.swap(contractKey("gardener"), stored.hash, Buffer.from(granted));
  // Only reading is granted.
  const taken = await ask("other", "POST", "/memory/archivist/snapshots");
  expect({ before, granted: await asked(), taken: taken.status }).toEqual({ before: 403, granted: 200, taken: 403 });
});

const wrong = [
  ["GET", "/memory/archivist/read?mode=everything", undefined, 400],
  ["GET", "/memory/archivist/diff", undefined, 400],
  ["GET", "/memory/archivist/diff?from=2001-01-01&to=2001-01-02", undefined, 404],
  ["GET", "/memory/archivist/diff?from=feedbeef", undefined, 404],
  ["GET", "/memory/archivist/snapshots/snap-v9-000000000000", undefined, 404],
  ["GET", "/memory/archivist/runs/run_2020-01-01_000000_aaaaaa", undefined, 404],
  ["POST", "/memory/archivist/propose", { agent: "gardener", operations: [], expectedVersion: 0 }, 400],
  [
    "POST",
    "/memory/archivist/propose",
    { operations: [{ op: "append", file: "facts.md", text: "x".repeat(500_000) }], expectedVersion: 1 },
    400,
  ],
  ["POST", "/memory/archivist/restore", { from: "2001-01-01" }, 404],
] as const;

test("A-2 an invalid request is answered with the error body", async () => {
  const { ask } = await testGateway();
  const told: unknown[] = [];
  for (const [method, path, body] of wrong) {
    const answer = await ask("token", method, path, body === undefined ? {} : { body });
    const { error } = (await answer.json()) as Json;
    told.push([method, path, answer.status, typeof error.code, typeof error.message]);
  }
  expect(told).toEqual(wrong.map(([method, path, , status]) => [method, path, status, "string", "string"]));
});
