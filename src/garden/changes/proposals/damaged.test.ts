import { expect, test } from "vitest";
import { isFailure } from "../../../base/failure.ts";
import { keys } from "../../../domain/layout.ts";
import type { Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { storeWith } from "../../records/logic/testing/agent.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { cardIn } from "../../records/proposals/proposal-views.ts";
import { gardenWith, testPorts } from "../../testing/scratch.ts";
import { accepted, clock, keysUnder, note } from "../inbox/testing/people.ts";
import { recoverChanges } from "../recover-changes.ts";
import { expireDue } from "./expire.ts";
import { listHistory, listPending } from "./list-proposals.ts";
import { approve } from "./testing/decisions.ts";

const DAY = 86_400_000;

/** A store in which one object reads as garbage. */
const damagedAt = (store: Store, damaged: string): Store =>
  storeWith(store, {
    get: async (key) => {
      const there = await store.get(key);
      return there && key === damaged ? { ...there, bytes: Buffer.from("garbage{") } : there;
    },
  });

/** Three pending proposals; the record of the first is damaged. */
async function ground(wait: number): Promise<{ garden: Garden; bad: string; good: string[] }> {
  const world = clock();
  const { garden } = await gardenWith(undefined, testPorts(world));
  const ids = [];
  for (const name of ["a1", "b1", "c1"]) ids.push((await accepted(garden, note(`notes/${name}.md`))).id);
  world.move(wait);
  const [bad, ...good] = ids as [string, ...string[]];
  return { garden: { ...garden, store: damagedAt(garden.store, keys.proposalEvent(bad, 0)) }, bad, good };
}

test("P-5 beside a damaged record the other proposals expire and are listed", async () => {
  const { garden, good } = await ground(4 * DAY);
  const expired = await expireDue(garden);
  const { proposals } = await listPending(garden);
  const ended = (await listHistory(garden, { status: "expired" })).proposals.map(({ id }) => id);
  expect({ proposals, ended: ended.toSorted(), expired: expired.toSorted() }).toEqual({
    proposals: [],
    ended: good.toSorted(),
    expired: good.toSorted(),
  });
});

test("P-5 beside a damaged record crashed proposals are recovered and pending ones decided", async () => {
  const { garden, bad, good } = await ground(60_000);
  await garden.store.put(keys.proposalView("approved", "2026-02-14T08:00:00Z", bad), Buffer.from("{}"));
  const taken = await recoverChanges(garden);
  expect({ settled: taken.settled, status: (await approve(garden, good[0]!)).status }).toEqual({
    settled: [],
    status: "applied",
  });
});

test("P-5 reading a damaged proposal fails with the key of the record", async () => {
  const { garden, bad } = await ground(0);
  const failure = await readProposal(garden.store, bad).catch((error: unknown) => error);
  expect(isFailure(failure) && [failure.code, failure.text.en]).toEqual([
    "INTERNAL_ERROR",
    `the record proposals/log/${bad}/0000.json is damaged; \`bloom verify\` says more`,
  ]);
});

test("P-10 the view of a proposal that was never created is removed when it expires, and that of a damaged one stays", async () => {
  const { garden, bad } = await ground(4 * DAY);
  const never = bad.slice(0, -6).concat("000000");
  const card = JSON.stringify({ ...(await cardIn(garden.store, keys.pendingProposal(bad))), id: never });
  await garden.store.put(keys.pendingProposal(never), Buffer.from(card));
  await expireDue(garden);
  expect(await keysUnder(garden.store, "proposals/pending/")).toEqual([keys.pendingProposal(bad)]);
});
