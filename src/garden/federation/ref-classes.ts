import { isFailure } from "../../base/failure.ts";
import { isSlug } from "../../domain/contract/slug.ts";
import type { GardenPeer } from "../../domain/federation/garden-peer.ts";
import { isOid, type Oid, type RefName } from "../../domain/git/git-names.ts";
import {
  LIBRARY_REF,
  peerRefs,
  SESSION_BRANCHES,
  SESSION_DOSSIERS,
  TRACE_REF,
  TRACE_TEXTS,
} from "../../domain/layout.ts";
import { COMMIT_KIND } from "../../domain/session/kinds.ts";
import { decodeTypedCommit, type TypedCommit } from "../../domain/session/typed-commit.ts";
import type { Commit } from "../../ports/repo.ts";
import { kindsAt } from "../sessions/kind-library.ts";
import { checkLibrary } from "./library/accept-library.ts";
import {
  type AcceptGround,
  type AnnouncedMove,
  checkCommitGrant,
  checkFiles,
  checkGrant,
  commitOr,
  Refusal,
} from "./refusal.ts";

/** S-10: a class of refs that one garden takes from another. All others are refused. */
export interface RefClass {
  readonly part: "branch" | "dossier" | "traces" | "library";
  /** The subject in the name of an announced ref; undefined for a ref of another class. */
  subjectOf(name: RefName): string | undefined;
  /** The ref that holds it here. With an empty subject: the ref itself, or the prefix of all of the class. */
  tracked(peer: string, subject: string): RefName;
  /** The subject is a session: only those that are followed are taken. */
  readonly bySession?: true;
  /** Throws the refusal of what this class does not take. Called for refs that move, after the checks that all classes share. */
  check(ground: AcceptGround, move: AnnouncedMove): Promise<void>;
}

const bySlug =
  (prefix: RefName) =>
  (name: RefName): string | undefined => {
    const subject = name.slice(prefix.length);
    return name.startsWith(prefix) && isSlug(subject) ? subject : undefined;
  };
const once =
  (ref: RefName) =>
  (name: RefName): string | undefined =>
    name === ref ? "" : undefined;

/** Every class of refs that may be announced. Acceptance, `verify` and the end of following read this table. */
export const refClasses: readonly RefClass[] = [
  {
    part: "branch",
    bySession: true,
    subjectOf: bySlug(SESSION_BRANCHES),
    tracked: (peer, session) => `${peerRefs(peer).branches}${session}`,
    check: checkBranch,
  },
  {
    part: "dossier", // It comes with its branch.
    bySession: true,
    subjectOf: bySlug(SESSION_DOSSIERS),
    tracked: (peer, session) => `${peerRefs(peer).dossiers}${session}`,
    check: async () => {},
  },
  {
    part: "traces",
    subjectOf: once(TRACE_REF),
    tracked: (peer) => peerRefs(peer).traces,
    check: checkTraces,
  },
  {
    part: "library",
    subjectOf: once(LIBRARY_REF),
    tracked: (peer) => peerRefs(peer).library,
    check: checkLibrary,
  },
];

/** The class and the subject of an announced ref; undefined for one that nobody may announce. */
export function announcedAs(name: RefName): { readonly refClass: RefClass; readonly subject: string } | undefined {
  for (const refClass of refClasses) {
    const subject = refClass.subjectOf(name);
    if (subject !== undefined) return { refClass, subject };
  }
  return undefined;
}

/** True unless the owner chose sessions of this garden and this is another one. */
export const isFollowed = (
  { chosen }: Pick<GardenPeer, "chosen">,
  { refClass, subject }: { readonly refClass: RefClass; readonly subject: string },
): boolean => refClass.bySession !== true || chosen === undefined || chosen.includes(subject);

/** The refs and prefixes of refs that hold what was accepted from a garden, without the chain of its announcements. */
export const trackedPlaces = (peer: string): readonly RefName[] => refClasses.map((each) => each.tracked(peer, ""));

/** The owner and the kinds of the new commits of a session. */
async function checkBranch(ground: AcceptGround, move: AnnouncedMove): Promise<void> {
  await checkFiles(ground, move.to);
  const own = await newCommits(ground, move);
  if (move.from === undefined && own.at(-1)!.typed?.fields["owner"] !== ground.space)
    throw new Refusal("not-owner", move.subject);
  // The library is announced together with the sessions that use its kinds, and lands in the same transaction.
  const theirs = await kindsAt(ground.visit, ground.announced.get(LIBRARY_REF));
  for (const kind of new Set(own.map(({ typed }) => typed?.kind ?? COMMIT_KIND)))
    await checkCommitGrant(ground, { kind, theirs, trigger: move.from === undefined ? "spawn" : "head-move" });
}

interface PeerCommit {
  readonly commit: Commit;
  readonly typed: TypedCommit | undefined;
}

/** The session's own commits since the last acceptance, newest first; at the first one down to its spawn commit. */
async function newCommits(
  { visit, limits }: AcceptGround,
  { subject, from, to }: AnnouncedMove,
): Promise<readonly PeerCommit[]> {
  const found: PeerCommit[] = [];
  let at: Oid | undefined = to;
  while (at !== undefined && at !== from) {
    const commit: Commit = await commitOr(visit, at, "malformed-head");
    const typed = decodeTypedCommit(commit.message);
    found.push({ commit, typed });
    if (from === undefined && typed?.kind === "spawn" && typed.fields["agent"] === subject) return found;
    if (found.length > limits.commits) throw new Refusal("too-large", subject);
    at = commit.parents[0];
  }
  // The first parents are the session's own line: a merge must not put another line in their place.
  if (from !== undefined && at !== from) throw new Refusal("rewound-head", subject);
  if (from === undefined) throw new Refusal("not-owner", subject); // it does not begin with its spawn commit
  return found;
}

/** A note says nothing about commits of this garden, or of sessions that others announce: only about its own. */
async function checkTraces(ground: AcceptGround, { from, to }: AnnouncedMove): Promise<void> {
  const { visit } = ground;
  await checkGrant(ground, "console-trace", "notes");
  await checkFiles(ground, to);
  const before = new Set(from === undefined ? [] : (await visit.list(from, "")).map(({ path }) => path));
  const fresh = (await visit.list(to, "")).filter(({ path }) => !before.has(path) && !path.startsWith(TRACE_TEXTS));
  const open = new Set(fresh.map(({ path }) => path.replaceAll("/", "")));
  for (const [name, head] of open.size === 0 ? [] : ground.announced) {
    const means = announcedAs(name);
    if (means?.refClass.part !== "branch" || !isFollowed(ground.peer, means)) continue;
    for (const { commit } of await newCommits(ground, { subject: means.subject, from: undefined, to: head }))
      open.delete(commit.oid);
  }
  for (const oid of open) if (await isKnownCommit(ground, oid)) throw new Refusal("foreign-trace", oid);
}

/** False for a commit that is not here, such as one of a session that is not followed, and for a file that is no note. */
const isKnownCommit = ({ visit }: AcceptGround, oid: Oid): Promise<boolean> =>
  isOid(oid)
    ? visit.commit(oid).then(
        () => true,
        (error: unknown) => {
          if (isFailure(error)) return false;
          throw error;
        },
      )
    : Promise.resolve(false);
