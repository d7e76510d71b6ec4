import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeded } from "../../../../base/testing/seeded.ts";
import { realWorld } from "../../../../base/world.ts";
import { everyKey, type Store } from "../../../../ports/store.ts";
import { type Disk, realDisk } from "../disk.ts";
import { inlineMaker } from "../file-maker.ts";
import { openOwner } from "../open-owner.ts";
import { afterPowerLoss, type DiskCall, recordedDisk } from "./recorded-disk.ts";

/** Marks in the record: a write was requested or answered. `n` counts the writes of a key. */
type Mark =
  | { asked: string; n: number; value: string | undefined }
  | { answered: string; n: number }
  /** Keys written in order by one call. */
  | { inOrder: readonly string[] };

export interface PowerLossReport {
  readonly cuts: number;
  readonly writes: number;
  readonly answered: number;
  /** Descriptions of lost, torn or revived writes. */
  readonly wrong: readonly string[];
}

/**
 * Writes to a store with a recorded disk, then simulates a power cut at `cuts` random calls and reopens the store; every third time
 * with a second cut during that opening. Everything answered before the cut must be there.
 */
export async function powerLossSuite(seed: number, cuts: number): Promise<PowerLossReport> {
  const chance = seeded(seed);
  const scratch = fs.mkdtempSync(join(tmpdir(), "bloom-power-"));
  const garden = join(scratch, "garden");
  fs.mkdirSync(join(garden, ".bloom"), { recursive: true });
  const empty = join(scratch, "empty");
  fs.cpSync(garden, empty, { recursive: true });
  const disk = recordedDisk(garden);
  await writeForAWhile(open(garden, disk), disk.mark, chance);
  const calls = disk.calls;
  const wrong: string[] = [];
  for (let i = 0; i < cuts; i++) {
    const count = Math.floor(chance() * (calls.length + 1));
    const left = join(scratch, `cut-${i}`);
    afterPowerLoss(calls, count, empty, left, chance);
    if (i % 3 === 0) await cutAgain(left, chance);
    const problem = await compare(left, expectation(calls.slice(0, count)));
    if (problem) wrong.push(`seed ${seed}, cut ${i} after call ${count}: ${problem}`);
    fs.rmSync(left, { recursive: true, force: true });
  }
  fs.rmSync(scratch, { recursive: true, force: true });
  const marks = calls.flatMap((call) => (call.kind === "mark" ? [call.mark as Mark] : []));
  return {
    cuts,
    writes: marks.filter((mark) => "asked" in mark).length,
    answered: marks.filter((mark) => "answered" in mark).length,
    wrong,
  };
}

function open(garden: string, disk: Disk): Store {
  const at = (name: string): string => join(garden, ".bloom", name);
  const place = { disk, root: at("store"), temporary: at("tmp"), setAside: at("set-aside") };
  const impatient = { filesMs: 2, retryMs: 5, idleMs: 10, logBytes: 16 * 1024 };
  return openOwner(place, at("log"), inlineMaker(place), impatient, realWorld);
}

async function writeForAWhile(store: Store, mark: (mark: Mark) => void, chance: () => number): Promise<void> {
  const histories = new Map<string, number>();
  const write = async (key: string, value: string | undefined, call: () => Promise<unknown>): Promise<void> => {
    const n = (histories.get(key) ?? 0) + 1;
    histories.set(key, n);
    mark({ asked: key, n, value });
    await call();
    mark({ answered: key, n });
  };
  const several = async (folder: string, value: string): Promise<void> => {
    const keys = [0, 1, 2].map((part) => `${folder}/${part}.json`);
    mark({ inOrder: keys });
    for (const key of keys) mark({ asked: key, n: 1, value });
    await store.inOrder(keys.map((key) => ({ verb: "create", key, bytes: Buffer.from(value) })));
    for (const key of keys) mark({ answered: key, n: 1 });
  };
  const writer = async (name: number): Promise<void> => {
    for (let i = 0; i < 40; i++) {
      const value = `${name}-${i}-${"x".repeat(Math.floor(chance() * 1500))}`;
      const bytes = Buffer.from(value);
      const roll = chance();
      const view = `views/w${name}/${i % 3}.json`;
      if (roll < 0.08) await several(`audit/s${i % 5}/${name}-${i}`, value);
      else if (roll < 0.5)
        await write(`audit/d${i % 5}/${name}-${i}.json`, value, () =>
          store.create(`audit/d${i % 5}/${name}-${i}.json`, bytes),
        );
      else if (roll < 0.75) await write(view, value, () => store.put(view, bytes));
      else if (roll < 0.85) await write(view, undefined, () => store.delete(view));
      else {
        const key = `agents/a${name}/_agent.md`;
        const now = await store.get(key);
        if (now && chance() < 0.4) await write(key, undefined, () => store.remove(key, now.hash));
        else await write(key, value, () => (now ? store.swap(key, now.hash, bytes) : store.create(key, bytes)));
      }
      if (chance() < 0.2) await new Promise((done) => setTimeout(done, chance() * 12));
    }
  };
  await Promise.all([0, 1, 2, 3].map(writer));
  await store.close();
}

/** Simulates a second power cut during the opening after the first. */
async function cutAgain(left: string, chance: () => number): Promise<void> {
  const before = `${left}-before`;
  fs.cpSync(left, before, { recursive: true });
  const disk = recordedDisk(left);
  open(left, disk); // opening is synchronous; the store is dropped without closing
  const calls = disk.calls;
  fs.rmSync(left, { recursive: true, force: true });
  afterPowerLoss(calls, Math.floor(chance() * (calls.length + 1)), before, left, chance);
  fs.rmSync(before, { recursive: true, force: true });
}

interface Expected {
  /** Values that a key may have: the last answered one, or any requested later. */
  readonly allowed: Map<string, Set<string | undefined>>;
  /** Series of keys of which any prefix may exist. */
  readonly series: readonly (readonly string[])[];
}

function expectation(calls: readonly DiskCall[]): Expected {
  const asked = new Map<string, { n: number; value: string | undefined }[]>();
  const answered = new Map<string, number>();
  const series: (readonly string[])[] = [];
  for (const call of calls) {
    if (call.kind !== "mark") continue;
    const mark = call.mark as Mark;
    if ("inOrder" in mark) series.push(mark.inOrder);
    else if ("asked" in mark) asked.set(mark.asked, [...(asked.get(mark.asked) ?? []), mark]);
    else answered.set(mark.answered, mark.n);
  }
  const allowed = new Map<string, Set<string | undefined>>();
  for (const [key, history] of asked) {
    const last = answered.get(key) ?? 0;
    allowed.set(
      key,
      new Set([...(last === 0 ? [undefined] : []), ...history.filter(({ n }) => n >= last).map(({ value }) => value)]),
    );
  }
  return { allowed, series };
}

async function compare(folder: string, { allowed, series }: Expected): Promise<string | undefined> {
  const store = open(folder, realDisk);
  const problems: string[] = [];
  for await (const { key } of everyKey(store, "")) if (!allowed.has(key)) problems.push(`${key} came from nowhere`);
  for (const [key, values] of allowed) {
    const found = await store.get(key);
    const value = found && Buffer.from(found.bytes).toString();
    if (!values.has(value))
      problems.push(`${key} is ${value === undefined ? "lost" : `torn or old (${value.slice(0, 12)}…)`}`);
  }
  for (const keys of series) {
    const there = await Promise.all(keys.map(async (key) => (await store.get(key)) !== undefined));
    if (there.lastIndexOf(true) !== there.indexOf(false) - 1 && there.includes(false))
      problems.push(`${keys[there.indexOf(false)]} is missing before ${keys[there.lastIndexOf(true)]}`);
  }
  const health = await store.health();
  for (const remark of health.remarks) if (!remark.en.startsWith("the last owner ended")) problems.push(remark.en);
  await store.close();
  return problems.length > 0 ? problems.join("; ") : undefined;
}
