import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultyStore } from "../../../adapters/store/testing/faulty-store.ts";
import { keys } from "../../../domain/layout.ts";
import { acquireLease, type Lease, type LeaseDeps } from "./lease.ts";
import { movableWorld, storeIn } from "./testing/flow-deps.ts";

const TTL = 30_000;

async function ground() {
  const { store } = await storeIn();
  const world = movableWorld();
  return { store, world };
}

async function take(on: LeaseDeps, holder: string): Promise<Lease> {
  const got = await acquireLease(on, "run:x", { holder, ttlMs: TTL });
  if (got.kind !== "held") throw new Error(`busy: ${got.by}`);
  return got.lease;
}

describe("O-2 a lease", () => {
  test("has one holder, which can renew it", async () => {
    const on = await ground();
    const lease = await take(on, "a");
    expect(await acquireLease(on, "run:x", { holder: "b", ttlMs: TTL })).toMatchObject({ kind: "busy", by: "a" });
    on.world.move(TTL - 1);
    expect(await lease.renew()).toBe("renewed");
    on.world.move(TTL - 1);
    expect(await acquireLease(on, "run:x", { holder: "b", ttlMs: TTL })).toMatchObject({ kind: "busy", by: "a" });
    expect(await lease.confirm()).toBe(true);
  });

  test("that has expired can be taken, and every call of the old holder reports the loss", async () => {
    const on = await ground();
    const old = await take(on, "a");
    on.world.move(TTL + 5000);
    const next = await take(on, "b");
    expect({ confirmed: await old.confirm(), renewed: await old.renew() }).toEqual({
      confirmed: false,
      renewed: "lost",
    });
    await old.release();
    expect({ confirmed: await next.confirm(), isNewer: next.epoch > old.epoch }).toEqual({
      confirmed: true,
      isNewer: true,
    });
  });

  test.each(["released", "forgotten", "deleted by hand"])(
    "that was %s is free, and its epoch still grows",
    async (how) => {
      const on = await ground();
      const first = await take(on, "a");
      on.world.move(5);
      if (how === "deleted by hand") await on.store.delete(keys.lease("run:x"));
      else await first.release(how === "forgotten" ? "forget" : undefined);
      const second = await take(on, "b");
      expect(second.epoch).toBeGreaterThan(first.epoch);
      expect(await first.confirm()).toBe(false);
    },
  );

  test("of a clock that is ahead can be taken after it stayed unchanged for its whole length", async () => {
    const on = await ground();
    const old = await take(on, "a");
    on.world.move(-365 * 86_400_000);
    const b = { holder: "b", ttlMs: TTL };
    const busy = await acquireLease(on, "run:x", b);
    const hash = (await on.store.get(keys.lease("run:x")))!.hash;
    expect(busy).toMatchObject({ kind: "busy", by: "a", watch: { hash, ms: TTL } });
    // A live holder renews its lease.
    await old.renew();
    expect(await acquireLease(on, "run:x", { ...b, nobodys: hash })).toMatchObject({ kind: "busy", by: "a" });
    on.world.move(-365 * 86_400_000);
    const unchanged = (await on.store.get(keys.lease("run:x")))!.hash;
    const next = await acquireLease(on, "run:x", { ...b, nobodys: unchanged });
    expect({ isTaken: next.kind === "held" && next.lease.epoch > old.epoch, confirmed: await old.confirm() }).toEqual({
      isTaken: true,
      confirmed: false,
    });
  });

  test("with a long time limit is not taken by a holder with a short one", async () => {
    const on = await ground();
    const lease = await take(on, "a");
    const hasty = await acquireLease(on, "run:x", { holder: "b", ttlMs: TTL / 10 });
    expect(hasty).toEqual({ kind: "busy", by: "a", until: expect.any(String) });
    expect(await lease.confirm()).toBe(true);
  });

  test("that is damaged is free", async () => {
    const on = await ground();
    await on.store.put(keys.lease("run:x"), Buffer.from('{"holder":'));
    expect((await take(on, "a")).epoch).toBeGreaterThan(1);
  });

  test.each(["lost", "after"] as const)(
    "whose write or response was lost (%s) still belongs to its holder",
    async (fault) => {
      const on = await ground();
      const store = faultyStore(on.store, { seed: 1 });
      const failing = { ...on, store };
      store.faults.failAt(1, fault);
      const lease = await take(failing, "a");
      store.faults.failAt(1, fault);
      const renewed = await lease.renew();
      store.faults.failAt(1, fault);
      await lease.release("forget");
      expect({ renewed, lease: await on.store.get(keys.lease("run:x")), faults: store.faults.counts[fault] }).toEqual({
        renewed: "renewed",
        lease: undefined,
        faults: 3,
      });
    },
  );

  test("is released although the answer of its last renewal was lost for good", async () => {
    const on = await ground();
    const store = faultyStore(on.store, { seed: 1 });
    const lease = await take({ ...on, store }, "a");
    for (let write = 1; write <= 5; write++) store.faults.failAt(write, "after");
    await expect(lease.renew()).rejects.toThrow();
    await lease.release("forget");
    expect(await on.store.get(keys.lease("run:x"))).toBeUndefined();
  });

  test("has at most one holder in eight concurrent calls with lost responses", async () => {
    for (let seed = 0; seed < 20; seed++) {
      const on = await ground();
      const rivals = Array.from({ length: 8 }, (_, who) =>
        acquireLease(
          { ...on, store: faultyStore(on.store, { seed: seed * 8 + who, chance: 0.3, delays: true }) },
          "run:x",
          { holder: `h${who}`, ttlMs: TTL },
        ).catch(() => ({ kind: "failed" as const })),
      );
      const got = await Promise.all(rivals);
      const held = got.flatMap((one) => (one.kind === "held" ? [one.lease] : []));
      expect(held.length).toBeLessThanOrEqual(1);
    }
  });
});

test("O-2 random actions of three holders over time leave at most one holder, and epochs only grow", async () => {
  type Act = { who: number; does: "acquire" | "renew" | "release" | "confirm"; after: number };
  const acts: fc.Arbitrary<Act[]> = fc.array(
    fc.record({
      who: fc.integer({ min: 0, max: 2 }),
      does: fc.constantFrom("acquire" as const, "renew" as const, "release" as const, "confirm" as const),
      after: fc.constantFrom(0, 1000, TTL / 2, TTL + 2500),
    }),
    { maxLength: 25 },
  );
  const { store } = await storeIn();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      const on = { store, world: movableWorld() };
      const name = `n${runs++}`;
      const leases: (Lease | undefined)[] = [];
      // The model: the holder, its expiry, and the last epoch.
      let model: { who: number; until: number; lease: Lease } | undefined;
      let last = 0;
      for (const { who, does, after } of list) {
        on.world.move(after);
        const now = on.world.now();
        const mine = leases[who];
        const holds = model !== undefined && model.lease === mine;
        if (does === "acquire") {
          const got = await acquireLease(on, name, { holder: `h${who}`, ttlMs: TTL });
          const free = model === undefined || now >= model.until + 2000;
          expect(got.kind).toBe(free ? "held" : "busy");
          if (got.kind === "held") {
            expect(got.lease.epoch).toBeGreaterThan(last);
            last = got.lease.epoch;
            leases[who] = got.lease;
            model = { who, until: now + TTL, lease: got.lease };
          }
        } else if (mine && does === "renew") {
          expect(await mine.renew()).toBe(holds ? "renewed" : "lost");
          if (holds) model = { ...model!, until: now + TTL };
        } else if (mine && does === "release") {
          await mine.release();
          if (holds) model = undefined;
        } else if (mine) expect(await mine.confirm()).toBe(holds);
      }
    }),
    { numRuns: 150 },
  );
});
