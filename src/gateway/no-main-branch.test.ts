import { expect, test } from "vitest";
import { MAIN_REF } from "../domain/layout.ts";
import type { Garden } from "../garden/core/garden.ts";
import { loadBrief } from "../garden/runs/brief.ts";
import type { Health } from "./health.ts";
import { type TestGateway, testGateway } from "./testing/test-gateway.ts";

const withoutMain = (garden: Garden): Garden => ({
  ...garden,
  repo: Object.assign(Object.create(garden.repo) as Garden["repo"], {
    resolve: async (ref: string) => (ref === MAIN_REF ? undefined : garden.repo.resolve(ref)),
  }),
});

const expected = { status: 503, code: "UPSTREAM_UNAVAILABLE", message: "the garden has no main branch" };

const submission = { intent: { action: "propose-edit", payload: { path: "notes/a.md", text: "x\n" } } };
const rollback = { toVersion: "v001", reason: "worse" };

test.each<[string, string, object?]>([
  ["GET", "/notes"],
  ["GET", "/notes/notes/a.md"],
  ["GET", "/logic/archivist/read"],
  ["GET", "/logic/archivist/versions"],
  ["GET", "/logic/archivist/performance"],
  ["GET", "/logic/archivist/heat"],
  ["GET", "/memory/archivist/read"],
  ["GET", "/memory/archivist/history"],
  ["POST", "/inbox/submit", submission],
  ["POST", "/logic/archivist/rollback", rollback],
])("%s %s answers 503 while the garden has no main branch", async (method, path, body) => {
  const { ask }: TestGateway = await testGateway(withoutMain);
  const answer = await ask("token", method, path, body && { body });
  const { error } = (await answer.json()) as { error: { code: string; message: { en: string } | string } };
  const message = typeof error.message === "string" ? error.message : error.message.en;
  expect({ status: answer.status, code: error.code, message }).toEqual(expected);
});

test("A-6 /health says that git is degraded while the garden has no main branch", async () => {
  const { ask } = await testGateway(withoutMain);
  const health = (await (await ask("token", "GET", "/health")).json()) as Health;
  expect(health).toMatchObject({ status: "degraded", parts: { git: { status: "degraded" }, store: { status: "ok" } } });
  expect(health.parts.git.remarks[0]?.en).toBe(expected.message);
});

test("a run cannot begin while the garden has no main branch, and fails with the same error", async () => {
  const { garden } = await testGateway();
  const place = { slug: "archivist", run: "run_2026-02-14_080000_abc123" };
  const brief = loadBrief(withoutMain(garden), place, {
    kind: "request",
    run_id: place.run,
    agent_slug: place.slug,
    trigger: "manual",
    by: "owner",
    requested_at: "2026-02-14T08:00:00Z",
    op: "x",
  });
  await expect(brief).rejects.toMatchObject({ code: expected.code, message: expected.message });
});
