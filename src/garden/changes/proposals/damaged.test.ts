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

/** Three wait; the record of the first is damaged. */
async function ground(wait: number): Promise<{ garden: Garden; bad: string; good: string[] }> {
  const world = clock();
  const { garden } = await gardenWith(undefined, testPorts(world));
  const ids = [];
  for (const name of ["a1", "b1", "c1"]) ids.push((await accepted(garden, note(`notes/${name}.md`))).id);
  world.move(wait);
  const [bad, ...good] = ids as [string, ...string[]];
  return { garden: { ...garden, store: damagedAt(garden.store, keys.proposalEvent(bad, 0)) }, bad, good };
}

test("P-5 a damaged record keeps nobody from the others: they expire in time, and are listed", async () => {
  const { garden, good } = await ground(4 * DAY);
  const { proposals } = await listPending(garden);
  const ended = (await listHistory(garden, { status: "expired" })).proposals.map(({ id }) => id);
  expect([proposals, ended.toSorted(), await expireDue(garden)]).toEqual([[], good.toSorted(), []]);
});

test("P-5 beside a damaged record what a crash left open is taken up, and what waits is decided", async () => {
  const { garden, bad, good } = await ground(60_000);
  await garden.store.put(keys.proposalView("approved", "2026-02-14T08:00:00Z", bad), Buffer.from("{}"));
  const taken = await recoverChanges(garden);
  expect([taken.settled, (await approve(garden, good[0]!)).status]).toEqual([[], "applied"]);
});

test("P-5 whoever asks for the damaged one is told which record it is", async () => {
  const { garden, bad } = await ground(0);
  const failure = await readProposal(garden.store, bad).catch((error: unknown) => error);
  expect(isFailure(failure) && [failure.code, failure.text.en]).toEqual([
    "INTERNAL_ERROR",
    `the record proposals/log/${bad}/0000.json is damaged; \`bloom verify\` says more`,
  ]);
});

test("P-10 the view of a proposal that was never made goes when its time is over, and that of a damaged one stays", async () => {
  const { garden, bad } = await ground(4 * DAY);
  const never = bad.slice(0, -6).concat("000000");
  const card = JSON.stringify({ ...(await cardIn(garden.store, keys.pendingProposal(bad))), id: never });
  await garden.store.put(keys.pendingProposal(never), Buffer.from(card));
  await expireDue(garden);
  expect(await keysUnder(garden.store, "proposals/pending/")).toEqual([keys.pendingProposal(bad)]);
});
