import { blobId } from "../../../base/canonical.ts";
import { type ContractReading, readContract } from "../../../domain/contract/contract.ts";
import type { Hash } from "../../../ports/store.ts";

/**
 * Cache of parsed contracts by the hash of their bytes. Parsing costs a millisecond, and schedules, events and runs read
 * contracts each time (C-9); the file itself is always read.
 */
const known = new Map<Hash, ContractReading>();
const MAX_KNOWN = 500;

export function cachedContract(bytes: Uint8Array, hash: Hash = blobId(bytes)): ContractReading {
  const there = known.get(hash);
  if (there) return there;
  const reading = readContract(bytes);
  known.set(hash, reading);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
  return reading;
}
