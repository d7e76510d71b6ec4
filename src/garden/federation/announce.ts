import { crashPoint } from "../../base/crash-point.ts";
import { ANNOUNCED_REFS_FILE, announcedLines, announcementText } from "../../domain/federation/announcement.ts";
import { fingerprint, type SshKeyPair } from "../../domain/federation/ssh-key.ts";
import { sshSignature } from "../../domain/federation/ssh-signature.ts";
import type { Oid, RefName } from "../../domain/git/git-names.ts";
import { ANNOUNCE_REF, sessionBranch, sessionDossier } from "../../domain/layout.ts";
import type { RefMove, Repo } from "../../ports/repo.ts";
import { landRefs, untilLanded } from "../sessions/land-refs.ts";
import { lastAnnouncement } from "../sessions/own-announcement.ts";
import { gatewaySignature, type SessionGarden } from "../sessions/session-garden.ts";
import { sessionHead } from "../sessions/topology.ts";
import { announcedAs } from "./ref-classes.ts";

export interface NewAnnouncement {
  readonly seq: number;
  readonly commit: Oid;
  readonly refs: ReadonlyMap<RefName, Oid>;
}

/**
 * The refs of these sessions as they are now; as announced, for a session that another machine of the garden has, or has more of. Throws
 * NOT_FOUND for one that exists nowhere.
 */
export async function announcedRefs(
  repo: Repo,
  sessions: readonly string[],
  announced: ReadonlyMap<RefName, Oid> = new Map(),
): Promise<Map<RefName, Oid>> {
  const refs = new Map<RefName, Oid>();
  for (const session of sessions) {
    const known = announced.get(sessionBranch(session));
    if (known !== undefined && (await isElsewhere(repo, session, known))) {
      const [branch, dossier] = [sessionBranch(session), sessionDossier(session)];
      refs.set(branch, known);
      if (announced.has(dossier)) refs.set(dossier, announced.get(dossier)!);
      continue;
    }
    refs.set(sessionBranch(session), await sessionHead(repo, session));
    const dossier = await repo.resolve(sessionDossier(session));
    if (dossier !== undefined) refs.set(sessionDossier(session), dossier);
  }
  return refs;
}

/** True if this machine does not have the session, or only an older state of it. */
export async function isElsewhere(repo: Repo, session: string, announced: Oid): Promise<boolean> {
  const head = await repo.resolve(sessionBranch(session));
  return head === undefined || (head !== announced && (await repo.isAncestor(head, announced)));
}

/** Refs beside sessions that an announcement changes; undefined: it no longer names this one. All others stay as announced before. */
export interface OtherRefs {
  readonly refs: ReadonlyMap<RefName, Oid | undefined>;
  /** Land together with the announcement. */
  readonly moves: readonly RefMove[];
}

/** The announced refs that are not of sessions: each has its own way of being published. */
export const besideSessions = (refs: ReadonlyMap<RefName, Oid> | undefined): [RefName, Oid][] =>
  [...(refs ?? [])].filter(([name]) => {
    const part = announcedAs(name)?.refClass.part;
    return part !== "branch" && part !== "dossier";
  });

/**
 * S-10: the next announcement, signed: the branches of these sessions as they are now, and the other refs that were announced before.
 * Without a difference from the last one there is no new one.
 */
export async function announceSessions(
  garden: SessionGarden,
  key: SshKeyPair,
  sessions: readonly string[],
  /** The line of the key that signs from the next announcement on. */
  nextKey?: string,
  other?: () => Promise<OtherRefs>,
): Promise<NewAnnouncement> {
  const { repo, world } = garden;
  return untilLanded(garden, [ANNOUNCE_REF], async () => {
    const last = await lastAnnouncement(repo);
    const { refs: changed, moves } = (await other?.()) ?? { refs: new Map<RefName, Oid | undefined>(), moves: [] };
    const refs = await announcedRefs(repo, sessions, last?.refs);
    for (const [name, oid] of [...besideSessions(last?.refs), ...changed])
      if (oid === undefined) refs.delete(name);
      else refs.set(name, oid);
    if (last && nextKey === undefined && announcedLines(last.refs) === announcedLines(refs))
      return { seq: last.seq, commit: last.at, refs };
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
    const announced = { ref: ANNOUNCE_REF, from: last?.at, to, reason: "bloom announce" };
    const landed = await landRefs(garden, [...moves, announced]);
    return landed.kind === "landed" ? { seq: next.seq, commit: to, refs } : undefined;
  });
}
