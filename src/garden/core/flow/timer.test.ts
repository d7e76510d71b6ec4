import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultyStore } from "../../../adapters/store/testing/faulty-store.ts";
import { keys } from "../../../domain/layout.ts";
import type { Store } from "../../../ports/store.ts";
import { movableWorld, storeIn } from "./testing/flow-ground.ts";
import { cancelTimer, type Firing, fireDue, keepTime, setTimer, untilNext } from "./timer.ts";

const START = Date.parse("2026-02-14T08:00:00Z");
const at = (ms: number): string => new Date(START + ms).toISOString();

async function ground() {
  const { store } = await storeIn();
  return { store, world: movableWorld(), pause: async () => undefined };
}

const timer = (name: string, ms: number, kind = "x") => ({ name, due: at(ms), kind, subject: `about ${name}` });

describe("O-4 timers", () => {
  test("fire when they are due, the oldest first, once, and late rather than never", async () => {
    const on = await ground();
    for (const [name, ms] of [
      ["c", 90_000_000],
      ["a", 1000],
      ["b", 2000],
    ] as const)
      await setTimer(on.store, timer(name, ms));
    await setTimer(on.store, timer("a", 1000));
    const fired: Firing[] = [];
    const handlers = { x: async (firing: Firing) => void fired.push(firing) };
    expect((await fireDue(on, handlers, "p")).fired).toEqual([]);
    on.world.move(5000);
    expect((await fireDue(on, handlers, "p")).fired).toEqual(["a", "b"]);
    expect((await fireDue(on, handlers, "p")).fired).toEqual([]);
    on.world.move(30 * 86_400_000);
    expect((await fireDue(on, handlers, "p")).fired).toEqual(["c"]);
    expect(fired.map(({ id, lateMs, subject }) => [id, lateMs, subject])).toEqual([
      [`a@${at(1000)}`, 4000, "about a"],
      [`b@${at(2000)}`, 3000, "about b"],
      [`c@${at(90_000_000)}`, 30 * 86_400_000 + 5000 - 90_000_000, "about c"],
    ]);
  });

  test("that are taken back, or that nobody here knows how to fire, do not fire", async () => {
    const on = await ground();
    await setTimer(on.store, timer("gone", 0));
    await setTimer(on.store, timer("strange", 0, "from-the-future"));
    await cancelTimer(on.store, "2026-02-14T09:00:00+01:00", "gone");
    expect(await fireDue(on, { x: async () => undefined }, "p")).toEqual({ fired: [], failed: [] });
    expect((await fireDue(on, { "from-the-future": async () => undefined }, "p")).fired).toEqual(["strange"]);
  });

  test("one that fails holds up no other, and is tried again later and later", async () => {
    const on = await ground();
    await setTimer(on.store, timer("bad", 0));
    await setTimer(on.store, timer("good", 1));
    on.world.move(10);
    let tries = 0;
    const handlers = {
      x: async ({ name }: Firing) => {
        if (name === "bad" && ++tries < 3) throw new Error("not yet");
      },
    };
    expect(await fireDue(on, handlers, "p")).toMatchObject({ fired: ["good"], failed: [{ name: "bad" }] });
    const waits: number[] = [];
    for (let waited = 500; waited <= 10_000; waited += 500) {
      on.world.move(500);
      const before = tries;
      await fireDue(on, handlers, "p");
      if (tries > before) waits.push(waited);
    }
    expect(waits).toEqual([1000, 6000]);
  });

  test("whose process died in the middle are fired again, as the same firing", async () => {
    const on = await ground();
    await setTimer(on.store, timer("a", 0));
    const ids: string[] = [];
    // The process is gone: neither removed nor postponed.
    const dead = faultyStore(on.store, { seed: 1 });
    dead.faults.failAt(2, "before");
    dead.faults.failAt(3, "before");
    const handlers = { x: async ({ id }: Firing) => void ids.push(id) };
    await fireDue({ ...on, store: dead }, handlers, "dead").catch(() => undefined);
    expect((await fireDue(on, handlers, "other")).fired).toEqual([]);
    on.world.move(61_000);
    expect((await fireDue(on, handlers, "other")).fired).toEqual(["a"]);
    expect(ids).toEqual([`a@${at(0)}`, `a@${at(0)}`]);
  });

  test("a claim from a clock that was set back since holds nothing", async () => {
    const on = await ground();
    await setTimer(on.store, timer("a", -86_400_000 * 10));
    const dead = faultyStore(on.store, { seed: 1 });
    dead.faults.failAt(2, "before");
    dead.faults.failAt(3, "before");
    await fireDue({ ...on, store: dead }, { x: async () => undefined }, "dead").catch(() => undefined);
    on.world.move(-86_400_000);
    expect((await fireDue(on, { x: async () => undefined }, "other")).fired).toEqual(["a"]);
  });

  test("what waits is found without reading what lies behind it", async () => {
    const on = await ground();
    for (let i = 0; i < 300; i++) await setTimer(on.store, timer(`t${i}`, 1000 * (i + 1)));
    let read = 0;
    const counted: Store = { ...bound(on.store), get: (key) => (read++, on.store.get(key)) };
    on.world.move(3000);
    expect((await fireDue({ ...on, store: counted }, { x: async () => undefined }, "p")).fired).toHaveLength(3);
    expect(read).toBe(3);
    expect(await untilNext(on)).toBe(1000);
  });

  test("a damaged timer is taken away, and time goes on", async () => {
    const on = await ground();
    await on.store.put(keys.timer(at(0), "broken"), Buffer.from("{"));
    await setTimer(on.store, timer("a", 0));
    expect((await fireDue(on, { x: async () => undefined }, "p")).fired).toEqual(["a"]);
    expect((await on.store.list(keys.timers)).entries).toEqual([]);
  });

  test("whoever keeps time fires until told to stop, through a store that fails", async () => {
    const on = await ground();
    for (let i = 0; i < 5; i++) await setTimer(on.store, timer(`t${i}`, i * 10_000));
    const store = faultyStore(on.store, { seed: 3, chance: 0.2, readChance: 0.1 });
    const stop = new AbortController();
    const fired = new Set<string>();
    let looks = 0;
    const pause = async (ms: number): Promise<void> => {
      on.world.move(ms);
      if (fired.size === 5 || ++looks > 10_000) stop.abort();
    };
    await keepTime({ ...on, store, pause }, { x: async ({ id }: Firing) => void fired.add(id) }, "p", stop.signal);
    expect(fired.size).toBe(5);
  });
});

test("O-4 whatever is set, taken back and waited for, exactly what was due and not taken back has fired, once", async () => {
  const act = fc.oneof(
    fc.record({
      does: fc.constant("set" as const),
      name: fc.integer({ min: 0, max: 4 }),
      ms: fc.integer({ min: 0, max: 50_000 }),
    }),
    fc.record({ does: fc.constant("cancel" as const), name: fc.integer({ min: 0, max: 4 }), ms: fc.constant(0) }),
    fc.record({ does: fc.constant("wait" as const), name: fc.constant(0), ms: fc.integer({ min: 0, max: 40_000 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 20 }), async (acts) => {
      const on = await ground();
      const waiting = new Map<string, string>();
      const expected: string[] = [];
      const fired: string[] = [];
      for (const { does, name, ms } of acts) {
        const id = `t${name}`;
        if (does === "set" && !waiting.has(id)) {
          const due = new Date(on.world.now() + ms).toISOString();
          await setTimer(on.store, { name: id, due, kind: "x", subject: "" });
          waiting.set(id, due);
        }
        if (does === "cancel" && waiting.has(id)) {
          await cancelTimer(on.store, waiting.get(id)!, id);
          waiting.delete(id);
        }
        if (does === "wait") {
          on.world.move(ms);
          const handlers = { x: async (firing: Firing) => void fired.push(firing.id) };
          await Promise.all([fireDue(on, handlers, "p"), fireDue(on, handlers, "q")]);
          for (const [one, due] of waiting) {
            if (Date.parse(due) > on.world.now()) continue;
            waiting.delete(one);
            expected.push(`${one}@${due}`);
          }
        }
      }
      expect(fired.toSorted()).toEqual(expected.toSorted());
      await on.store.close();
    }),
    { numRuns: 40 },
  );
});

test("O-4 four processes fire every timer once between them", async () => {
  const { store, dir } = await storeIn();
  for (let i = 0; i < 20; i++) await setTimer(store, timer(`t${i}`, 0));
  await store.close();
  const script = join(import.meta.dirname, "testing/stepping.ts");
  const done = [1, 2, 3, 4].map(
    () => new Promise((resolve) => spawn(process.execPath, [script, dir, "timers"]).on("close", resolve)),
  );
  expect(await Promise.all(done)).toEqual([0, 0, 0, 0]);
  const effects = readFileSync(join(dir, "effects"), "utf8").trim().split("\n");
  expect(effects.toSorted()).toEqual([...new Set(effects)].toSorted());
  expect(effects).toHaveLength(20);
});

/** The store with its methods tied to it, so that one can be replaced. */
const bound = (store: Store): Store => ({
  get: (key) => store.get(key),
  create: (key, bytes) => store.create(key, bytes),
  swap: (key, expected, bytes) => store.swap(key, expected, bytes),
  put: (key, bytes) => store.put(key, bytes),
  delete: (key) => store.delete(key),
  remove: (key, expected) => store.remove(key, expected),
  inOrder: (writes) => store.inOrder(writes),
  list: (prefix, page) => store.list(prefix, page),
  health: () => store.health(),
  close: () => store.close(),
});
