import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { byHand, scratch } from "../../../adapters/repo/git/testing/scratch.ts";
import { afterEachFile } from "../../../base/testing/clean-up.ts";
import { fixedWorld } from "../../../base/testing/fixed-world.ts";
import {
  ANNOUNCED_REFS_FILE,
  type Announcement,
  announcedLines,
  announcementText,
} from "../../../domain/federation/announcement.ts";
import type { CapabilityTrigger } from "../../../domain/federation/capability.ts";
import { fingerprint, keyPairOf, type SshKeyPair } from "../../../domain/federation/ssh-key.ts";
import { sshSignature } from "../../../domain/federation/ssh-signature.ts";
import type { Oid, RefName } from "../../../domain/git/git-names.ts";
import { ANNOUNCE_REF } from "../../../domain/layout.ts";
import type { CommitDraft } from "../../../ports/repo.ts";
import { gatewaySignature } from "../../sessions/session-garden.ts";
import { spawnSession } from "../../sessions/spawn-session.ts";
import { newSpace, reopened, type SessionSpace } from "../../sessions/testing/space.ts";
import { type Accepted, acceptAnnouncement } from "../accept.ts";
import { announceSessions } from "../announce.ts";
import { grantCapability } from "../capabilities.ts";
import { addPeer, changePeer } from "../peer-book.ts";

export const aliceKey = keyPairOf(Buffer.alloc(32, 1));
export const strangerKey = keyPairOf(Buffer.alloc(32, 2));
export const owner = fingerprint(aliceKey.publicKey);

/** Alice publishes into a bare repository; Bob follows her there. */
export interface TwoGardens {
  readonly alice: SessionSpace;
  readonly bob: SessionSpace;
  /** The folder of the bare repository between them. */
  readonly mailbox: string;
}

export async function twoGardens(url?: (mailbox: string) => string): Promise<TwoGardens> {
  const alice = await newSpace({ bare: true });
  const bob = await newSpace({ bare: true, world: fixedWorld("2026-02-14T09:00:00Z", 1000) });
  const mailbox = scratch();
  byHand(mailbox, "init", "-q", "--bare", "-b", "main");
  await addPeer(bob, {
    name: "alice",
    url: url?.(mailbox) ?? mailbox,
    pin: owner,
    keys: [],
  });
  return { alice, bob, mailbox };
}

/** The same two gardens once more, in other folders. */
export async function copied({ alice, bob, mailbox }: TwoGardens): Promise<TwoGardens> {
  const copy = (dir: string): string => {
    const to = scratch();
    cpSync(dir, to, { recursive: true });
    return to;
  };
  const [a, b] = [await reopened(copy(alice.dir)), await reopened(copy(bob.dir), { world: bob.world })];
  const between = copy(mailbox);
  await changePeer(b, "alice", (peer) => ({ ...peer, url: between }));
  return { alice: a, bob: b, mailbox: between };
}

/** A session whose spawn commit names its owner. */
export async function ownedSession(space: SessionSpace, name: string, by: string = owner): Promise<Oid> {
  const spawned = await spawnSession(space, { name, briefing: { goal: `Goal of ${name}` }, fields: { owner: by } });
  if (spawned.kind !== "spawned") throw new Error(spawned.kind);
  return spawned.commit;
}

/** Sends refs as they are, as any git would. */
export const sent = ({ alice, mailbox }: TwoGardens, ...refspecs: string[]): void => {
  alice.git("push", "-q", "--force", mailbox, ...refspecs);
};

export const EVERYTHING = ["+refs/heads/agents/*:refs/heads/agents/*", "+refs/agentic/*:refs/agentic/*"];

/** The sessions are announced and sent. */
export async function published(gardens: TwoGardens, sessions: readonly string[], key = aliceKey): Promise<number> {
  const { seq } = await announceSessions(gardens.alice, key, sessions);
  sent(gardens, ...EVERYTHING);
  return seq;
}

export const granted = async (
  { bob }: Pick<TwoGardens, "bob">,
  agenticType: string = "agent-commit",
  triggers: readonly CapabilityTrigger[] = ["spawn", "head-move"],
  notAfter?: string,
): Promise<void> => {
  for (const trigger of triggers)
    await grantCapability(bob, { peer: "alice", agenticType, trigger, ...(notAfter !== undefined && { notAfter }) });
};

export const accepted = ({ bob }: TwoGardens): Promise<Accepted> => acceptAnnouncement(bob, "alice");

/** All refs of Bob that came from Alice. */
export const tracking = ({ bob }: TwoGardens): string[] =>
  bob
    .git("for-each-ref", "--format=%(refname)", "refs/remotes", "refs/agentic/peers", "refs/notes", "refs/heads")
    .split("\n")
    .filter(Boolean);

/** Refused for this reason, and Bob has neither refs nor objects more than before. */
export async function expectRefused({ bob }: Pick<TwoGardens, "bob">, why: string): Promise<void> {
  const before = stateOf(bob.dir);
  const outcome = await acceptAnnouncement(bob, "alice");
  expect([outcome.kind, outcome.kind === "refused" && outcome.why]).toEqual(["refused", why]);
  expect(stateOf(bob.dir)).toEqual(before);
}

/** Every object and ref of a repository, and what visits left in it: without a process, which would take longer than the visit. */
const stateOf = (dir: string): string[] =>
  ["objects", "refs", "bloom-aside"]
    .filter((folder) => existsSync(join(dir, folder)))
    .flatMap((folder) => readdirSync(join(dir, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .concat(join(dir, "packed-refs"))
    .map((path) => `${path} ${path.includes("/objects/") || !existsSync(path) ? "" : readFileSync(path, "utf8")}`)
    .toSorted();

/** An announcement that Alice's program would not make, sent as her newest. */
export async function forged(
  gardens: TwoGardens,
  wish: Partial<Announcement> & {
    readonly parents?: readonly Oid[];
    readonly sign?: CommitDraft["sign"] | "nobody";
    readonly key?: SshKeyPair;
    readonly lines?: string;
    readonly more?: readonly [RefName, Oid][];
  },
): Promise<Oid> {
  const { alice } = gardens;
  const { space = owner, seq = 1, refs = new Map<RefName, Oid>(), parents = [], key = aliceKey } = wish;
  const by = gatewaySignature(alice.world.now());
  const signed = (content: Uint8Array): string => sshSignature(content, key);
  const sign = wish.sign === "nobody" ? undefined : (wish.sign ?? signed);
  const to = await alice.repo.build({
    parents,
    tree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    edits: [{ path: ANNOUNCED_REFS_FILE, bytes: Buffer.from(wish.lines ?? announcedLines(refs)) }],
    author: by,
    committer: by,
    ...announcementText({ space, seq, refs }),
    ...(sign && { sign }),
  });
  alice.git("update-ref", ANNOUNCE_REF, to);
  sent(gardens, `+${ANNOUNCE_REF}:${ANNOUNCE_REF}`);
  return to;
}

/** Alice has announced `scout`, Bob allows everything and has accepted. A copy: making it takes twenty processes of git. */
export async function following(): Promise<TwoGardens & { readonly head: Oid }> {
  template ??= (async () => {
    const gardens = await twoGardens();
    const head = await ownedSession(gardens.alice, "scout");
    await granted(gardens);
    await published(gardens, ["scout"]);
    expect(await accepted(gardens)).toMatchObject({ kind: "accepted", seq: 1 });
    return { ...gardens, head };
  })();
  const { head, ...gardens } = await template;
  return { ...(await copied(gardens)), head };
}
let template: Promise<TwoGardens & { readonly head: Oid }> | undefined;
afterEachFile(() => {
  template = undefined; // its folders are removed
});
