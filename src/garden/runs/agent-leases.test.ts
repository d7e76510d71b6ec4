import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { keys } from "../../domain/layout.ts";
import type { Store } from "../../ports/store.ts";
import { acquireLease, type Lease } from "../core/flow/lease.ts";
import type { Pause } from "../core/flow/pause.ts";
import { movableWorld, storeIn } from "../core/flow/testing/flow-deps.ts";
import { agentLeases } from "./agent-leases.ts";

const TTL = 15_000;
const AHEAD = 3000;

/** Another process holds the lease of the agent, and its clock is some seconds ahead of ours. */
async function metAhead(): Promise<{
  store: Store;
  theirs: Lease;
  leases: ReturnType<typeof agentLeases>;
  pauses: Paused[];
}> {
  const { store } = await storeIn();
  const [ours, ahead] = [movableWorld(), movableWorld()];
  ahead.move(AHEAD);
  const got = await acquireLease({ store, world: ahead }, "run:rose", { holder: "they", ttlMs: TTL });
  if (got.kind !== "held") throw new Error("it was free");
  const pauses: Paused[] = [];
  // A pause ends when the test ends it or its signal is aborted.
  const pause: Pause = (ms, signal) =>
    new Promise((end) => {
      pauses.push({ ms, end });
      signal?.addEventListener("abort", () => end(), { once: true });
    });
  return { store, theirs: got.lease, pauses, leases: agentLeases({ store, world: ours, pause }, "we", TTL) };
}

interface Paused {
  readonly ms: number;
  readonly end: () => void;
}

test("O-2 the lease of a process whose clock is ahead is free as soon as it is released", async () => {
  const { theirs, leases } = await metAhead();
  expect(await leases.take("rose")).toMatchObject({ kind: "busy", by: "they" });
  await theirs.release("forget");
  expect(await leases.take("rose")).toMatchObject({ kind: "held" });
});

test("O-2 a process that watches the lease of another clock can close at once", async () => {
  const { leases } = await metAhead();
  await leases.take("rose");
  await leases.close();
});

test("O-2 the lease of a clock that is ahead is taken after it stayed unchanged for its whole length, not before", async () => {
  const { store, theirs, leases, pauses } = await metAhead();
  const kinds: string[] = [];
  const tryIt = async (): Promise<void> => {
    await turn();
    kinds.push((await leases.take("rose")).kind);
  };
  await tryIt();
  await tryIt();
  await theirs.renew();
  pauses[0]!.end();
  await tryIt();
  pauses[1]!.end();
  await tryIt();
  expect(kinds).toEqual(["busy", "busy", "busy", "held"]);
  expect(pauses.map(({ ms }) => ms)).toEqual([TTL, TTL]);
  expect(await theirs.confirm()).toBe(false);
  expect(await store.get(keys.lease("run:rose"))).toBeDefined();
});
