import { expect, test } from "vitest";
import { commandLineOwner, type Identity } from "../../../domain/identity.ts";
import type { Garden } from "../../core/garden.ts";
import { newSignals } from "../../core/signals.ts";
import { gardenWith, testPorts } from "../../testing/scratch.ts";
import { giveBackChange, takeChange } from "./rate-limit.ts";
import { shareRateLimits } from "./shared-rate.ts";

const LIMITS = { limits: { owner_per_minute: 10 } };

/** Two processes of one garden: their memories differ, their store is the same. */
async function processes() {
  let now = Date.parse("2026-02-14T08:00:00Z");
  const { garden } = await gardenWith(undefined, testPorts({ now: () => now, random: (n) => new Uint8Array(n) }));
  const process = (): Garden => ({
    ...garden,
    signals: newSignals(),
    store: { ...garden.store, ...bound(garden.store) },
  });
  return { one: process(), other: process(), wait: (ms: number) => void (now += ms) };
}

const bound = (store: Garden["store"]): Garden["store"] =>
  ({
    get: (key) => store.get(key),
    create: (key, bytes) => store.create(key, bytes),
    swap: (key, hash, bytes) => store.swap(key, hash, bytes),
  }) as Garden["store"];

const granted = async (garden: Garden, times: number, identity: Identity = commandLineOwner): Promise<number> => {
  let count = 0;
  for (let i = 0; i < times; i++) if (!(await takeChange(garden, identity, LIMITS))) count++;
  return count;
};

test.each([
  ["alone", false, [10, 10]],
  ["beside another", true, [10, 0]],
])("O-10 A-3 a process %s grants a sender its limit", async (_, shared, expected) => {
  const { one, other } = await processes();
  for (const garden of [one, other]) shareRateLimits(garden, () => shared);
  expect([await granted(one, 15), await granted(other, 15)]).toEqual(expected);
});

test("O-10 A-3 two processes that race for a sender's limit grant it once, and a minute later again", async () => {
  const { one, other, wait } = await processes();
  for (const garden of [one, other]) shareRateLimits(garden, () => true);
  const raced = await Promise.all([granted(one, 8), granted(other, 8)]);
  await giveBackChange(one, commandLineOwner, LIMITS);
  const returned = (await granted(other, 3)) + (await granted(one, 3));
  wait(60_000);
  expect({ raced: raced[0] + raced[1], returned, later: (await granted(other, 6)) + (await granted(one, 6)) }).toEqual({
    raced: 10,
    returned: 1,
    later: 10,
  });
});
