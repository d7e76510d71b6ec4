import { z } from "zod";
import { isSlug } from "../contract/slug.ts";
import { fingerprint, publicKeyInLine } from "./ssh-key.ts";

/** Another garden that this one follows. Its identity is its key; `name` is only what it is called here. */
export const gardenPeer = z.strictObject({
  name: z.string().refine(isSlug),
  /** Address of its public repository. */
  url: z.string().min(1).max(2000),
  /** Newest last. A key signs announcements from its number on, and up to that of the next key. */
  keys: z.array(z.strictObject({ key: z.string().max(200), from_seq: z.number().int().min(1) })).min(1),
  /** The fingerprint of its first key, once an announcement of it was accepted. */
  space: z.string().optional(),
});
export type GardenPeer = z.infer<typeof gardenPeer>;

/** The fingerprint of the key that may sign the announcement with this number. */
export const signerAt = ({ keys }: GardenPeer, seq: number): string | undefined => {
  const key = keys.findLast(({ from_seq }) => from_seq <= seq)?.key;
  return key === undefined ? undefined : fingerprint(publicKeyInLine(key));
};

/** The fingerprints of all its keys: a session that it began belongs to it after a change of keys too. */
export const ownersOf = ({ keys }: GardenPeer): ReadonlySet<string> =>
  new Set(keys.map(({ key }) => fingerprint(publicKeyInLine(key))));
