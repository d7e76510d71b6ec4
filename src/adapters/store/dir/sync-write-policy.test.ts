import { expect, test } from "vitest";
import { SyncWritePolicy } from "./sync-write-policy.ts";

/** A policy whose last writes, at time 0, had no concurrent callers. */
function lonely(): SyncWritePolicy {
  const inTurn = new SyncWritePolicy();
  for (let i = 0; i < 4; i++) inTurn.wrote(1, 0);
  return inTurn;
}

test.each<[string, (inTurn: SyncWritePolicy) => void, { count?: number; bytes?: number; now?: number }, boolean]>([
  ["a lone write after lone writes", () => undefined, {}, true],
  ["one of many writes", () => undefined, { count: 5 }, false],
  ["a large write", () => undefined, { bytes: 1_000_000 }, false],
  ["a write after one that others waited for", (it) => it.wrote(1, 3), {}, false],
  ["a write after one slow write", (it) => [0.1, 0.1, 5, 0.1].forEach((ms) => it.took(ms, 1)), {}, true],
  ["a write after several slow writes", (it) => [5, 5, 5, 5].forEach((ms) => it.took(ms, 1)), { now: 50 }, false],
  ["a write some time after slow writes", (it) => [5, 5, 5, 5].forEach((ms) => it.took(ms, 1)), { now: 150 }, true],
  [
    "a write some time after twice as many slow writes",
    (it) =>
      Array(8)
        .fill(5)
        .forEach((ms) => it.took(ms, 1)),
    { now: 150 },
    false,
  ],
  ["a write right after a very slow write", (it) => it.took(40, 1), { now: 50 }, false],
])("G-6 a write is synced in its turn only if no other caller waits for it: %s", (_, before, next, may) => {
  const inTurn = lonely();
  before(inTurn);
  expect(inTurn.allows(next.count ?? 1, next.bytes ?? 500, next.now ?? 2)).toBe(may);
});
