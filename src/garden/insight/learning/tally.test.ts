import fc from "fast-check";
import { expect, test } from "vitest";
import { faultyStore } from "../../../adapters/store/testing/faulty-store.ts";
import { seeded } from "../../../base/testing/seeded.ts";
import { realWorld } from "../../../base/world.ts";
import { keys } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { type RunTally, runTally, sealed, talliedRun, unsealed } from "../../../domain/run/run-tally.ts";
import type { Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { storeWith } from "../../records/logic/testing/agent.ts";
import { gardenWith } from "../../testing/scratch.ts";
import { agentsToCount, readTally, settleTally, sumsFromRuns, sumsNow } from "./tally.ts";
import { decided, endedRun, madeProposal } from "./testing/counted-runs.ts";

const SLUG = "archivist";

/** The garden with a running clock and different random numbers per process. */
const live = (garden: Garden): Pick<Garden, "store" | "world"> => ({
  store: garden.store,
  world: { now: () => garden.world.now(), random: (count) => realWorld.random(count) },
});

/** One random event in the runs of an agent. */
async function happens(
  on: Pick<Garden, "store" | "world">,
  slug: string,
  chance: () => number,
  open: Proposal[],
): Promise<void> {
  const pick = <T>(...from: readonly T[]): T => from[Math.floor(chance() * from.length)]!;
  const proposal =
    open.length > 0 && chance() < 0.5 ? open.splice(Math.floor(chance() * open.length), 1)[0] : undefined;
  if (!proposal) {
    const run = `run_2026-02-14_${String(Math.floor(chance() * 1e6)).padStart(6, "0")}_${Math.floor(chance() * 36 ** 6)
      .toString(36)
      .padStart(6, "0")}`;
    const made: Proposal[] = [];
    for (let count = Math.floor(chance() * 3); count > 0; count--) made.push(await madeProposal(on, slug, run));
    open.push(...made);
    await endedRun(on, slug, {
      run,
      status: pick("completed", "completed", "failed", "cancelled"),
      logic_version: pick("v001", "v002"),
      behaviour_id: pick(null, "a".repeat(40)),
      forked_from: chance() < 0.1 ? { run: "run_2026-02-14_080000_abc123", step: 1 } : null,
      tokens: Math.floor(chance() * 5000),
      proposals: made.map(({ id }) => id),
    });
    return;
  }
  const after = await decided(on, proposal, pick("approved", "auto_approved", "rejected", "expired"));
  if (after.status === "applied" && chance() < 0.5) {
    const revert = await madeProposal(on, slug, "", {
      source: { type: "owner", identity: "owner", authenticated: true, timestamp: "2026-02-14T08:00:00Z" },
      reverts: proposal.id,
    });
    open.push(revert);
  }
}

test("L-4, L-4a the sum equals the sum over all runs after random events, failed writes and concurrent counting", async () => {
  const { garden } = await gardenWith();
  const on = live(garden);
  let agents = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 12 }), async (seed, length) => {
      const slug = `agent-${++agents}`;
      const chance = seeded(seed);
      const open: Proposal[] = [];
      for (let turn = 0; turn < length; turn++) {
        await happens(on, slug, chance, open);
        expect(await sumsNow(on.store, slug)).toEqual(await sumsFromRuns(on.store, slug));
        if (chance() < 0.4) continue;
        // Both counts run concurrently; each fails at a random write or completes.
        const dying = [1, 2].map((who) =>
          faultyStore(on.store, { seed: seed + turn * 2 + who, chance: 0.25, delays: true }),
        );
        await Promise.allSettled(dying.map((store) => settleTally({ ...on, store }, slug)));
        expect(await sumsNow(on.store, slug)).toEqual(await sumsFromRuns(on.store, slug));
      }
      const { sums } = await settleTally(on, slug);
      expect(sums).toEqual(await sumsFromRuns(on.store, slug));
      expect(await agentsToCount(on.store)).not.toContain(slug);
    }),
    { numRuns: 25 },
  );
});

test("L-4 after a failure at any write of counting, the next count counts every run once", async () => {
  const { garden } = await gardenWith();
  const on = live(garden);
  const prepared = async (slug: string): Promise<void> => {
    await endedRun(on, slug, { status: "failed" });
    await settleTally(on, slug);
    const run = "run_2026-02-14_090000_abc123";
    const proposal = await madeProposal(on, slug, run);
    await endedRun(on, slug, { run, proposals: [proposal.id] });
    await settleTally(on, slug);
    await decided(on, proposal, "rejected");
    await endedRun(on, slug);
  };
  await prepared("whole");
  const counting = faultyStore(on.store, { seed: 1 });
  await settleTally({ ...on, store: counting }, "whole");
  const wrong: string[] = [];
  for (let write = 1; write <= counting.faults.counts.writes; write++) {
    for (const fault of ["before", "lost", "after"] as const) {
      const slug = `dies-${write}-${fault}`;
      await prepared(slug);
      const store = faultyStore(on.store, { seed: 1 });
      store.faults.failAt(write, fault);
      await settleTally({ ...on, store }, slug).catch(() => undefined);
      const [, now] = [await settleTally(on, slug), await sumsFromRuns(on.store, slug)];
      const { tally } = await readTally(on.store, slug);
      if (JSON.stringify(tally?.sums) !== JSON.stringify(now)) wrong.push(slug);
    }
  }
  expect({ diedOften: counting.faults.counts.writes > 5, wrong }).toEqual({ diedOften: true, wrong: [] });
});

test("L-4 one more run costs the same after three as after three hundred", async () => {
  const { garden } = await gardenWith();
  const on = live(garden);
  const cost = async (): Promise<Record<string, number>> => {
    const calls: Record<string, number> = {};
    const counted =
      (name: "get" | "list" | "create" | "swap" | "put" | "remove" | "delete") =>
      (...args: never[]) => {
        calls[name] = (calls[name] ?? 0) + 1;
        return (on.store[name] as (...given: never[]) => Promise<never>)(...args);
      };
    const verbs = ["get", "list", "create", "swap", "put", "remove", "delete"] as const;
    const store = storeWith(on.store, Object.fromEntries(verbs.map((name) => [name, counted(name)])));
    await endedRun(on, SLUG);
    await settleTally({ ...on, store }, SLUG);
    return calls;
  };
  const runs = async (count: number): Promise<void> => {
    for (let run = 0; run < count; run++) await endedRun(on, SLUG);
    await settleTally(on, SLUG);
  };
  await runs(3);
  const few = await cost();
  await runs(300);
  expect(await cost()).toEqual(few);
});

const damages: readonly [string, (store: Store, run: string) => Promise<unknown>][] = [
  ["deleted", (store) => store.delete(keys.tally(SLUG))],
  ["torn", (store) => store.put(keys.tally(SLUG), Buffer.from('{"format":1,'))],
  [
    "edited by hand",
    async (store) => {
      const text = Buffer.from((await store.get(keys.tally(SLUG)))!.bytes).toString();
      await store.put(keys.tally(SLUG), Buffer.from(text.replace('"runs":2', '"runs":9')));
    },
  ],
  [
    "of the earlier format without models",
    async (store, run) => {
      const { format: _, sums, ...rest } = (await readTally(store, SLUG)).tally!;
      const tally = { format: 1, ...rest, sums: { v001: Object.values(sums)[0] } };
      const { model: _model, ...count } = unsealed((await store.get(keys.talliedRun(SLUG, run)))!.bytes, talliedRun)!
        .count!;
      await store.put(keys.tally(SLUG), sealed(tally as unknown as RunTally));
      await store.put(keys.talliedRun(SLUG, run), sealed({ epoch: rest.epoch, seq: 1, first: 1, count }));
    },
  ],
  [
    "with all other views",
    async (store) => {
      for (const { key } of (await store.list("views/")).entries) await store.delete(key);
    },
  ],
  [
    "beside a record of a run that was edited",
    async (store, run) => store.put(keys.talliedRun(SLUG, run), Buffer.from("{}")),
  ],
];

test.each(damages)("L-4 a sum that is %s is detected and rebuilt from the runs", async (_, damage) => {
  const { garden } = await gardenWith();
  const on = live(garden);
  const first = await endedRun(on, SLUG, { status: "failed" });
  await endedRun(on, SLUG);
  await settleTally(on, SLUG);
  await damage(on.store, first);
  await on.store.put(keys.recount(SLUG, first, "again"), Buffer.from("{}"));
  expect(await sumsNow(on.store, SLUG)).toEqual(await sumsFromRuns(on.store, SLUG));
  expect((await settleTally(on, SLUG)).sums).toMatchObject({ "v001 - bloom%2Ffollower -": { runs: 2, failed: 1 } });
});

test("L-4 a late write for an older sum changes nothing", async () => {
  const { garden } = await gardenWith();
  const on = live(garden);
  const run = "run_2026-02-14_090000_abc123";
  const proposal = await madeProposal(on, SLUG, run);
  await endedRun(on, SLUG, { run, proposals: [proposal.id] });
  let late: (() => Promise<unknown>) | undefined;
  const slow = storeWith(on.store, {
    create: (key, bytes) => {
      if (!key.startsWith(keys.talliedRuns(SLUG)) || late) return on.store.create(key, bytes);
      late = () => on.store.create(key, bytes);
      throw new Error("asleep");
    },
  });
  await expect(settleTally({ ...on, store: slow }, SLUG)).rejects.toThrow("asleep");
  await settleTally(on, SLUG);
  await decided(on, proposal, "approved");
  await settleTally(on, SLUG);
  await late!();
  await endedRun(on, SLUG);
  expect((await settleTally(on, SLUG)).sums).toEqual(await sumsFromRuns(on.store, SLUG));
  expect(sealed(runTally.parse((await readTally(on.store, SLUG)).tally)).length).toBeLessThan(2000);
});
