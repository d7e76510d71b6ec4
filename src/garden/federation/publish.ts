import { canonicalId } from "../../base/canonical.ts";
import { crashPoint } from "../../base/crash-point.ts";
import type { Text } from "../../base/text.ts";
import { announcedLines } from "../../domain/federation/announcement.ts";
import { fingerprint, publicKeyLine } from "../../domain/federation/ssh-key.ts";
import { voiceWords } from "../../domain/federation/voice-words.ts";
import type { Oid, RefName } from "../../domain/git/git-names.ts";
import { ANNOUNCE_REF, LIBRARY_REF, sessionBranch, TRACE_REF } from "../../domain/layout.ts";
import type { Remote } from "../../ports/repo.ts";
import { recordAudit } from "../core/audit.ts";
import type { Garden } from "../core/garden.ts";
import { lastAnnouncement } from "../sessions/own-announcement.ts";
import { sessionLog } from "../sessions/topology.ts";
import { announcedRefs, announceSessions, besideSessions, isElsewhere, type NewAnnouncement } from "./announce.ts";
import { catchUp } from "./catch-up.ts";
import { announcedElsewhere, noGardenKey, notOwnSession, otherThanShown, publishRejected } from "./failures.ts";
import { gardenKey, knownGardenKey } from "./garden-key.ts";
import { announcedKinds } from "./peer-kinds.ts";
import { fillPublicSpace, releaseAnnouncement } from "./public-space.ts";
import { settleKey } from "./rotate-key.ts";
import { queueNews } from "./send-news.ts";
import { announcedTraces, type SharedTrace, sharedNotes, sharedTrace } from "./shared-traces.ts";

export interface GardenIdentity {
  /** The garden for others: the fingerprint of its first key. */
  readonly space: string;
  /** The key of this machine, as a line of OpenSSH, and its fingerprint. */
  readonly key: string;
  readonly fingerprint: string;
  /** The beginning of the fingerprint, to compare by voice. */
  readonly words: Text;
  /** The number of announcements so far. */
  readonly seq: number;
  readonly sessions: readonly string[];
}

/** S-10: the identity of this garden; undefined before it has one. */
export async function gardenIdentity(
  garden: Pick<Garden, "repo" | "folder" | "world">,
): Promise<GardenIdentity | undefined> {
  const [key, last] = [await knownGardenKey(garden), await lastAnnouncement(garden.repo)];
  if (!key || !last) return undefined;
  return {
    space: last.space,
    key: publicKeyLine(key.publicKey),
    fingerprint: fingerprint(key.publicKey),
    words: voiceWords(fingerprint(key.publicKey)),
    seq: last.seq,
    sessions: sessionsIn(last.refs),
  };
}

const BRANCHES = sessionBranch("");
const sessionsIn = (refs: ReadonlyMap<RefName, Oid>): string[] =>
  [...refs.keys()].filter((ref) => ref.startsWith(BRANCHES)).map((ref) => ref.slice(BRANCHES.length));

/** Makes the key and the first announcement, of nothing: sessions that begin from now on name this garden as their owner. */
export async function makeIdentity(garden: Garden): Promise<GardenIdentity> {
  const there = await gardenIdentity(garden);
  if (there) return there;
  await announceSessions(garden, await gardenKey(garden), []);
  return (await gardenIdentity(garden))!;
}

export interface PublishWish {
  /** Sessions to publish beside those that are. */
  readonly sessions: readonly string[];
  readonly withdraw?: readonly string[];
  /** True: with the traces of all published sessions; false: no longer. Left out: as it was. */
  readonly traces?: boolean | undefined;
}

/** A remote of garden.yaml, or the space that the gateway serves itself. */
export type PublishPlace = Remote | "public-space";

export interface PublishPreview {
  /** All sessions that others would see, with their newest commits. */
  readonly sessions: readonly { readonly name: string; readonly head: Oid; readonly files: number }[];
  /** The commits that nobody could fetch before, newest first: whole, with all their files. */
  readonly commits: readonly { readonly commit: Oid; readonly subject: string; readonly by: string }[];
  /** The traces that others would see, without secrets; empty unless they were chosen. */
  readonly traces: readonly SharedTrace[];
  /** Names exactly this: `publishSessions` refuses anything else. */
  readonly digest: string;
}

/** Everything that would leave this garden. Writes nothing. */
export const previewPublish = async (garden: Garden, wish: PublishWish): Promise<PublishPreview> =>
  (await publication(garden, wish)).preview;

/** The preview, and the refs of sessions that it is about. */
async function publication(
  garden: Garden,
  wish: PublishWish,
): Promise<{ readonly preview: PublishPreview; readonly shown: ReadonlyMap<RefName, Oid> }> {
  const { repo } = garden;
  const last = await lastAnnouncement(repo);
  if (!last) throw noGardenKey();
  const names = namesAfter(sessionsIn(last.refs), wish);
  for (const name of names) {
    const announced = last.refs.get(sessionBranch(name));
    if (announced === undefined || !(await isElsewhere(repo, name, announced)))
      await ownSession(garden, name, last.space);
  }
  const refs = await announcedRefs(repo, names, last.refs);
  for (const [ref, oid] of await announcedKinds(repo, names, refs, last.refs)) refs.set(ref, oid);
  const notes = (wish.traces ?? last.refs.has(TRACE_REF)) ? await sharedNotes(garden, names) : undefined;
  const before = new Set(await reached(garden, [...last.refs.values()]));
  const commits = (await reached(garden, [...refs.values()])).filter((oid) => !before.has(oid));
  const preview = {
    sessions: await Promise.all(
      names.map(async (name) => {
        const head = refs.get(sessionBranch(name))!;
        return { name, head, files: (await repo.list(head, "")).length };
      }),
    ),
    commits: await Promise.all(
      commits.map(async (oid) => {
        const { message, author } = await repo.commit(oid);
        return { commit: oid, subject: message.split("\n")[0]!, by: author.name };
      }),
    ),
    traces: (notes ?? []).map(sharedTrace),
    digest: canonicalId({
      lines: announcedLines(new Map([...besideSessions(last.refs), ...refs])),
      traces: notes ? notes.map(({ commit, id }) => [commit, id]) : null,
    }),
  };
  return { preview, shown: refs };
}

const namesAfter = (now: readonly string[], { sessions, withdraw = [] }: PublishWish): string[] =>
  [...new Set([...now, ...sessions])].filter((name) => !withdraw.includes(name)).toSorted();

const reached = async ({ repo }: Garden, oids: readonly Oid[]): Promise<readonly Oid[]> =>
  oids.length === 0 ? [] : repo.reachable(oids);

/** Others accept a session only from the garden that its spawn commit names. */
async function ownSession({ repo }: Garden, name: string, space: string): Promise<void> {
  const { genesis } = await sessionLog(repo, name);
  if (genesis?.typed?.fields["owner"] !== space) throw notOwnSession(name);
}

/**
 * Announces what the preview showed, and pushes the branches, the dossiers and the chain of announcements to the public repository,
 * all or nothing. Nothing else leaves: no main, no notes, and no traces unless they were chosen; but a branch
 * that descends from main brings its history.
 */
export async function publishSessions(
  garden: Garden,
  wish: PublishWish & { readonly to: PublishPlace; readonly digest: string; readonly by: string },
): Promise<{ readonly seq: number; readonly commit: Oid }> {
  const { world } = garden;
  if (wish.to !== "public-space" && (await catchUp(garden, wish.to))) throw announcedElsewhere(wish.to.name);
  const { preview, shown } = await publication(garden, wish);
  if (preview.digest !== wish.digest) throw otherThanShown();
  const key = await settleKey(garden);
  if (!key) throw noGardenKey();
  const names = preview.sessions.map(({ name }) => name);
  const { refs, ...announced } = await announceSessions(garden, key, names, undefined, async () => {
    const traces = await announcedTraces(garden, names, wish.traces);
    const library = [...shown].filter(([ref]) => ref === LIBRARY_REF);
    return { ...traces, refs: new Map([...traces.refs, ...library]) };
  });
  crashPoint("federation.publish.announced");
  // A branch that moved since the preview is in the announcement, and nothing of it has left yet.
  if ([...shown].some(([name, oid]) => refs.get(name) !== oid)) throw otherThanShown();
  await sendAnnounced(garden, wish.to, { refs, ...announced });
  await recordAudit(garden, `published-${announced.commit}`, {
    kind: "published",
    at: new Date(world.now()).toISOString(),
    by: wish.by,
    subject: announced.commit,
    details: { seq: announced.seq, sessions: names, traces: preview.traces.length },
  });
  return announced;
}

/**
 * Sends everything that an announcement names, and the chain, all or nothing: to a remote, or into the space that the gateway serves.
 * Then those who asked for it are told that there is news.
 */
export async function sendAnnounced(
  garden: Garden,
  to: PublishPlace,
  { refs, seq, commit }: NewAnnouncement,
): Promise<void> {
  if (to !== "public-space") {
    const entries = [...refs].map(([name, oid]) => ({ name, oid }));
    const pushed = await garden.repo.push(to, [...entries, { name: ANNOUNCE_REF, oid: commit }]);
    // Nobody has seen an announcement that the remote refused: it gives way to that of another machine.
    if (pushed.kind === "rejected")
      throw (await catchUp(garden, to)) ? announcedElsewhere(to.name) : publishRejected(to.name, pushed.refs);
  }
  await releaseAnnouncement(garden, { seq, commit });
  if (to === "public-space") await fillPublicSpace(garden);
  await queueNews(garden);
}
