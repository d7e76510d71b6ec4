import { Failure } from "../../../base/failure.ts";
import { machine } from "../../../domain/layout.ts";
import type { Garden } from "../../core/garden.ts";

/** What access is made of: files for the owner alone, the clock, and the audit. */
export type AccessDeps = Pick<Garden, "folder" | "world" | "store" | "signals">;

const KEY_BYTES = 32;
const KEY_TEXT = /^[0-9a-f]{64}\n?$/;

/**
 * The key that tokens are signed with, made at first need. It lies in `.bloom/keys`, readable by the owner alone, and goes
 * into no backup. It is read at every use: whoever deletes the file ends every token and session at once.
 */
export async function signingKey({ folder, world }: Pick<AccessDeps, "folder" | "world">): Promise<Uint8Array> {
  const there = await folder.read(machine.signingKey, 1024);
  if (there) return parsed(there);
  await folder.makeFolder(machine.keys, "private");
  const made = Buffer.from(world.random(KEY_BYTES)).toString("hex");
  const outcome = await folder.create(machine.signingKey, Buffer.from(`${made}\n`), "private");
  if (outcome === "created") return Buffer.from(made, "hex");
  // Another process was first: its key is the key.
  return parsed((await folder.read(machine.signingKey, 1024)) ?? new Uint8Array());
}

function parsed(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString();
  if (KEY_TEXT.test(text)) return Buffer.from(text.trim(), "hex");
  throw new Failure(
    "UPSTREAM_UNAVAILABLE",
    { en: "the signing key is damaged", uk: "ключ підпису пошкоджено" },
    {
      hint: {
        en: `Delete ${machine.signingKey}: a new one is made, and every token and session ends.`,
        uk: `Видаліть ${machine.signingKey}: буде створено новий, а всі токени й сеанси закінчаться.`,
      },
      details: { part: "keys" },
    },
  );
}
