import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { scratch } from "../../adapters/repo/git/testing/scratch.ts";
import {
  ANNOUNCED_REFS_FILE,
  type Announcement,
  announcedLines,
  announcementText,
} from "../../domain/federation/announcement.ts";
import { keyPairOf, publicKeyLine, type SshKeyPair } from "../../domain/federation/ssh-key.ts";
import { sshSignature } from "../../domain/federation/ssh-signature.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { ANNOUNCE_REF, sessionBranch, sessionDossier } from "../../domain/layout.ts";
import { readCapabilities } from "../sessions/read-capabilities.ts";
import { committed } from "../sessions/testing/branch-checks.ts";
import { gitWith, reopened, type SessionSpace } from "../sessions/testing/space.ts";
import { acceptAnnouncement } from "./accept.ts";
import { announceSessions } from "./announce.ts";
import { revokeCapability } from "./capabilities.ts";
import { changePeer } from "./peer-book.ts";
import {
  aliceKey,
  expectRefused,
  granted,
  ownedSession,
  owner,
  type TwoGardens,
  twoGardens,
} from "./testing/two-gardens.ts";

const SCOUT = sessionBranch("scout");
const newKey = keyPairOf(Buffer.alloc(32, 9));

/** Bob follows Alice in her own repository and has accepted her newest announcement. What is refused leaves that state for the next row. */
let made: { readonly alice: string; readonly bob: string; readonly tip: Oid; readonly head: Oid };
beforeAll(async () => {
  const gardens = await twoGardens();
  await ownedSession(gardens.alice, "scout");
  const head = await committed(gardens.alice, "scout", { "a.md": "one" });
  await granted(gardens);
  await changePeer(gardens.bob, "alice", (peer) => ({ ...peer, url: gardens.alice.dir }));
  const { commit: tip } = await announceSessions(gardens.alice, aliceKey, ["scout"]);
  expect(await acceptAnnouncement(gardens.bob, "alice")).toMatchObject({ kind: "accepted", seq: 1 });
  made = { alice: gardens.alice.dir, bob: gardens.bob.dir, tip, head };
});

interface Scene extends Pick<TwoGardens, "alice" | "bob"> {
  readonly tip: Oid;
  readonly head: Oid;
}

async function scene(): Promise<Scene> {
  const [alice, bob] = [await reopened(made.alice), await reopened(made.bob)];
  alice.git("update-ref", ANNOUNCE_REF, made.tip);
  return { alice, bob, tip: made.tip, head: made.head };
}

interface Forged extends Partial<Announcement> {
  readonly parents?: readonly Oid[];
  readonly key?: SshKeyPair;
  readonly lines?: string;
  /** Changes the bytes that are signed. */
  readonly commit?: (text: string) => string;
  /** Changes the signed commit. */
  readonly signed?: (text: string) => string;
  readonly namespace?: string;
  /** The tree in place of one with the list alone. */
  readonly tree?: Oid;
}

/** A signed announcement after the accepted one, made byte by byte. */
function announce({ alice, tip, head }: Scene, wish: Forged): Oid {
  const { space = owner, seq = 2, refs = new Map([[SCOUT, head]]), parents = [tip], key = aliceKey, next } = wish;
  const list = gitWith(alice.dir, wish.lines ?? announcedLines(refs), "hash-object", "-w", "--stdin");
  const tree = wish.tree ?? treeOf(alice, [`100644 ${ANNOUNCED_REFS_FILE}`, list]);
  const { message, trailers } = announcementText({ space, seq, refs, next });
  const by = "Garden Bloom <gateway@garden.invalid> 1771056000 +0000";
  const head2 = [`tree ${tree}`, ...parents.map((oid) => `parent ${oid}`), `author ${by}`, `committer ${by}`];
  const block = trailers.map(([name, value]) => `${name}: ${value}`).join("\n");
  const plain = `${head2.join("\n")}\n\n${message}\n\n${block}\n`;
  const text = wish.commit?.(plain) ?? plain;
  const signature = sshSignature(Buffer.from(text), key, wish.namespace).trimEnd().replaceAll("\n", "\n ");
  const signed = text.replace("\n\n", `\ngpgsig ${signature}\n\n`);
  const oid = objectOf(alice, "commit", Buffer.from(wish.signed?.(signed) ?? signed));
  alice.git("update-ref", ANNOUNCE_REF, oid);
  return oid;
}

/** Any bytes as an object, however malformed. */
const objectOf = ({ dir }: SessionSpace, type: string, bytes: Uint8Array): Oid =>
  gitWith(dir, bytes, "hash-object", "-t", type, "-w", "--stdin", "--literally");

/** A tree with these entries, each `mode name` and the id of its object. */
const treeOf = (space: SessionSpace, ...entries: readonly (readonly [string, Oid])[]): Oid =>
  objectOf(
    space,
    "tree",
    Buffer.concat(entries.flatMap(([head, oid]) => [Buffer.from(`${head}\0`), Buffer.from(oid, "hex")])),
  );

const blobOf = (space: SessionSpace, text: string): Oid => gitWith(space.dir, text, "hash-object", "-w", "--stdin");

/** A commit of the session on top of the accepted one, or of other parents. */
function finding(
  { alice, head }: Scene,
  tree: Oid,
  more: { readonly parents?: readonly Oid[]; readonly kind?: string; readonly header?: string } = {},
): Oid {
  const { parents = [head], kind = "finding", header = "" } = more;
  const by = "A <a@example.org> 1771056000 +0000";
  const lines = [`tree ${tree}`, ...parents.map((oid) => `parent ${oid}`), `author ${by}`, `committer ${by}`];
  const message = `${kind}: x\n\nAgentic-Kind: ${kind}\nAgentic-Agent: scout\n`;
  return objectOf(alice, "commit", Buffer.from(`${lines.join("\n")}\n${header}\n${message}`));
}

const withHead = (s: Scene, head: Oid, more: Forged = {}): Oid =>
  announce(s, { refs: new Map([[SCOUT, head]]), ...more });
const fileNamed = (s: Scene, name: string): Oid =>
  finding(s, treeOf(s.alice, [`100644 ${name}`, blobOf(s.alice, "x")]));

describe("S-10 attacks: each is refused with its own reason, and leaves neither refs nor objects", () => {
  const attacks: readonly (readonly [string, string, (s: Scene) => unknown])[] = [
    // Keys
    [
      "a stolen key after the owner handed over to another one",
      "signed-by-a-stranger",
      (s) => {
        const change = announce(s, { next: publicKeyLine(newKey.publicKey) });
        announce(s, { parents: [change], seq: 3, key: aliceKey });
      },
    ],
    [
      "a key that nobody handed over to",
      "signed-by-a-stranger",
      (s) => announce(s, { key: newKey, next: publicKeyLine(newKey.publicKey) }),
    ],
    ["a signature of the namespace of files", "not-signed", (s) => announce(s, { namespace: "file" })],
    ["a signature of a log-in", "not-signed", (s) => announce(s, { namespace: "" })],
    [
      "a second signature beside the good one",
      "not-signed",
      (s) => announce(s, { signed: (text) => text.replace("\ngpgsig ", "\ngpgsig-sha256 x\ngpgsig ") }),
    ],
    // The chain
    [
      "two machines of one owner that announce at once: the second branch of the chain",
      "forked-announcement",
      (s) => announce(s, { parents: [] }),
    ],
    ["an announcement with two parents", "malformed-announcement", (s) => announce(s, { parents: [s.tip, s.head] })],
    [
      "a list of 1,001 refs",
      "too-large",
      (s) => {
        const names = Array.from({ length: 1001 }, (_, n) => sessionBranch(`s-${n}`));
        announce(s, { refs: new Map(names.map((name) => [name, s.head])) });
      },
    ],
    ["the grants as a ref", "foreign-ref", (s) => announce(s, { refs: new Map([["refs/agentic/caps", s.head]]) })],
    // Trees
    ...[".GIT", "..", "git~1", ".g\u200cit", ".git::$INDEX_ALLOCATION"].map(
      (name) =>
        [
          `a file named ${JSON.stringify(name)}`,
          "unsound-objects",
          (s: Scene) => withHead(s, fileNamed(s, name)),
        ] as const,
    ),
    ...["..\\..\\x", ".bloom"].map(
      (name) =>
        [
          `a file named ${JSON.stringify(name).slice(0, 20)}`,
          "unsafe-file",
          (s: Scene) => withHead(s, fileNamed(s, name)),
        ] as const,
    ),
    ["a file whose name is a path", "unsound-objects", (s) => withHead(s, fileNamed(s, "a/b"))],
    [
      "a symbolic link that the next commit removes",
      "unsafe-file",
      (s) => {
        const middle = finding(s, treeOf(s.alice, ["120000 link", blobOf(s.alice, "/etc/passwd")]));
        withHead(s, finding(s, treeOf(s.alice, ["100644 a.md", blobOf(s.alice, "x")]), { parents: [middle] }));
      },
    ],
    [
      "a symbolic link on a merged side line",
      "unsafe-file",
      (s) => {
        const side = finding(s, treeOf(s.alice, ["120000 link", blobOf(s.alice, "/etc/passwd")]), { parents: [] });
        withHead(s, finding(s, treeOf(s.alice, ["100644 a.md", blobOf(s.alice, "x")]), { parents: [s.head, side] }));
      },
    ],
    ["a submodule", "unsafe-file", (s) => withHead(s, finding(s, treeOf(s.alice, ["160000 sub", s.head])))],
    [
      "a symbolic link in a dossier",
      "unsafe-file",
      (s) => {
        const dossier = finding(s, treeOf(s.alice, ["120000 briefing.json", blobOf(s.alice, "/etc/passwd")]), {
          parents: [],
        });
        announce(s, {
          refs: new Map([
            [SCOUT, s.head],
            [sessionDossier("other"), dossier],
          ]),
        });
      },
    ],
    [
      "a symbolic link beside the list of an announcement",
      "unsafe-file",
      (s) => {
        const list = blobOf(s.alice, `${s.head} ${SCOUT}\n`);
        announce(s, {
          tree: treeOf(s.alice, ["120000 link", blobOf(s.alice, "x")], [`100644 ${ANNOUNCED_REFS_FILE}`, list]),
        });
      },
    ],
    [
      "a tree with an entry twice",
      "unsound-objects",
      (s) => {
        const blob = blobOf(s.alice, "x");
        withHead(s, finding(s, treeOf(s.alice, ["100644 a.md", blob], ["100644 a.md", blob])));
      },
    ],
    // Commits
    ...["tree", "parent"].map(
      (name) =>
        [
          `a commit with a second ${name} among its later headers`,
          "malformed-head",
          (s: Scene) =>
            withHead(
              s,
              finding(s, treeOf(s.alice, ["100644 a.md", blobOf(s.alice, "x")]), { header: `${name} ${s.tip}\n` }),
            ),
        ] as const,
    ),
    [
      "a commit that is no commit",
      "missing-objects",
      (s) => withHead(s, objectOf(s.alice, "commit", Buffer.from("x"))),
    ],
    [
      "another line of history that takes the accepted one as a second parent",
      "rewound-head",
      (s) => {
        const root = finding(s, treeOf(s.alice, ["100644 a.md", blobOf(s.alice, "x")]), { parents: [] });
        withHead(s, finding(s, treeOf(s.alice, ["100644 a.md", blobOf(s.alice, "x")]), { parents: [root, s.head] }));
      },
    ],
    [
      "a kind that this garden does not know",
      "not-allowed",
      (s) => withHead(s, finding(s, treeOf(s.alice, ["100644 a.md", blobOf(s.alice, "x")]), { kind: "strange" })),
    ],
  ];

  test.each(attacks)("%s: %s", async (_name, why, attack) => {
    const s = await scene();
    await attack(s);
    await expectRefused(s, why);
  });

  test("a bundle on a stick is checked like a server, and a sound one is accepted", async () => {
    const s = await scene();
    const stick = join(scratch(), "stick.bundle");
    await changePeer(s.bob, "alice", (peer) => ({ ...peer, url: stick }));
    const written = (head: Oid): void => {
      s.alice.git("update-ref", SCOUT, head);
      s.alice.git("bundle", "create", "-q", stick, ANNOUNCE_REF, SCOUT);
    };
    const evil = fileNamed(s, ".GIT");
    withHead(s, evil);
    written(evil);
    await expectRefused(s, "unsound-objects");
    announce(s, {});
    written(s.head);
    expect(await acceptAnnouncement(s.bob, "alice")).toMatchObject({ kind: "accepted", seq: 2 });
    await changePeer(s.bob, "alice", (peer) => ({ ...peer, url: s.alice.dir }));
  });
});

describe("S-10 attacks after a change of grants or keys", () => {
  test("after a revocation neither new commits nor an old announcement get in", async () => {
    const s = await scene();
    const accepted = s.bob.git("rev-parse", "refs/agentic/peers/alice/announce");
    const moved = finding(s, treeOf(s.alice, ["100644 b.md", blobOf(s.alice, "x")]));
    const after = withHead(s, moved, { parents: [accepted], seq: 3 });
    const grants = (await readCapabilities(s.bob.repo)).objects;
    for (const { id } of grants) await revokeCapability(s.bob, id);
    await expectRefused(s, "not-allowed");
    s.alice.git("update-ref", ANNOUNCE_REF, made.tip);
    await expectRefused(s, "rewound-announcement");
    await granted(s);
    s.alice.git("update-ref", ANNOUNCE_REF, after);
    expect(await acceptAnnouncement(s.bob, "alice")).toMatchObject({ kind: "accepted", seq: 3 });
  });

  test("a grant for a kind allows neither the kind above it nor one beside it", async () => {
    const s = await scene();
    for (const { id } of (await readCapabilities(s.bob.repo)).objects) await revokeCapability(s.bob, id);
    await granted(s, "finding");
    const at = s.bob.git("rev-parse", "refs/agentic/peers/alice/announce");
    const head = s.bob.git("rev-parse", "refs/remotes/alice/agents/scout");
    for (const kind of ["agent-commit", "test"]) {
      const tree = treeOf(s.alice, ["100644 c.md", blobOf(s.alice, kind)]);
      withHead(s, finding(s, tree, { parents: [head], kind }), { parents: [at], seq: 9 });
      await expectRefused(s, "not-allowed");
    }
  });

  test("a thief who continues the chain beside the hand-over is refused, whoever announces first", async () => {
    const s = await scene();
    const at = s.bob.git("rev-parse", "refs/agentic/peers/alice/announce");
    const refs = new Map([[SCOUT, s.bob.git("rev-parse", "refs/remotes/alice/agents/scout")]]);
    const change = announce(s, { parents: [at], seq: 10, refs, next: publicKeyLine(newKey.publicKey) });
    expect(await acceptAnnouncement(s.bob, "alice")).toMatchObject({ kind: "accepted", seq: 10 });
    announce(s, { parents: [at], seq: 11, refs });
    await expectRefused(s, "forked-announcement");
    announce(s, { parents: [change], seq: 11, refs, key: aliceKey });
    await expectRefused(s, "signed-by-a-stranger");
  });
});
