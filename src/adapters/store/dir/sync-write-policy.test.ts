import { expect, test } from "vitest";
import { SyncWritePolicy } from "./sync-write-policy.ts";

/** A log whose last writers were alone, at time 0. */
function lonely(): SyncWritePolicy {
  const inTurn = new SyncWritePolicy();
  for (let i = 0; i < 4; i++) inTurn.wrote(1, 0);
  return inTurn;
}

test.each<[string, (inTurn: SyncWritePolicy) => void, { count?: number; bytes?: number; now?: number }, boolean]>([
  ["a lone write after lone writes", () => undefined, {}, true],
  ["one of many", () => undefined, { count: 5 }, false],
  ["a large one", () => undefined, { bytes: 1_000_000 }, false],
  ["behind somebody whom others waited for", (it) => it.wrote(1, 3), {}, false],
  ["after one that met a busy processor", (it) => [0.1, 0.1, 5, 0.1].forEach((ms) => it.took(ms, 1)), {}, true],
  ["after several that were all late", (it) => [5, 5, 5, 5].forEach((ms) => it.took(ms, 1)), { now: 50 }, false],
  ["a while after those", (it) => [5, 5, 5, 5].forEach((ms) => it.took(ms, 1)), { now: 150 }, true],
  [
    "late again: a longer while",
    (it) =>
      Array(8)
        .fill(5)
        .forEach((ms) => it.took(ms, 1)),
    { now: 150 },
    false,
  ],
  ["right after one for which all had to wait", (it) => it.took(40, 1), { now: 50 }, false],
])("G-6 a write is synced in turn only where that holds nobody up: %s", (_, before, next, may) => {
  const inTurn = lonely();
  before(inTurn);
  expect(inTurn.allows(next.count ?? 1, next.bytes ?? 500, next.now ?? 2)).toBe(may);
});
