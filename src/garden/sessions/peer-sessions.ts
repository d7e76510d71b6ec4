import { Failure } from "../../base/failure.ts";
import { ANNOUNCED_REFS_FILE, readAnnouncement } from "../../domain/federation/announcement.ts";
import {
  originIn,
  type PeerOrigin,
  type PeerSessionName,
  peerSessionIn,
  peerSessionText,
} from "../../domain/federation/peer-origin.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { peerRefs } from "../../domain/layout.ts";
import { COMMIT_KIND } from "../../domain/session/kinds.ts";
import type { Repo } from "../../ports/repo.ts";
import { readPeerKinds } from "./kind-library.ts";
import { readCapabilities } from "./read-capabilities.ts";
import type { SessionGarden } from "./session-garden.ts";
import { logFrom, type SessionLog, sessionHead, sessionLog } from "./topology.ts";

/** S-10: a session of another garden as its accepted announcement has it. Throws NOT_FOUND. */
export async function peerSession(repo: Repo, { peer, session }: PeerSessionName): Promise<PeerOrigin> {
  const { branches, announce } = peerRefs(peer);
  const [head, announcement] = await Promise.all([repo.resolve(`${branches}${session}`), repo.resolve(announce)]);
  const told =
    announcement === undefined
      ? undefined
      : readAnnouncement(
          (await repo.commit(announcement)).message,
          (await repo.read(announcement, ANNOUNCED_REFS_FILE))?.bytes,
        );
  if (head === undefined || !told) throw noPeerSession(peer, session);
  return { peer, session, head, space: told.space, seq: told.seq, announcement: announcement! };
}

/** The newest commit of a session, of this garden or of another one (`alice/scout`). Throws NOT_FOUND. */
export async function anySessionHead(repo: Repo, written: string): Promise<Oid> {
  const peer = peerSessionIn(written);
  return peer ? (await peerSession(repo, peer)).head : sessionHead(repo, written);
}

/** The own commits of a session, of this garden or of another one (`alice/scout`). Throws NOT_FOUND. */
export async function anySessionLog(repo: Repo, written: string): Promise<SessionLog> {
  const peer = peerSessionIn(written);
  return peer ? logFrom(repo, peer.session, (await peerSession(repo, peer)).head) : sessionLog(repo, written);
}

/** The work of other gardens in a session of this one: it began there, or merged it. */
export async function peerOriginsIn(repo: Repo, session: string, head: Oid): Promise<readonly PeerOrigin[]> {
  const { commits } = await logFrom(repo, session, head);
  const found = commits.flatMap(({ typed }) =>
    typed?.fields["agent"] === session ? (originIn(typed.fields["origin"]) ?? []) : [],
  );
  return [...new Map(found.map((origin) => [`${peerSessionText(origin)} ${origin.head}`, origin])).values()];
}

/**
 * S-10: work of another garden becomes part of this one's only with a grant for `merge`, for every kind of its commits. Throws FORBIDDEN.
 * The owner of the grants can take them back until the merge is decided.
 */
export async function expectMergeGrants(
  { repo, world }: Pick<SessionGarden, "repo" | "world">,
  origins: readonly PeerOrigin[],
): Promise<void> {
  for (const { peer, session, head } of origins) {
    const { commits } = await logFrom(repo, session, head);
    const [set, theirs] = [await readCapabilities(repo), await readPeerKinds(repo, peer)];
    for (const kind of new Set(commits.map(({ typed }) => typed?.kind ?? COMMIT_KIND)))
      if (!set.allowsCommit({ peer, kind, theirs, trigger: "merge", now: world.now() }))
        throw mergeNotGranted(peer, set.grantable(kind, theirs));
  }
}

const noPeerSession = (peer: string, session: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `no session ${session} of a garden ${peer} was accepted here`,
    uk: `сесії ${session} саду ${peer} тут не приймали`,
    hint: {
      en: "`bloom peer list` names the sessions of other gardens; `bloom peer accept` looks for new ones.",
      uk: "Сесії інших садів називає `bloom peer list`; нові шукає `bloom peer accept`.",
    },
    details: { peer, session },
  });

const mergeNotGranted = (peer: string, kind: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `no grant lets commits of the kind ${kind} by the garden ${peer} be merged here`,
    uk: `жоден дозвіл не дає зливати сюди коміти виду ${kind} із саду ${peer}`,
    hint: {
      en: `\`bloom peer grant ${peer} ${kind} merge\` allows it; \`${COMMIT_KIND}\` in place of it allows every kind that is registered here.`,
      uk: `Це дозволить \`bloom peer grant ${peer} ${kind} merge\`; \`${COMMIT_KIND}\` замість нього дозволить усі види, зареєстровані тут.`,
    },
    details: { peer, kind, trigger: "merge" },
  });
