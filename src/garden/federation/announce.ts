import { crashPoint } from "../../base/crash-point.ts";
import { ANNOUNCED_REFS_FILE, announcedLines, announcementText } from "../../domain/federation/announcement.ts";
import { fingerprint, type SshKeyPair } from "../../domain/federation/ssh-key.ts";
import { sshSignature } from "../../domain/federation/ssh-signature.ts";
import type { Oid, RefName } from "../../domain/git/git-names.ts";
import { ANNOUNCE_REF, sessionBranch, sessionDossier } from "../../domain/layout.ts";
import type { Repo } from "../../ports/repo.ts";
import { landRefs, untilLanded } from "../sessions/land-refs.ts";
import { lastAnnouncement } from "../sessions/own-announcement.ts";
import { gatewaySignature, type SessionGarden } from "../sessions/session-garden.ts";
import { sessionHead } from "../sessions/topology.ts";

/** The refs of these sessions as they are now. Throws NOT_FOUND for one that does not exist. */
export async function announcedRefs(repo: Repo, sessions: readonly string[]): Promise<Map<RefName, Oid>> {
  const refs = new Map<RefName, Oid>();
  for (const session of sessions) {
    refs.set(sessionBranch(session), await sessionHead(repo, session));
    const dossier = await repo.resolve(sessionDossier(session));
    if (dossier !== undefined) refs.set(sessionDossier(session), dossier);
  }
  return refs;
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
    const refs = await announcedRefs(repo, sessions);
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
