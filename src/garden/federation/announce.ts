import { crashPoint } from "../../base/crash-point.ts";
import {
  ANNOUNCED_REFS_FILE,
  type Announcement,
  announcedLines,
  announcementText,
  readAnnouncement,
} from "../../domain/federation/announcement.ts";
import { fingerprint, type SshKeyPair } from "../../domain/federation/ssh-key.ts";
import { sshSignature } from "../../domain/federation/ssh-signature.ts";
import type { Oid, RefName } from "../../domain/git/git-names.ts";
import { ANNOUNCE_REF, sessionBranch, sessionDossier } from "../../domain/layout.ts";
import type { Repo } from "../../ports/repo.ts";
import { landRefs, untilLanded } from "../sessions/land-refs.ts";
import { gatewaySignature, type SessionGarden } from "../sessions/session-garden.ts";
import { sessionHead } from "../sessions/topology.ts";

/** The announcement that this garden made last; undefined before the first. */
export async function lastAnnouncement(repo: Repo): Promise<(Announcement & { readonly at: Oid }) | undefined> {
  const at = await repo.resolve(ANNOUNCE_REF);
  if (at === undefined) return undefined;
  const file = await repo.read(at, ANNOUNCED_REFS_FILE);
  const announcement = readAnnouncement((await repo.commit(at)).message, file?.bytes);
  return announcement && { ...announcement, at };
}

/**
 * S-10: the next announcement, signed: the branches of these sessions as they are now, and nothing else. Without a difference from the
 * last one there is no new one.
 */
export async function announceSessions(
  garden: SessionGarden,
  key: SshKeyPair,
  sessions: readonly string[],
  /** The line of the key that signs from the next announcement on. */
  nextKey?: string,
): Promise<{ readonly seq: number; readonly commit: Oid }> {
  const { repo, world } = garden;
  return untilLanded(garden, [ANNOUNCE_REF], async () => {
    const refs = new Map<RefName, Oid>();
    for (const session of sessions) {
      refs.set(sessionBranch(session), await sessionHead(repo, session));
      const dossier = await repo.resolve(sessionDossier(session));
      if (dossier !== undefined) refs.set(sessionDossier(session), dossier);
    }
    const last = await lastAnnouncement(repo);
    if (last && nextKey === undefined && announcedLines(last.refs) === announcedLines(refs))
      return { seq: last.seq, commit: last.at };
    const next = { space: last?.space ?? fingerprint(key.publicKey), seq: (last?.seq ?? 0) + 1, refs, next: nextKey };
    const by = gatewaySignature(world.now());
    const to = await repo.build(
      {
        parents: last ? [last.at] : [],
        edits: [{ path: ANNOUNCED_REFS_FILE, bytes: Buffer.from(announcedLines(refs)) }],
        author: by,
        committer: by,
        ...announcementText(next),
        sign: (content) => sshSignature(content, key),
      },
      { durable: "with-move" },
    );
    crashPoint("federation.announce.built");
    const landed = await landRefs(garden, [{ ref: ANNOUNCE_REF, from: last?.at, to, reason: "bloom announce" }]);
    return landed.kind === "landed" ? { seq: next.seq, commit: to } : undefined;
  });
}
