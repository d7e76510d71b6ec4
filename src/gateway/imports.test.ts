import { expect, test } from "vitest";
import { oldProposal, oldZone } from "../domain/import/kv/testing/old-records.ts";
import { testGateway } from "./testing/test-gateway.ts";

const asked = async (answer: Response): Promise<unknown> => [answer.status, await answer.json()];

test("I-1 the gateway fetches no repository for an import: an address in a request is refused", async () => {
  const { ask } = await testGateway();
  const inside = { format: "gh-aw", repo: "http://169.254.169.254/x.git", files: [{ path: "a.md", text: "# A" }] };
  const named = { format: "gh-aw", mains: ["http://127.0.0.1/x.md"], files: [{ path: "a.md", text: "# A" }] };
  expect(await asked(await ask("token", "POST", "/imports/check", { body: inside }))).toEqual([
    400,
    expect.objectContaining({ error: expect.objectContaining({ code: "VALIDATION_FAILED" }) }),
  ]);
  expect(await asked(await ask("token", "POST", "/imports/check", { body: named }))).toEqual([
    200,
    expect.objectContaining({ reports: [expect.objectContaining({ outcome: "refused" })] }),
  ]);
});

test("I-2 a dump over HTTP is reported on, confirmed by its digest, and read back without codes", async () => {
  const { ask } = await testGateway();
  const dump = JSON.stringify({
    "proposal:prop_1_aaaaaaaa": oldProposal("prop_1_aaaaaaaa"),
    "zone:z1": oldZone("z1"),
  });
  const checked = await ask("token", "POST", "/imports/kv/check", { body: { dump } });
  const { digest, counts } = (await checked.json()) as { digest: string; counts: object };
  expect(counts).toMatchObject({ imported: 1, kept: 1 });
  const other = await ask("token", "POST", "/imports/kv", { body: { dump: `${dump}\n`, digest } });
  const done = await ask("token", "POST", "/imports/kv", { body: { dump, digest } });
  const again = await ask("token", "POST", "/imports/kv", { body: { dump, digest } });
  expect([other.status, done.status, again.status]).toEqual([409, 201, 201]);
  expect(await again.json()).toMatchObject({ counts: { earlier: 2 } });
  const read = await Promise.all(
    ["/legacy", "/legacy/prop_1_aaaaaaaa", "/legacy/z1"].map(async (path) => (await ask("token", "GET", path)).text()),
  );
  expect(read[1]).toContain('"text":"same"');
  expect(read.join("")).not.toContain("ROSE-1234");
});
