import { expect, test } from "vitest";
import { everyKey, type Store } from "../ports/store.ts";
import { testGateway } from "./testing/test-gateway.ts";

async function contentsOf(store: Store): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { key } of everyKey(store, "")) found[key] = (await store.get(key))!.hash;
  return found;
}

const change = {
  intent: {
    action: "logic-update",
    payload: {
      agent: "archivist",
      pseudocode: "# archivist\n\nDo what is asked, twice.\n",
      rationale: { problem: "once is not enough" },
      requiresHumanReview: true,
    },
  },
};

test("L-8 reading a change of logic leaves the store unchanged, and POST …/report makes its report once", async () => {
  const { ask, garden } = await testGateway();
  const answer = async (method: string, path: string, body?: object) => {
    const response = await ask("token", method, path, body && { body });
    return { status: response.status, ...((await response.json()) as Record<string, unknown>) };
  };
  const { proposal_id: id } = (await answer("POST", "/inbox/submit", change)) as unknown as { proposal_id: string };
  const before = await contentsOf(garden.store);

  expect(await answer("GET", `/proposals/${id}`)).toMatchObject({ status: 200, report_pending: true });
  expect(await answer("GET", `/proposals/${id}/report`)).toMatchObject({ status: 404 });
  expect(await contentsOf(garden.store)).toEqual(before);

  const made = await answer("POST", `/proposals/${id}/report`);
  expect(made).toMatchObject({ status: 200, report: { proposal: id, kind: "no-recordings" } });
  expect(await answer("POST", `/proposals/${id}/report`)).toEqual(made);

  const after = await contentsOf(garden.store);
  const read = await answer("GET", `/proposals/${id}`);
  expect(read).toMatchObject({ status: 200, report: made["report" as keyof typeof made] });
  expect(read).not.toHaveProperty("report_pending");
  expect(await answer("GET", `/proposals/${id}/report`)).toEqual(made);
  expect(await contentsOf(garden.store)).toEqual(after);
});
