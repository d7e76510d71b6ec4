import { blobId } from "../../../base/canonical.ts";
import { type ContractReading, readContract } from "../../../domain/contract/contract.ts";
import { contractHash } from "../../../domain/contract/contract-file.ts";
import type { Hash } from "../../../ports/store.ts";

/**
 * Cache of parsed contracts by the hash of their bytes. Parsing costs a millisecond, and schedules, events and runs read
 * contracts each time (C-9); the file itself is always read.
 */
const known = new Map<Hash, ContractReading>();
const MAX_KNOWN = 500;
const hashes = new Map<Hash, string>();

/** The contract's own hash, by the hash of the file: computing it parses the front matter again. */
export function cachedContractHash(text: string, hash: Hash): string {
  const there = hashes.get(hash) ?? contractHash(text);
  hashes.set(hash, there);
  if (hashes.size > MAX_KNOWN) hashes.delete(hashes.keys().next().value!);
  return there;
}

export function cachedContract(bytes: Uint8Array, hash: Hash = blobId(bytes)): ContractReading {
  const there = known.get(hash);
  if (there) return there;
  const reading = readContract(bytes);
  known.set(hash, reading);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
  return reading;
}
