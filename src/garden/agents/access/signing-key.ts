import { machine } from "../../../domain/layout.ts";
import type { Garden } from "../../core/garden.ts";
import { damagedSigningKey } from "./failures.ts";

/** Dependencies of the access verbs: the garden's folder, the clock and the audit log. */
export type AccessDeps = Pick<Garden, "settings" | "folder" | "world" | "store" | "signals">;

const KEY_BYTES = 32;
const KEY_TEXT = /^[0-9a-f]{64}\n?$/;

/**
 * The key that signs tokens, created on first use. It lies in `.bloom/keys`, readable by the owner alone, and is in no backup. It is
 * read at every use, so deleting the file invalidates every token and session at once.
 */
export async function signingKey({ folder, world }: Pick<AccessDeps, "folder" | "world">): Promise<Uint8Array> {
  const there = await folder.read(machine.signingKey, 1024);
  if (there) return parseKey(there);
  await folder.makeFolder(machine.keys, "private");
  const made = Buffer.from(world.random(KEY_BYTES)).toString("hex");
  const outcome = await folder.create(machine.signingKey, Buffer.from(`${made}\n`), "private");
  if (outcome === "created") return Buffer.from(made, "hex");
  // Another process created it first.
  return parseKey((await folder.read(machine.signingKey, 1024)) ?? new Uint8Array());
}

function parseKey(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString();
  if (KEY_TEXT.test(text)) return Buffer.from(text.trim(), "hex");
  throw damagedSigningKey();
}
