import { z } from "zod";
import { isSlug } from "../contract/slug.ts";
import { isOid } from "../git/git-names.ts";

const slug = z.string().refine(isSlug);
const commit = z.string().refine(isOid);

/** S-10: work that came from another garden: its session, as an accepted announcement named it. */
export const peerOrigin = z.strictObject({
  /** The name under which this garden followed the other one. */
  peer: slug,
  session: slug,
  /** The newest commit that was taken. */
  head: commit,
  /** The other garden itself: the fingerprint of its first key. */
  space: z.string().min(1).max(100),
  seq: z.int().min(1),
  announcement: commit,
});
export type PeerOrigin = z.infer<typeof peerOrigin>;

export interface PeerSessionName {
  readonly peer: string;
  readonly session: string;
}

/** A session of another garden is written `alice/scout`; undefined for any other text. */
export function peerSessionIn(written: string): PeerSessionName | undefined {
  const [peer, session, ...more] = written.split("/");
  return session !== undefined && more.length === 0 && isSlug(peer!) && isSlug(session)
    ? { peer: peer!, session }
    : undefined;
}

export const peerSessionText = ({ peer, session }: PeerSessionName): string => `${peer}/${session}`;

/** The name of a session of this garden, or of another one. */
export const isSessionRef = (written: string): boolean => isSlug(written) || peerSessionIn(written) !== undefined;

/** The origin in the field of a commit; undefined for anything else. */
export const originIn = (field: unknown): PeerOrigin | undefined => peerOrigin.safeParse(field).data;
