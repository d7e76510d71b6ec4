import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEachTest } from "../../../../base/testing/clean-up.ts";
import { realWorld } from "../../../../base/world.ts";
import type { Store } from "../../../../ports/store.ts";
import { openDirStore } from "../dir-store.ts";
import { type Disk, realDisk } from "../disk.ts";
import { inlineMaker } from "../file-maker.ts";
import { openOwner } from "../open-owner.ts";

export const bytes = (text: string): Uint8Array => Buffer.from(text);
export const text = async (store: Store, key: string): Promise<string | undefined> => {
  const found = await store.get(key);
  return found && Buffer.from(found.bytes).toString();
};
export const hashIn = async (store: Store, key: string): Promise<string> => (await store.get(key))!.hash;
export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

let left: (() => Promise<void> | void)[] = [];
afterEachTest(async () => {
  for (const step of left.toReversed()) await step();
  left = [];
});
/** Runs a step after the test, in reverse order of registration. */
export const afterwards = (step: () => Promise<void> | void): void => void left.push(step);
export function folder(): string {
  const made = fs.mkdtempSync(join(tmpdir(), "bloom-dir-"));
  afterwards(() => fs.rmSync(made, { recursive: true, force: true }));
  return made;
}
export async function opened(garden: string): Promise<Store> {
  const store = await openDirStore({ garden, world: realWorld });
  afterwards(() => store.close());
  return store;
}

/** An owner store with a faulty disk. */
export function fragile(garden: string, change: (disk: Disk) => Partial<Disk>, filesMs = 5): Store {
  const disk = { ...realDisk, ...change(realDisk) };
  const at = (name: string): string => join(garden, ".bloom", name);
  const place = { disk, root: at("store"), temporary: at("tmp/store"), setAside: at("set-aside") };
  return openOwner(
    place,
    at("log"),
    inlineMaker(place),
    { filesMs, retryMs: 10, idleMs: 60_000, logBytes: 1e9 },
    realWorld,
  );
}
export const remarksOf = async (store: Store): Promise<string[]> => (await store.health()).remarks.map(({ en }) => en);
export const fileOf = (garden: string, key: string): string => join(garden, ".bloom/store", key);

/** Waits until a condition holds; the test's own timeout is the limit. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(5);
}
