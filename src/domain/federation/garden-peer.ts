import { z } from "zod";
import { isSlug } from "../contract/slug.ts";
import { fingerprint, isFingerprint, publicKeyInLine } from "./ssh-key.ts";

/** A key of another garden, as a line of OpenSSH. It signs announcements from this number on, up to that of the next key. */
const peerKey = z.strictObject({ key: z.string().max(200), from_seq: z.number().int().min(1) });
export type PeerKey = z.infer<typeof peerKey>;

/** Another garden that this one follows. Its identity is its key; `name` is only what it is called here. */
export const gardenPeer = z.strictObject({
  name: z.string().refine(isSlug),
  /** Address of its public repository. */
  url: z.string().min(1).max(2000),
  /** The fingerprint that the owner compared: one of the garden's keys, or nothing of it is accepted. */
  pin: z.string().refine(isFingerprint),
  /** Where it wants to be told that this garden has announced something. */
  news: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional(),
  /** The fingerprint of its first key, and all its keys, oldest first: known once an announcement was accepted. */
  space: z.string().optional(),
  keys: z.array(peerKey).default([]),
  /** The sessions of it that are followed, by name; all if left out. */
  chosen: z.array(z.string().refine(isSlug)).min(1).max(1000).optional(),
});
export type GardenPeer = z.infer<typeof gardenPeer>;

/** The fingerprint of the key that may sign the announcement with this number. */
export const signerAt = (keys: readonly PeerKey[], seq: number): string | undefined => {
  const key = keys.findLast(({ from_seq }) => from_seq <= seq)?.key;
  return key === undefined ? undefined : printOfLine(key);
};

export const printOfLine = (line: string): string => fingerprint(publicKeyInLine(line));
