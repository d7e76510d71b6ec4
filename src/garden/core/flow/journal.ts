import type { z } from "zod";
import { keys } from "../../../domain/layout.ts";
import { type RunRequest, runRequest } from "../../../domain/run/run.ts";
import { type RunManifest, runManifest } from "../../../domain/run/run-manifest.ts";
import { failedAttempt, type StepRecord, stepBegun, stepKeyParts, stepRecord } from "../../../domain/run/run-step.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { readJson } from "../json-record.ts";

/** The address of a run: its agent and its id. */
export interface RunPlace {
  readonly slug: string;
  readonly run: string;
}

/** Everything at one position of a journal. More than one record means that two programs disagreed. */
export interface JournalPosition {
  readonly records: readonly StepRecord[];
  readonly begun: readonly z.infer<typeof stepBegun>[];
  readonly failed: readonly z.infer<typeof failedAttempt>[];
}

export async function readPosition(store: Store, { slug, run }: RunPlace, position: number): Promise<JournalPosition> {
  const prefix = `${keys.runSteps(slug, run)}${String(position).padStart(2, "0")}-`;
  return await positionOf(store, await keysBelow(store, prefix));
}

export async function keysBelow(store: Store, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of everyKey(store, prefix)) found.push(key);
  return found;
}

/** Reads positions after listing the keys of the journal once. */
export interface JournalIndex {
  at(position: number): Promise<JournalPosition>;
}

/** `known`: the keys, if they were listed already. */
export function journalIndex(store: Store, { slug, run }: RunPlace, known?: readonly string[]): JournalIndex {
  let looked: Promise<ReadonlyMap<number, readonly string[]>> | undefined;
  const look = async (): Promise<ReadonlyMap<number, readonly string[]>> => {
    const keysAt = new Map<number, string[]>();
    for (const key of known ?? (await keysBelow(store, keys.runSteps(slug, run)))) {
      const position = stepKeyParts(key)?.position;
      if (position !== undefined) keysAt.set(position, [...(keysAt.get(position) ?? []), key]);
    }
    return keysAt;
  };
  return {
    async at(position) {
      looked ??= look();
      return await positionOf(store, (await looked).get(position) ?? []);
    },
  };
}

async function positionOf(store: Store, found: readonly string[]): Promise<JournalPosition> {
  const records: StepRecord[] = [];
  const begun: JournalPosition["begun"][0][] = [];
  const failed: JournalPosition["failed"][0][] = [];
  for (const key of found) {
    const parts = stepKeyParts(key);
    if (parts?.part === "record") records.push(...(await one(store, key, stepRecord)));
    if (parts?.part === "begun") begun.push(...(await one(store, key, stepBegun)));
    if (parts?.part === "failed") failed.push(...(await one(store, key, failedAttempt)));
  }
  return { records, begun, failed };
}

/** A whole journal, in order of positions. `objects` are all objects in its folder, by key and hash. */
export interface Journal {
  readonly request: RunRequest | undefined;
  readonly records: readonly StepRecord[];
  readonly manifest: RunManifest | undefined;
  readonly objects: readonly JournalObject[];
}

export interface JournalObject {
  readonly key: string;
  readonly hash: string;
}

/** Undefined if the run does not exist. */
export async function readJournal(store: Store, place: RunPlace): Promise<Journal | undefined> {
  const { slug, run } = place;
  const found = await readSteps(store, place, await keysBelow(store, keys.runSteps(slug, run)));
  const [manifest] = await one(store, keys.runManifest(slug, run), runManifest);
  return found.objects.length === 0 && !manifest ? undefined : { ...found, manifest };
}

/** A journal whose keys are known, without the manifest. */
export async function readSteps(
  store: Store,
  { slug, run }: RunPlace,
  stepKeys: readonly string[],
): Promise<Omit<Journal, "manifest">> {
  const objects: JournalObject[] = [];
  const records: StepRecord[] = [];
  let request: RunRequest | undefined;
  for (const key of stepKeys) {
    const stored = await store.get(key);
    if (!stored) continue;
    objects.push({ key, hash: stored.hash });
    if (key === keys.runRequest(slug, run)) request = readJson(key, stored.bytes, runRequest);
    else if (stepKeyParts(key)?.part === "record") records.push(readJson(key, stored.bytes, stepRecord));
  }
  return { request, records: records.toSorted(byPosition), objects };
}

export const byPosition = (a: StepRecord, b: StepRecord): number => a.position - b.position;

const one = async <T>(store: Store, key: string, shape: z.ZodType<T>): Promise<T[]> => {
  const stored = await store.get(key);
  return stored ? [readJson(key, stored.bytes, shape)] : [];
};
