import { blobId } from "../../../base/canonical.ts";
import { type ContractReading, readContract } from "../../../domain/contract/contract.ts";
import type { Hash } from "../../../ports/store.ts";

/**
 * What contracts say, by the hash of their bytes. Reading one costs a millisecond, and schedules, events and every run read
 * them anew (C-9): the file is looked at each time, only what the same bytes mean is remembered.
 */
const known = new Map<Hash, ContractReading>();
const MAX_KNOWN = 500;

export function knownContract(bytes: Uint8Array, hash: Hash = blobId(bytes)): ContractReading {
  const there = known.get(hash);
  if (there) return there;
  const reading = readContract(bytes);
  known.set(hash, reading);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
  return reading;
}
