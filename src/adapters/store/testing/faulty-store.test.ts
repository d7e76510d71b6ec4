import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFailure } from "../../../base/failure.ts";
import { realWorld } from "../../../base/world.ts";
import type { Store } from "../../../ports/store.ts";
import { storeConformance } from "../conformance.ts";
import { openDirStore } from "../dir/dir-store.ts";
import { FAULTS, faultyStore } from "./faulty-store.ts";

storeConformance("faulty, with its faults off", async () => {
  const garden = fs.mkdtempSync(join(tmpdir(), "bloom-faulty-"));
  return {
    async open() {
      const store = faultyStore(await openDirStore({ garden, world: realWorld }), { seed: 1, chance: 1, delays: true });
      store.faults.off();
      return store;
    },
    discard: async () => fs.rmSync(garden, { recursive: true, force: true }),
  };
});

describe("a store with seeded faults", () => {
  let real: Store;
  let garden: string;
  beforeAll(async () => {
    garden = fs.mkdtempSync(join(tmpdir(), "bloom-faulty-"));
    real = await openDirStore({ garden, world: realWorld });
  });
  afterAll(async () => {
    await real.close();
    fs.rmSync(garden, { recursive: true, force: true });
  });

  const bytes = Buffer.from("x");
  const outcomeOf = async (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => "done",
      (error: unknown) => (isFailure(error) ? error.outcome : String(error)),
    );

  it.each([
    { fault: "before", outcome: "none", happened: false },
    { fault: "lost", outcome: "unknown", happened: false },
    { fault: "after", outcome: "unknown", happened: true },
  ] as const)("fails exactly the chosen write: $fault", async ({ fault, outcome, happened }) => {
    const store = faultyStore(real, { seed: 1 });
    store.faults.failAt(2, fault);
    const keys = [1, 2, 3].map((n) => `audit/${fault}/${n}`);
    const outcomes: string[] = [];
    for (const key of keys) outcomes.push(await outcomeOf(store.create(key, bytes)));
    const there = await Promise.all(keys.map(async (key) => (await real.get(key)) !== undefined));
    expect({ outcomes, there }).toEqual({ outcomes: ["done", outcome, "done"], there: [true, happened, true] });
    expect(store.faults.counts).toMatchObject({ writes: 3, [fault]: 1 });
  });

  it("reports every failed write truthfully, meets every fault, and is deterministic for a seed", async () => {
    const run = async (folder: string): Promise<string[]> => {
      const store = faultyStore(real, { seed: 42, chance: 0.5, delays: true });
      const outcomes: string[] = [];
      for (let i = 0; i < 60; i++) {
        const outcome = await outcomeOf(store.create(`audit/${folder}/${i}`, bytes));
        const there = (await real.get(`audit/${folder}/${i}`)) !== undefined;
        if (outcome !== "unknown") expect({ write: i, there }).toEqual({ write: i, there: outcome === "done" });
        outcomes.push(outcome);
      }
      expect(FAULTS.map((fault) => store.faults.counts[fault] > 0)).toEqual([true, true, true]);
      store.faults.off();
      expect(await outcomeOf(store.create(`audit/${folder}/last`, bytes))).toBe("done");
      return outcomes;
    };
    expect(await run("a")).toEqual(await run("b"));
  });

  it("fails reads if `readChance` says so", async () => {
    const store = faultyStore(real, { seed: 3, readChance: 1 });
    expect({ get: await outcomeOf(store.get("audit/x")), list: await outcomeOf(store.list("audit/")) }).toEqual({
      get: "none",
      list: "none",
    });
    store.faults.off();
    expect(await outcomeOf(store.get("audit/x"))).toBe("done");
  });
});
