import { armCrashPoints } from "../../../../base/crash-point.ts";
import { isFailure } from "../../../../base/failure.ts";
import { realWorld } from "../../../../base/world.ts";
import { openDirStore } from "../dir-store.ts";

/**
 * A process that writes until it is killed and prints every answered write:
 *
 *     store-driver.ts GARDEN NAME [CRASH-POINT NTH]
 *
 * It creates and removes objects of its own and swaps a shared counter. Every record carries an operation id, by which it resolves
 * writes with a lost answer.
 */
const [garden = "", name = "", point, nth = "1"] = process.argv.slice(2);

if (point) {
  let hits = 0;
  armCrashPoints((hit) => {
    if (hit === point && ++hits === Number(nth)) process.kill(process.pid, "SIGKILL");
  });
}

const COUNTER = "agents/counter/_agent.md";
// Short intervals, so that every part of a checkpoint happens before the kill.
const pace = { filesMs: 5, retryMs: 20, idleMs: 50, logBytes: 200_000 };
const store = await openDirStore({ garden, world: realWorld, pace });
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const parsed = (from: Uint8Array): { op?: string; ops?: string[] } => JSON.parse(Buffer.from(from).toString());

/** Runs a write; if its answer is lost, `happened` checks whether it took effect. */
async function settle(write: () => Promise<boolean>, happened: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write();
  } catch (error) {
    if (!isFailure(error) || error.outcome !== "unknown") throw error;
    say("unknown");
    return await happened();
  }
}

async function createOne(op: string): Promise<void> {
  const key = `audit/${name}/${op}.json`;
  const record = bytes({ op, filling: "ї".repeat(Number(op.slice(op.lastIndexOf("-") + 1)) % 700) });
  const done = await settle(
    async () => (await store.create(key, record)).kind === "created",
    async () => {
      const found = await store.get(key);
      return found !== undefined && parsed(found.bytes).op === op;
    },
  );
  if (done) say(`created ${key}`);
}

/** Creates an object of its own and removes it. No other process touches it, so a missing object was removed. */
async function removeOne(op: string): Promise<void> {
  const key = `agents/${name}-${op}/_agent.md`;
  const made = await settle(
    async () => (await store.create(key, bytes({ op }))).kind === "created",
    async () => (await store.get(key)) !== undefined,
  );
  const now = made ? await store.get(key) : undefined;
  if (!now) return;
  const done = await settle(
    async () => (await store.remove(key, now.hash)).kind === "removed",
    async () => (await store.get(key)) === undefined,
  );
  say(done ? `removed ${key}` : `created ${key}`);
}

/** Two objects by one call: the second must never exist without the first. */
async function createTwo(op: string): Promise<void> {
  const [first, second] = [`audit/${name}/${op}-a.json`, `audit/${name}/${op}-b.json`];
  const writes = [first, second].map((key) => ({ verb: "create", key, bytes: bytes({ op }) }) as const);
  const done = await settle(
    async () => (await store.inOrder(writes)).every(({ kind }) => kind === "created"),
    async () => (await store.get(second)) !== undefined,
  );
  if (done) for (const key of [first, second]) say(`created ${key}`);
}

async function count(op: string): Promise<void> {
  for (;;) {
    const now = await store.get(COUNTER);
    if (!now) {
      await settle(
        async () => (await store.create(COUNTER, bytes({ ops: [] }))).kind === "created",
        async () => true,
      );
      continue;
    }
    const next = bytes({ ops: [...(parsed(now.bytes).ops ?? []), op] });
    const done = await settle(
      async () => (await store.swap(COUNTER, now.hash, next)).kind === "swapped",
      async () => parsed((await store.get(COUNTER))!.bytes).ops!.includes(op),
    );
    if (done) return say(`counted ${op}`);
  }
}

say("ready");
let n = 0;
const writers = Array.from({ length: 4 }, async (_, writer) => {
  for (;;) {
    const op = `${name}-${writer}-${n++}`;
    if (writer === 1) await removeOne(`${op}-gone`);
    await createOne(op);
    if (writer === 2) await createTwo(`${op}-1`);
    if (writer === 0 && n % 4 === 0) await count(`${op}-count`);
    await store.put(`views/${name}.json`, bytes({ n }));
  }
});
process.on("SIGTERM", () => void store.close().then(() => process.exit(0)));
await Promise.all(writers);
