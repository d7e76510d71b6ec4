import { expect, test } from "vitest";
import { testGateway } from "./testing/test-gateway.ts";

test("O-10 GET /metrics counts requests by route, applies and open runs, and names no note", async () => {
  const { ask, proposal } = await testGateway();
  const { id, digest } = await proposal();
  const decided = await ask("token", "PATCH", `/proposals/${id}`, { body: { verdict: "approve", digest } });
  await ask("none", "GET", "/no/such/address/notes-a.md");
  const answer = await ask("token", "GET", "/metrics");
  const text = await answer.text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect({
    decided: decided.status,
    type: answer.headers.get("content-type"),
    wellFormed: lines.filter(
      (line) => !/^[a-z_]+(?:\{[a-z]+="[^"\n]*"(?:,[a-z]+="[^"\n]*")*\})? [\d.e+-]+$/.test(line),
    ),
    route: lines.includes('bloom_http_requests_total{method="PATCH",route="/proposals/:id",status="200"} 1'),
    unknown: lines.includes('bloom_http_requests_total{method="GET",route="none",status="404"} 1'),
    waiting: lines.some((line) => line.startsWith("bloom_proposals_waiting ")),
    names: /notes-a|notes\/a|archivist/.test(text),
  }).toEqual({
    decided: 200,
    type: "text/plain; version=0.0.4; charset=utf-8",
    wellFormed: [],
    route: true,
    unknown: true,
    waiting: true,
    names: false,
  });
});
