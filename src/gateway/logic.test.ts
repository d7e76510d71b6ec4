import { expect, test } from "vitest";
import { testGateway } from "./testing/test-gateway.ts";

test("L-5 logic-diff and logic-performance over HTTP have the shapes of source 000 §5, in the caller's language", async () => {
  const { ask } = await testGateway();
  const read = async (path: string) => (await (await ask("token", "GET", `/logic/archivist/${path}`)).json()) as object;
  expect(await read("diff?from=v001&to=current&lang=en")).toMatchObject({
    fromVersion: "v001",
    toVersion: "current",
    summary: expect.any(String) as string,
    reasons: [],
  });
  expect(await read("diff?from=v001&to=proposed&lang=en")).toMatchObject({
    error: { message: "no change of the logic of archivist is pending" },
  });
  const { versions } = (await read("performance?metrics=success_rate,avg_tokens")) as { versions: object };
  expect(versions).toEqual({ v001: { success_rate: null, avg_tokens: null, totalRuns: 0 } });
});
