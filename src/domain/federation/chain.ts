import type { Announcement } from "./announcement.ts";
import { type PeerKey, signerAt } from "./garden-peer.ts";
import type { AnnouncementRefusal } from "./refusals.ts";
import { fingerprint, publicKeyLine, type SshPublicKey } from "./ssh-key.ts";

/** A chain of announcements up to one of them: the garden and its keys as the chain tells them. Before the first there is no garden. */
export interface ChainState {
  readonly space: string | undefined;
  readonly keys: readonly PeerKey[];
  readonly seq: number;
}

export const CHAIN_START: ChainState = { space: undefined, keys: [], seq: 0 };

/**
 * The chain after one more announcement, or the reason why it does not continue the chain. The first is signed by the key that the garden
 * is named after; a change of keys is signed by the old key. The keys may know of later changes: machines of a garden share them.
 */
export function continuedChain(
  chain: ChainState,
  announced: Announcement,
  signer: SshPublicKey | undefined,
): ChainState | { readonly why: AnnouncementRefusal; readonly subject?: string } {
  if (!signer) return { why: "not-signed" };
  const isFirst = chain.space === undefined;
  const space = chain.space ?? fingerprint(signer);
  const keys = isFirst ? [{ key: publicKeyLine(signer), from_seq: 1 }] : chain.keys;
  const { seq, next } = announced;
  if (announced.space !== space) return { why: "other-garden", subject: announced.space };
  if (seq <= chain.seq) return { why: "stale-number", subject: String(seq) };
  if (fingerprint(signer) !== signerAt(keys, seq)) return { why: "signed-by-a-stranger", subject: fingerprint(signer) };
  if (next === undefined || keys.some(({ key, from_seq }) => key === next && from_seq === seq + 1))
    return { space, seq, keys };
  // Another machine of this garden has accepted another change of keys: this one is by an old key that got into wrong hands.
  if (keys.some(({ from_seq }) => from_seq > seq)) return { why: "forked-announcement", subject: String(seq) };
  return { space, seq, keys: [...keys, { key: next, from_seq: seq + 1 }] };
}
