import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scratch } from "../../adapters/repo/git/testing/scratch.ts";
import { smartHttp } from "../../adapters/repo/git/testing/smart-http.ts";
import { fingerprint, keyPairOf, publicKeyLine } from "../../domain/federation/ssh-key.ts";
import { signerOf, sshSignature } from "../../domain/federation/ssh-signature.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { ANNOUNCE_REF, sessionBranch } from "../../domain/layout.ts";
import { readCapabilities } from "../sessions/read-capabilities.ts";
import { committed } from "../sessions/testing/branch-checks.ts";
import { acceptAnnouncement, acceptLimits } from "./accept.ts";
import { announceSessions } from "./announce.ts";
import { revokeCapability } from "./capabilities.ts";
import { changePeer } from "./peer-book.ts";
import {
  accepted,
  aliceKey,
  expectRefused,
  following,
  forged,
  granted,
  ownedSession,
  owner,
  published,
  sent,
  strangerKey,
  type TwoGardens,
  tracking,
  twoGardens,
} from "./testing/two-gardens.ts";

const SCOUT = sessionBranch("scout");
const TRACKED = "refs/remotes/alice/agents/scout";

describe("S-10 federation: what is announced is accepted", () => {
  test("F1 git verify-commit accepts the signature of an announcement", async () => {
    const gardens = await twoGardens();
    await ownedSession(gardens.alice, "scout");
    await published(gardens, ["scout"]);
    const signers = join(scratch(), "signers");
    writeFileSync(signers, `garden ${publicKeyLine(aliceKey.publicKey)}\n`);
    const settings = ["-c", "gpg.format=ssh", "-c", `gpg.ssh.allowedSignersFile=${signers}`];
    const verify = () =>
      execFileSync("git", [...settings, "verify-commit", "-v", ANNOUNCE_REF], {
        cwd: gardens.alice.dir,
        stdio: "pipe",
      });
    expect(verify).not.toThrow();
  });

  test("F5 F6 F7 F10 F11 an announcement lands as tracking refs with all objects, and no branch of one's own appears", async () => {
    const gardens = await following();
    expect(tracking(gardens)).toEqual([
      "refs/agentic/peers/alice/agents/scout",
      "refs/agentic/peers/alice/announce",
      TRACKED,
    ]);
    expect(gardens.bob.git("rev-parse", TRACKED)).toBe(gardens.head);
    expect(gardens.bob.git("show", "refs/agentic/peers/alice/agents/scout:briefing.json")).toContain("Goal of scout");
    expect(gardens.bob.git("fsck", "--full", "--strict")).toBe("");
  });

  test("F12 F17 F37 F38 repeated, moved, added and withdrawn sessions are followed", async () => {
    const gardens = await following();
    expect(await accepted(gardens)).toEqual({ kind: "up-to-date", seq: 1 });
    const moved = await committed(gardens.alice, "scout", { "a.md": "one" });
    await ownedSession(gardens.alice, "helper");
    await published(gardens, ["scout", "helper"]);
    expect(await accepted(gardens)).toMatchObject({ kind: "accepted", seq: 2 });
    expect(gardens.bob.git("rev-parse", TRACKED)).toBe(moved);
    expect(tracking(gardens)).toContain("refs/remotes/alice/agents/helper");
    await published(gardens, ["helper"]);
    expect(await accepted(gardens)).toMatchObject({ kind: "accepted", seq: 3 });
    expect(tracking(gardens)).not.toContain(TRACKED);
  });

  test("F39 an announcement is accepted over smart HTTP", async () => {
    const gardens = await twoGardens((mailbox) => mailbox);
    const root = join(gardens.mailbox, "..");
    const server = await smartHttp(root);
    try {
      const name = gardens.mailbox.slice(root.length + 1);
      await changePeer(gardens.bob, "alice", (peer) => ({ ...peer, url: `${server.url}/${name}` }));
      await ownedSession(gardens.alice, "scout");
      await granted(gardens);
      await published(gardens, ["scout"]);
      expect(await accepted(gardens)).toMatchObject({ kind: "accepted", seq: 1 });
    } finally {
      await server.close();
    }
  });
});

describe("S-10 federation: keys", () => {
  const newKey = keyPairOf(Buffer.alloc(32, 3));
  const line = publicKeyLine(newKey.publicKey);

  test("N24 a new key signs only after the old one handed over, and the old one is refused from then on", async () => {
    const gardens = await following();
    await committed(gardens.alice, "scout", { "a.md": "one" });
    await published(gardens, ["scout"], newKey);
    await expectRefused(gardens, "signed-by-a-stranger");
    gardens.alice.git("update-ref", ANNOUNCE_REF, `${ANNOUNCE_REF}~1`);
    await announceSessions(gardens.alice, aliceKey, ["scout"], line);
    await committed(gardens.alice, "scout", { "a.md": "two" });
    await published(gardens, ["scout"], newKey);
    expect(await accepted(gardens)).toMatchObject({ kind: "accepted", seq: 3 });
    await committed(gardens.alice, "scout", { "a.md": "three" });
    await published(gardens, ["scout"], aliceKey);
    await expectRefused(gardens, "signed-by-a-stranger");
  });

  test("N24 a garden that is added after a change of keys is followed by either fingerprint, and by no other", async () => {
    const gardens = await twoGardens();
    await ownedSession(gardens.alice, "scout");
    await granted(gardens);
    await announceSessions(gardens.alice, aliceKey, [], line);
    await published(gardens, ["scout"], newKey);
    await changePeer(gardens.bob, "alice", (peer) => ({ ...peer, pin: fingerprint(strangerKey.publicKey) }));
    await expectRefused(gardens, "signed-by-a-stranger");
    await changePeer(gardens.bob, "alice", (peer) => ({ ...peer, pin: fingerprint(newKey.publicKey) }));
    expect(await accepted(gardens)).toMatchObject({ kind: "accepted", seq: 2 });
  });

  test("a stranger who names the chain after another garden is refused", async () => {
    const gardens = await twoGardens();
    await forged(gardens, { key: strangerKey, space: owner });
    await expectRefused(gardens, "other-garden");
  });
});

describe("S-10 federation: what is refused leaves nothing", () => {
  test("F3 F4 without a grant nothing lands", async () => {
    const gardens = await twoGardens();
    await ownedSession(gardens.alice, "scout");
    await published(gardens, ["scout"]);
    await expectRefused(gardens, "not-allowed");
  });

  test("a repository without an announcement is told", async () => {
    await expectRefused(await twoGardens(), "no-announcement");
  });

  /** Each begins where Bob has accepted announcement 1 with the session `scout`. */
  const attacks: readonly (readonly [
    string,
    string,
    (gardens: TwoGardens & { readonly head: Oid }) => Promise<unknown>,
  ])[] = [
    [
      "F13 signed by a stranger",
      "signed-by-a-stranger",
      async (g) => forged(g, { ...(await next(g)), key: strangerKey }),
    ],
    ["F14 unsigned", "not-signed", async (g) => forged(g, { ...(await next(g)), sign: "nobody" })],
    [
      "F15 with a valid signature of other content",
      "not-signed",
      async (g) => {
        const old = (await g.alice.repo.commit(g.alice.git("rev-parse", ANNOUNCE_REF))).signed!;
        expect(signerOf(old.content, old.signature)).toBeDefined();
        return forged(g, { ...(await next(g)), sign: () => old.signature });
      },
    ],
    [
      "F16 signed for another purpose",
      "not-signed",
      async (g) => forged(g, { ...(await next(g)), sign: (content) => sshSignature(content, aliceKey, "file") }),
    ],
    [
      "F18 an old announcement again",
      "rewound-announcement",
      async (g) => {
        const first = g.alice.git("rev-parse", ANNOUNCE_REF);
        await committed(g.alice, "scout", { "a.md": "one" });
        await published(g, ["scout"]);
        expect(await accepted(g)).toMatchObject({ kind: "accepted" });
        sent(g, `+${first}:${ANNOUNCE_REF}`);
      },
    ],
    ["F19 a second chain", "forked-announcement", async (g) => forged(g, { ...(await next(g)), parents: [] })],
    [
      "F20 a head that goes back",
      "rewound-head",
      async (g) => {
        await committed(g.alice, "scout", { "a.md": "one" });
        await published(g, ["scout"]);
        expect(await accepted(g)).toMatchObject({ kind: "accepted" });
        return forged(g, { ...(await next(g)), seq: 3, refs: new Map([[SCOUT, g.head]]) });
      },
    ],
    ["F21 with a number that does not grow", "stale-number", async (g) => forged(g, { ...(await next(g)), seq: 1 })],
    ["F22 for another garden", "other-garden", async (g) => forged(g, { ...(await next(g)), space: "SHA256:other" })],
    [
      "F23 a ref outside the namespace",
      "foreign-ref",
      async (g) => forged(g, { ...(await next(g)), refs: new Map([["refs/heads/main", g.head]]) }),
    ],
    [
      "F24 a path in the name of a ref",
      "foreign-ref",
      async (g) => forged(g, { ...(await next(g)), refs: new Map([["refs/heads/agents/../main", g.head]]) }),
    ],
    [
      "F25 an object that is not there",
      "missing-objects",
      async (g) => forged(g, { ...(await next(g)), refs: new Map([[SCOUT, "1".repeat(40)]]) }),
    ],
    [
      "F26 a session that belongs to somebody else",
      "not-owner",
      async (g) => {
        await ownedSession(g.alice, "taken", "SHA256:somebody");
        await published(g, ["scout", "taken"]);
      },
    ],
    [
      "F27 a blob as a head",
      "malformed-head",
      async (g) => {
        const blob = execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: g.alice.dir, input: "x" });
        const oid = blob.toString().trim();
        sent(g, `+${oid}:refs/tags/blob`);
        return forged(g, { ...(await next(g)), refs: new Map([[sessionBranch("odd"), oid]]) });
      },
    ],
    [
      "F28 an owner given twice in the spawn commit",
      "not-owner",
      async (g) => {
        const message = `spawn: two\n\nAgentic-Kind: spawn\nAgentic-Agent: two\nAgentic-Owner: ${owner}\nAgentic-Owner: x\n`;
        const by = { name: "A", email: "a@example.org", at: 1_700_000_000_000 };
        const oid = await g.alice.repo.build({ parents: [], edits: [], author: by, committer: by, message });
        g.alice.git("update-ref", sessionBranch("two"), oid);
        await published(g, ["scout", "two"]);
      },
    ],
    [
      "a list of refs that is not sorted",
      "malformed-announcement",
      async (g) =>
        forged(g, { ...(await next(g)), lines: `${g.head} refs/heads/agents/z\n${g.head} refs/heads/agents/a\n` }),
    ],
    [
      "a symbolic link among the files",
      "unsafe-file",
      async (g) => {
        const blob = execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: g.alice.dir, input: "/etc/passwd" });
        const tree = execFileSync("git", ["mktree"], {
          cwd: g.alice.dir,
          input: `120000 blob ${blob.toString().trim()}\tlink\n`,
        });
        const message = "finding: link\n\nAgentic-Kind: finding\nAgentic-Agent: scout\n";
        const commit = g.alice.git("commit-tree", tree.toString().trim(), "-p", g.head, "-m", message);
        g.alice.git("update-ref", SCOUT, commit);
        await published(g, ["scout"]);
      },
    ],
  ];
  const next = async (g: TwoGardens & { readonly head: Oid }) => ({
    parents: [g.alice.git("rev-parse", ANNOUNCE_REF)],
    seq: 2,
    refs: new Map([[SCOUT, g.head]]),
  });

  test.each(attacks)("%s is refused", async (_name, why, attack) => {
    const gardens = await following();
    await attack(gardens);
    await expectRefused(gardens, why);
  });

  test("F29 a revoked grant, F30 one for another kind, F31 for another trigger, F32 an expired one do not help; F33 a fitting one does", async () => {
    const gardens = await twoGardens();
    await ownedSession(gardens.alice, "scout");
    await committed(gardens.alice, "scout", { "a.md": "one" });
    await published(gardens, ["scout"]);
    await granted(gardens, "agent-commit", ["spawn"]);
    const { id } = (await readCapabilities(gardens.bob.repo)).objects[0]!;
    await revokeCapability(gardens.bob, id);
    await expectRefused(gardens, "not-allowed");
    await granted(gardens, "test", ["spawn"]);
    await expectRefused(gardens, "not-allowed");
    await granted(gardens, "agent-commit", ["head-move"]);
    await expectRefused(gardens, "not-allowed");
    await granted(gardens, "agent-commit", ["spawn"], "2026-02-14T08:59:59Z");
    await expectRefused(gardens, "not-allowed");
    await granted(gardens, "agent-commit", ["spawn"]);
    expect(await accepted(gardens)).toMatchObject({ kind: "accepted" });
  });

  test("a closure beyond the limit ends the visit, and nothing of it stays", async () => {
    const gardens = await twoGardens();
    await ownedSession(gardens.alice, "scout");
    const large = Array.from({ length: 40_000 }, (_, i) => ((i * 7919) % 99_991).toString(36)).join(" ");
    await committed(gardens.alice, "scout", { "large.txt": large });
    await granted(gardens);
    await published(gardens, ["scout"]);
    expect(await acceptAnnouncement(gardens.bob, "alice", { ...acceptLimits, bytes: 20_000 })).toEqual({
      kind: "refused",
      why: "too-large",
    });
    expect(tracking(gardens)).toEqual([]);
    expect(gardens.bob.git("count-objects", "-v")).toContain("packs: 0");
  });
});
