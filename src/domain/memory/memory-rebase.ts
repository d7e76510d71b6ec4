import { canonicalId, type Json } from "../../base/canonical.ts";
import type { MemoryOperation } from "../proposal/operation.ts";
import type { MemoryFiles, VersionedFile } from "./memory-meta.ts";

/** An applied update of the same proposer. */
export interface OwnUpdate {
  readonly proposal: string;
  /** Proposed after the update that is being applied. */
  readonly isNewer: boolean;
  readonly operations: readonly MemoryOperation[];
}

/** One version of memory since it was read. `own` is undefined for a change by anybody else. */
export interface MemoryStep {
  readonly before: MemoryFiles;
  readonly after: MemoryFiles;
  readonly own: OwnUpdate | undefined;
}

/** The state that operations are applied to. */
export interface MemoryVersions {
  readonly agentId: string;
  /** The current memory. */
  readonly now: MemoryFiles;
  /** The memory that the proposer read: the same object as `now` if nothing changed since; undefined if it is no longer known. */
  readonly read: MemoryFiles | undefined;
  /** `2026-02-14`, for dated lines. */
  readonly day: string;
  /** The changes between `read` and `now`: given for an agent, whose own updates do not conflict with each other. */
  readonly since?: readonly MemoryStep[];
}

/** The updates that changed a part, oldest version first, if all of them are the proposer's own; else undefined. */
export function ownWriters(
  since: readonly MemoryStep[],
  part: (files: MemoryFiles) => string | undefined,
): readonly OwnUpdate[] | undefined {
  const writers = since.filter(({ before, after }) => part(before) !== part(after)).map(({ own }) => own);
  const known = writers.filter((own) => own !== undefined);
  return known.length > 0 && known.length === writers.length ? known : undefined;
}

/** The newest of the updates that were proposed after this one; undefined if there is none. */
export const newestOf = (writers: readonly OwnUpdate[]): OwnUpdate | undefined =>
  writers.filter(({ isNewer }) => isNewer).at(-1);

/** True if each of the updates replaced exactly this part and changed nothing else in the file: replacing it again loses nothing. */
export const replacedWhole = (
  writers: readonly OwnUpdate[],
  file: VersionedFile,
  section: string | undefined,
): boolean =>
  writers.every(({ operations }) => {
    const inFile = operations.filter((each) => "file" in each && each.file === file);
    return inFile.length > 0 && inFile.every((each) => each.op === "replace" && each.section === section);
  });

export interface RebasedValue {
  readonly value: Json;
  /** A part of the wanted value gave way to a newer one. */
  readonly isLost: boolean;
}

/**
 * A value after two updates of one agent: `read` was changed to `now` by one and to `wanted` by the other. Lists keep what either
 * added and drop what either removed; objects are merged by name; of two other values the newer update's stands.
 */
export function rebaseValue(
  read: Json | undefined,
  now: Json | undefined,
  wanted: Json,
  isNewer: boolean,
): RebasedValue {
  if (now === undefined || same(now, wanted) || (read !== undefined && same(now, read)))
    return { value: wanted, isLost: false };
  if (read !== undefined && same(wanted, read)) return { value: now, isLost: false };
  if (Array.isArray(now) && Array.isArray(wanted) && (read === undefined || Array.isArray(read)))
    return { value: rebaseList(read ?? [], now, wanted), isLost: false };
  if (isRecord(now) && isRecord(wanted) && (read === undefined || isRecord(read)))
    return rebaseRecord(read ?? {}, now, wanted, isNewer);
  return isNewer ? { value: now, isLost: true } : { value: wanted, isLost: false };
}

function rebaseList(read: readonly Json[], now: readonly Json[], wanted: readonly Json[]): Json[] {
  const [known, kept, there] = [read, wanted, now].map((list) => new Set(list.map(idOf)));
  const left = now.filter((item) => kept!.has(idOf(item)) || !known!.has(idOf(item)));
  return [...left, ...wanted.filter((item) => !known!.has(idOf(item)) && !there!.has(idOf(item)))];
}

type JsonRecord = Readonly<Record<string, Json>>;

function rebaseRecord(read: JsonRecord, now: JsonRecord, wanted: JsonRecord, isNewer: boolean): RebasedValue {
  const value: Record<string, Json> = { ...now };
  let isLost = false;
  for (const name of Object.keys(read))
    if (!Object.hasOwn(wanted, name) && same(now[name] ?? null, read[name]!)) delete value[name];
  for (const [name, each] of Object.entries(wanted)) {
    if (!Object.hasOwn(now, name) && Object.hasOwn(read, name) && same(each, read[name]!)) continue; // removed by the other
    const one = rebaseValue(read[name], now[name], each, isNewer);
    value[name] = one.value;
    isLost ||= one.isLost;
  }
  return { value, isLost };
}

const idOf = (value: Json): string => canonicalId(value);
const same = (one: Json, other: Json): boolean => idOf(one) === idOf(other);
const isRecord = (value: Json): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);
