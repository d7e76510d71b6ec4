import { keyPairOf, privateKeyFile, privateKeyIn, type SshKeyPair } from "../../domain/federation/ssh-key.ts";
import { machine } from "../../domain/layout.ts";
import type { Garden } from "../core/garden.ts";

type GardenKeyDeps = Pick<Garden, "folder" | "world">;

export const MAX_KEY_FILE_BYTES = 8 * 1024;

/**
 * The key that this garden signs its announcements with: a file as `ssh-keygen` makes it, private to the owner, created at first use.
 * Undefined before: a garden that publishes nothing has no key.
 */
export async function knownGardenKey({ folder }: GardenKeyDeps): Promise<SshKeyPair | undefined> {
  const there = await folder.read(machine.gardenKey, MAX_KEY_FILE_BYTES);
  return there && privateKeyIn(Buffer.from(there).toString());
}

export async function gardenKey(deps: GardenKeyDeps): Promise<SshKeyPair> {
  const there = await knownGardenKey(deps);
  if (there) return there;
  const { folder, world } = deps;
  await folder.makeFolder(machine.keys, "private");
  const pair = keyPairOf(world.random(32));
  const file = privateKeyFile(pair, "garden", Buffer.from(world.random(4)).readUInt32BE());
  const outcome = await folder.create(machine.gardenKey, Buffer.from(file), "private");
  // Another process may have created it first.
  return outcome === "created" ? pair : (await knownGardenKey(deps))!;
}
