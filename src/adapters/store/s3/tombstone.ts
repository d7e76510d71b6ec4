import { createHash } from "node:crypto";

/**
 * The content of a removed object on servers without a conditional delete. `remove` replaces the object by this, conditionally, and
 * leaves it there: a plain delete could remove what another process created under that name in between. For every reader the key is
 * absent; `create` replaces it, conditionally too. Listings tell it by size and ETag, so they cost no further request.
 */
export const TOMBSTONE: Uint8Array = Buffer.from(
  '{"garden-bloom":"removed","b2e9f1c8-5d6a-4f33-9c1e-7a40d2f6e915":"this key is free"}\n',
);

const ETAG = createHash("md5").update(TOMBSTONE).digest("hex");

export const isTombstone = (bytes: Uint8Array): boolean =>
  bytes.length === TOMBSTONE.length && Buffer.compare(bytes, TOMBSTONE) === 0;

/** `maybe`: the size fits and the ETag is not the MD5 of it; a server that encrypts has other ETags, so the object must be read. */
export function tombstoneBySight({
  size,
  etag,
}: {
  readonly size: number;
  readonly etag: string;
}): "yes" | "no" | "maybe" {
  if (size !== TOMBSTONE.length) return "no";
  return etag === ETAG ? "yes" : "maybe";
}

/** A tombstone of this age is deleted when a listing meets it, if its key contains an id that is not used again. */
export const TOMBSTONE_MS = 10 * 60_000;

const USED_ONCE = [
  /^views\/(?:open-runs|recount|events|peers|open-requests|taken-back|agent-changes)\//,
  /^views\/notify\/[^/]+\/messages\//,
  /^inbox\/(?:pending|signatures)\//,
  /^proposals\/pending\//,
];
export const isUsedOnce = (key: string): boolean => USED_ONCE.some((pattern) => pattern.test(key));
