import { expect, test } from "vitest";
import { faultyStore } from "../../adapters/store/testing/faulty-store.ts";
import { everyKey } from "../../ports/store.ts";
import { gardenWith } from "../testing/scratch.ts";
import { recordAudit } from "./audit.ts";
import { newSignals } from "./signals.ts";

const record = {
  kind: "decided",
  at: "2026-02-14T08:00:00.000Z",
  by: "owner",
  subject: "prop_x",
  details: {},
} as const;

test.each(["lost", "after"] as const)(
  "P-12 an audit record whose response was lost (%s the write) is written once",
  async (when) => {
    const { garden } = await gardenWith();
    const store = faultyStore(garden.store, { seed: 1, chance: 0 });
    store.faults.failAt(1, when);
    await recordAudit({ store, signals: newSignals() }, "prop_x-0001-approved", record);
    const found: string[] = [];
    for await (const { key } of everyKey(garden.store, "audit/2026-02/14/")) found.push(key);
    expect(found).toEqual(["audit/2026-02/14/080000-prop_x-0001-approved.json"]);
  },
);
