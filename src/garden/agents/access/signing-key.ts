import { createHash } from "node:crypto";
import { machine } from "../../../domain/layout.ts";
import type { Garden } from "../../core/garden.ts";
import { damagedSharedKey, damagedSigningKey } from "./failures.ts";

/** Dependencies of the access verbs: the garden's folder, the clock and the audit log. */
export type AccessDeps = Pick<Garden, "settings" | "folder" | "world" | "store" | "signals" | "sharedKey">;

const KEY_BYTES = 32;
const KEY_TEXT = /^[0-9a-f]{64}\r?\n?$/i;

/**
 * The key that signs tokens. With several gateways on several machines the environment names a key that all of them have (O-10):
 * `BLOOM_SIGNING_KEY_FILE` or `BLOOM_SIGNING_KEY`. Otherwise it is created on first use. It lies in `.bloom/keys`, readable by the owner alone, and is in no backup. It is
 * read at every use, so deleting the file invalidates every token and session at once.
 */
export async function signingKey({ folder, world, sharedKey }: KeyHolder): Promise<Uint8Array> {
  const shared = await sharedKey?.();
  if (shared) return parseKey(shared, damagedSharedKey);
  const there = await folder.read(machine.signingKey, 1024);
  if (there) return parseKey(there);
  await folder.makeFolder(machine.keys, "private");
  const made = Buffer.from(world.random(KEY_BYTES)).toString("hex");
  const outcome = await folder.create(machine.signingKey, Buffer.from(`${made}\n`), "private");
  if (outcome === "created") return Buffer.from(made, "hex");
  // Another process created it first.
  return parseKey((await folder.read(machine.signingKey, 1024)) ?? new Uint8Array());
}

export type KeyHolder = Pick<AccessDeps, "folder" | "world" | "sharedKey">;

/** Names the signing key without telling it: gateways with different ids refuse each other's tokens. */
export const signingKeyId = async (deps: KeyHolder): Promise<string> =>
  createHash("sha256")
    .update("key id\0")
    .update(await signingKey(deps))
    .digest("hex")
    .slice(0, 12);

function parseKey(bytes: Uint8Array, damaged = damagedSigningKey): Uint8Array {
  const text = Buffer.from(bytes).toString();
  if (KEY_TEXT.test(text)) return Buffer.from(text.trim(), "hex");
  throw damaged();
}
