import { createHash } from "node:crypto";
import type { World } from "./world.ts";

/** Ids are `<prefix>_<time>_<suffix>`: the prefix is the kind, the time sorts, the suffix makes them unique. */
export const idPrefixes = ["run", "prop", "inbox"] as const;
export type IdPrefix = (typeof idPrefixes)[number];
export type Id<Prefix extends IdPrefix = IdPrefix> = `${Prefix}_${string}`;

const SUFFIX_LENGTH = 6;
const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const PATTERN = /^(run|prop|inbox)_(\d{4})-(\d{2})-(\d{2})_(\d{2})(\d{2})(\d{2})_([0-9a-z]{6})$/;

/** `run_2026-02-14_080000_abc123`, in UTC, with a random suffix. */
export const newId = <P extends IdPrefix>(world: World, prefix: P): Id<P> =>
  `${prefix}_${stamp(world.now())}_${suffix(world.random(SUFFIX_LENGTH + 2))}`;

/**
 * The same shape, but the suffix is derived from `seed`, so that repeating a request gives the same id (idempotent).
 * `at` must come from the recorded cause, not from the clock.
 */
export const derivedId = <P extends IdPrefix>(prefix: P, at: number, seed: string): Id<P> =>
  `${prefix}_${stamp(at)}_${suffix(createHash("sha256").update(`${prefix}\0${seed}`).digest())}`;

/** The parts of an id, or undefined for anything that is not one (a wrong date included). */
export function parseId(text: string): { prefix: IdPrefix; at: number; suffix: string } | undefined {
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  const [, prefix, year, month, day, hour, minute, second, tail] = match;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(at) || stamp(at) !== text.slice(prefix!.length + 1, -SUFFIX_LENGTH - 1)) return undefined;
  return { prefix: prefix as IdPrefix, at, suffix: tail! };
}

function stamp(at: number): string {
  const iso = new Date(at).toISOString(); // 2026-02-14T08:00:00.000Z
  return `${iso.slice(0, 10)}_${iso.slice(11, 19).replaceAll(":", "")}`;
}

/** Eight bytes are 64 bits; six characters hold 31 bits, so the remainder is evenly distributed. */
function suffix(bytes: Uint8Array): string {
  let number = 0n;
  for (const byte of bytes.subarray(0, 8)) number = (number << 8n) | BigInt(byte);
  let text = "";
  for (let i = 0; i < SUFFIX_LENGTH; i++) {
    text += ALPHABET[Number(number % 36n)];
    number /= 36n;
  }
  return text;
}
