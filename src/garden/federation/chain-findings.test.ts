import { describe, expect, test } from "vitest";
import { keyPairOf, publicKeyLine } from "../../domain/federation/ssh-key.ts";
import { ANNOUNCE_REF, CAPABILITIES_REF, PEER_BOOK_REF } from "../../domain/layout.ts";
import { encodeSystemCommit } from "../../domain/session/typed-commit.ts";
import type { Repo } from "../../ports/repo.ts";
import type { CheckFinding } from "../insight/verify/check.ts";
import { gatewaySignature } from "../sessions/session-garden.ts";
import { committed } from "../sessions/testing/branch-checks.ts";
import { announceSessions } from "./announce.ts";
import { grantFindings, ownChainFindings, trackingFindings } from "./chain-findings.ts";
import { changePeer, readPeer } from "./peer-book.ts";
import {
  accepted,
  aliceKey,
  copied,
  expectRefused,
  forged,
  granted,
  ownedSession,
  published,
  sent,
  strangerKey,
  type TwoGardens,
  tracking,
  twoGardens,
} from "./testing/two-gardens.ts";

/** Alice has announced `scout` twice; Bob has accepted both. */
async function following(): Promise<TwoGardens> {
  template ??= (async () => {
    const gardens = await twoGardens();
    await ownedSession(gardens.alice, "scout");
    await granted(gardens);
    await published(gardens, ["scout"]);
    await committed(gardens.alice, "scout", { "a.md": "one" });
    await published(gardens, ["scout"]);
    await accepted(gardens);
    return gardens;
  })();
  return copied(await template);
}
let template: Promise<TwoGardens> | undefined;

const told = async (found: AsyncIterable<CheckFinding>): Promise<string[]> => {
  const places: string[] = [];
  for await (const { where, what } of found) places.push(`${where}: ${what.en}`);
  return places;
};
const all = async (repo: Repo): Promise<string[]> => [
  ...(await told(ownChainFindings(repo))),
  ...(await told(grantFindings(repo))),
  ...(await told(trackingFindings(repo))),
];
const TRACKED = "refs/remotes/alice/agents/scout";
const ACCEPTED = "refs/agentic/peers/alice/announce";

/** A file that is nothing, beside those of a ref. */
async function plant({ bob: { repo, world, git } }: TwoGardens, ref: string): Promise<void> {
  const by = gatewaySignature(world.now());
  const to = await repo.build({
    parents: [(await repo.resolve(ref))!],
    edits: [{ path: "extra.json", bytes: Buffer.from("{}") }],
    author: by,
    committer: by,
    ...encodeSystemCommit("peers", "by hand"),
  });
  git("update-ref", ref, to);
}

describe("S-10 verify knows other gardens", () => {
  test("two sound gardens have no finding", async () => {
    const { alice, bob } = await following();
    expect([await all(alice.repo), await all(bob.repo)]).toEqual([[], []]);
  });

  const damages: readonly [string, string, string, (gardens: TwoGardens) => unknown][] = [
    [
      "a tracking ref that nobody announced",
      "refs/remotes/alice/agents/ghost",
      "does not name this commit",
      ({ bob }) => bob.git("update-ref", "refs/remotes/alice/agents/ghost", TRACKED),
    ],
    [
      "a tracking ref that was moved by hand",
      TRACKED,
      "does not name this commit",
      ({ bob }) => bob.git("update-ref", TRACKED, `${TRACKED}~1`),
    ],
    [
      "a tracking ref that was deleted by hand",
      TRACKED,
      "is not here",
      ({ bob }) => bob.git("update-ref", "-d", TRACKED),
    ],
    [
      "refs of a garden that is not followed",
      "refs/agentic/peers/carol/announce",
      "no garden named carol",
      ({ bob }) => bob.git("update-ref", "refs/agentic/peers/carol/announce", ACCEPTED),
    ],
    [
      "an accepted chain under other known keys",
      ACCEPTED,
      "not those known of alice",
      ({ bob }) =>
        changePeer(bob, "alice", (peer) => ({ ...peer, keys: peer.keys.map((key) => ({ ...key, from_seq: 2 })) })),
    ],
    [
      "an accepted announcement that is no announcement",
      ACCEPTED,
      "not a list of refs",
      ({ bob }) => bob.git("update-ref", ACCEPTED, TRACKED),
    ],
    [
      "a file that is no grant",
      `${CAPABILITIES_REF}:extra.json`,
      "allows nothing",
      (gardens) => plant(gardens, CAPABILITIES_REF),
    ],
    [
      "a file that is no followed garden",
      `${PEER_BOOK_REF}:extra.json`,
      "names no garden",
      (gardens) => plant(gardens, PEER_BOOK_REF),
    ],
  ];
  test.each(damages)("%s is found once", async (_, where, what, damage) => {
    const gardens = await following();
    await damage(gardens);
    await gardens.bob.repo.refresh();
    expect(await all(gardens.bob.repo)).toEqual([expect.stringMatching(new RegExp(`^${where}: .*${what}`))]);
  });

  const forgeries: readonly [string, string, Parameters<typeof forged>[1]][] = [
    ["without a signature", "no valid signature", { seq: 3, sign: "nobody" }],
    ["by another key", "not this garden's", { seq: 3, key: strangerKey }],
    ["with an old number", "does not grow", { seq: 2 }],
    ["of another garden", "another garden", { seq: 3, space: `SHA256:${"A".repeat(43)}` }],
  ];
  test.each(forgeries)("an own announcement %s breaks the chain", async (_, what, wish) => {
    const gardens = await following();
    const parent = gardens.alice.git("rev-parse", ANNOUNCE_REF).trim();
    await forged(gardens, { ...wish, parents: [parent] });
    await gardens.alice.repo.refresh();
    expect(await all(gardens.alice.repo)).toEqual([
      expect.stringMatching(new RegExp(`^${ANNOUNCE_REF}: the chain .*${what}`)),
    ]);
  });

  test("a second machine that shares the known keys accepts the whole chain, and no other change of keys", async () => {
    const gardens = await following();
    const newKey = keyPairOf(Buffer.alloc(32, 3));
    await announceSessions(gardens.alice, aliceKey, ["scout"], publicKeyLine(newKey.publicKey));
    const before = gardens.alice.git("rev-parse", `${ANNOUNCE_REF}~1`).trim();
    await published(gardens, [], newKey);
    expect(await accepted(gardens)).toMatchObject({ kind: "accepted", seq: 4 });
    for (const ref of tracking(gardens)) gardens.bob.git("update-ref", "-d", ref);
    await gardens.bob.repo.refresh();
    expect([await accepted(gardens), await all(gardens.bob.repo)]).toMatchObject([{ kind: "accepted", seq: 4 }, []]);
    const { keys } = await readPeer(gardens.bob.repo, "alice");
    expect(keys.map(({ from_seq }) => from_seq)).toEqual([1, 4]);

    for (const ref of tracking(gardens)) gardens.bob.git("update-ref", "-d", ref);
    await gardens.bob.repo.refresh();
    gardens.alice.git("update-ref", ANNOUNCE_REF, before);
    await gardens.alice.repo.refresh();
    await announceSessions(gardens.alice, aliceKey, ["scout"], publicKeyLine(strangerKey.publicKey));
    sent(gardens, `+${ANNOUNCE_REF}:${ANNOUNCE_REF}`);
    await expectRefused(gardens, "forked-announcement");
  });
});
