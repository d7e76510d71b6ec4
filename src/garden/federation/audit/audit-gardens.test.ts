import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { checkAudit } from "../../../../scripts/audit-check.js";
import { byHand, scratch } from "../../../adapters/repo/git/testing/scratch.ts";
import { fixedWorld } from "../../../base/testing/fixed-world.ts";
import { fingerprint } from "../../../domain/federation/ssh-key.ts";
import { sshSignature } from "../../../domain/federation/ssh-signature.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import {
  ANNOUNCE_REF,
  AUDIT_RECORDS_REF,
  AUDIT_SIGNERS_FILE,
  CAPABILITIES_REF,
  MAIN_REF,
  PEER_BOOK_REF,
} from "../../../domain/layout.ts";
import { closeGarden, openGarden } from "../../core/garden.ts";
import { spawnSession } from "../../sessions/spawn-session.ts";
import { gitWith, newSpace } from "../../sessions/testing/space.ts";
import { testPorts } from "../../testing/scratch.ts";
import { tendedCopies } from "../../testing/tended-garden.ts";
import { announceSessions } from "../announce.ts";
import { followGarden, grantTo, lookAtGarden, revokeGrant } from "../follow.ts";
import { gardenKey } from "../garden-key.ts";
import { makeIdentity } from "../publish.ts";
import { aliceKey, EVERYTHING, ownedSession, owner, strangerKey } from "../testing/two-gardens.ts";
import { writeAuditBundle } from "./audit-bundle.ts";
import type { AuditReport } from "./audit-report.ts";
import { checkAuditBundle } from "./check-bundle.ts";

const copies = tendedCopies();
const PEER_CHAIN = "refs/agentic/peers/alice/announce";
const TRACKED = "refs/remotes/alice/agents/scout";
const DOSSIER = "refs/agentic/peers/alice/agents/scout";

/** The bundle of a garden that has announced twice, follows Alice, and granted and took back; unpacked for those who change it. */
let whole: { readonly file: string; readonly dir: string; readonly key: string };
beforeAll(async () => {
  const ports = testPorts(fixedWorld("2026-02-15T08:00:00Z", 1000));
  const garden = await openGarden(ports, copies.copy());
  const file = join(mkdtempSync(join(tmpdir(), "bloom-audit-")), "audit.bundle");
  try {
    const { fingerprint: key, space } = await makeIdentity(garden);
    await spawnSession(garden, { name: "tidy", briefing: { goal: "Tidy up" }, fields: { owner: space } });
    await announceSessions(garden, await gardenKey(garden), ["tidy"]);
    const mailbox = scratch();
    byHand(mailbox, "init", "-q", "--bare", "-b", "main");
    const alice = await newSpace({ bare: true });
    await ownedSession(alice, "scout");
    await announceSessions(alice, aliceKey, ["scout"]);
    alice.git("push", "-q", mailbox, ...EVERYTHING);
    await followGarden(garden, { name: "alice", url: mailbox, pin: owner }, commandLineOwner);
    await grantTo(garden, { peer: "alice", agenticType: "test", trigger: "spawn" }, commandLineOwner);
    const { id } = await grantTo(garden, { peer: "alice", agenticType: "finding", trigger: "merge" }, commandLineOwner);
    await revokeGrant(garden, id, commandLineOwner);
    await grantTo(garden, { peer: "alice", agenticType: "agent-commit", trigger: "spawn" }, commandLineOwner);
    expect(await lookAtGarden(garden, "alice", commandLineOwner)).toMatchObject({ kind: "accepted" });
    await writeAuditBundle(garden, file, {});
    const dir = scratch();
    byHand(dir, "init", "-q", "--bare", "-b", "none");
    byHand(dir, "fetch", "-q", file, "+refs/*:refs/*");
    whole = { file, dir, key };
  } finally {
    await closeGarden(garden);
  }
});

/** The two checkers, which share no code, must say the same. */
async function checked(file: string, key?: string): Promise<AuditReport> {
  const ours = await checkAuditBundle(testPorts().repos, file, { key });
  expect(checkAudit(file, key)).toEqual(ours);
  return ours;
}

/** A forger's copy of everything in the bundle. */
class Forgery {
  readonly dir = scratch();
  constructor() {
    cpSync(whole.dir, this.dir, { recursive: true });
  }
  git(...args: string[]): string {
    return byHand(this.dir, ...args);
  }
  /** The commit again with other files, parents or signature. */
  async commit(
    at: string,
    change: {
      readonly files?: Readonly<Record<string, string | undefined>>;
      readonly parents?: readonly string[];
      readonly sign?: (content: Buffer, old: string) => string | undefined;
    },
  ): Promise<string> {
    const raw = this.git("cat-file", "commit", at);
    const [, signature = ""] = /^gpgsig ((?:.*\n)(?: .*\n)*)/m.exec(raw) ?? [];
    let text = `${raw.replace(/^gpgsig .*\n(?: .*\n)*/m, "")}\n`;
    const env = { ...process.env, GIT_INDEX_FILE: join(this.dir, "ix") };
    const run = (args: readonly string[], input = ""): string =>
      execFileSync("git", args, { cwd: this.dir, env, input, encoding: "utf8" }).trim();
    run(["read-tree", at]);
    for (const [path, content] of Object.entries(change.files ?? {})) {
      const oid = content === undefined ? "0".repeat(40) : run(["hash-object", "-w", "--stdin"], content);
      run(["update-index", "--index-info"], `${content === undefined ? "0" : "100644"} ${oid}\t${path}\n`);
    }
    text = text.replace(/^tree .*$/m, `tree ${run(["write-tree"])}`);
    if (change.parents)
      text = text
        .replaceAll(/^parent .*\n/gm, "")
        .replace(/^author/m, `${change.parents.map((oid) => `parent ${oid}\n`).join("")}author`);
    const signed = change.sign?.(Buffer.from(text), signature);
    if (signed) text = text.replace("\n\n", `\ngpgsig ${signed.trimEnd().replaceAll(/\n(?! )/g, "\n ")}\n\n`);
    return gitWith(this.dir, text, "hash-object", "-t", "commit", "-w", "--stdin");
  }
  async moved(ref: string, change: Parameters<Forgery["commit"]>[1]): Promise<void> {
    this.git("update-ref", ref, await this.commit(ref, change));
  }
  /** The records name the refs as they are now, so that only signatures can tell. */
  async relisted(): Promise<void> {
    const range = JSON.parse(this.git("show", `${AUDIT_RECORDS_REF}:range.json`)) as { to: string };
    const lines = this.git("for-each-ref", "--format=%(refname) %(objectname)").split("\n");
    const refs = Object.fromEntries(
      lines.map((line) => line.split(" ")).filter(([name]) => name !== AUDIT_RECORDS_REF),
    );
    const to = this.git("rev-parse", MAIN_REF);
    await this.moved(AUDIT_RECORDS_REF, {
      files: { "range.json": JSON.stringify({ ...range, to, refs }) },
      sign: kept,
    });
  }
  file(): string {
    this.git("bundle", "create", "-q", "forged", "--all");
    return join(this.dir, "forged");
  }
}

const kept = (_: Buffer, old: string): string => old;
const byStranger = (content: Buffer): string => sshSignature(content, strangerKey);
const runFile = (name: string): string => `store/agents/${copies.tended.agent}/runs/${copies.tended.run.run}/${name}`;

describe("S-10 P-11 the audit bundle of a garden among others", () => {
  test("is signed by the garden, and holds its announcements, those of others, and its grants", async () => {
    const { findings, signed_by, announcements, peers, grants } = await checked(whole.file, whole.key);
    expect({ findings, signed_by, announcements, peers, grants }).toEqual({
      findings: [],
      signed_by: whole.key,
      announcements: 2,
      peers: 1,
      grants: 4,
    });
  });

  test("has signatures that plain git verifies with the list in it", () => {
    const signers = join(scratch(), "signers");
    writeFileSync(signers, `${byHand(whole.dir, "show", `${AUDIT_RECORDS_REF}:${AUDIT_SIGNERS_FILE}`)}\n`);
    const settings = ["-c", "gpg.format=ssh", "-c", `gpg.ssh.allowedSignersFile=${signers}`];
    const verified = [AUDIT_RECORDS_REF, ANNOUNCE_REF, `${ANNOUNCE_REF}~1`, PEER_CHAIN];
    expect(() => byHand(whole.dir, ...settings, "verify-commit", ...verified)).not.toThrow();
  });

  /** Changes by a forger, each with the findings that tell of it. The changes of a group do not touch each other: one bundle has them all. */
  const groups: readonly (readonly [
    string,
    readonly (readonly [string, readonly string[], (f: Forgery) => unknown])[],
  ])[] = [
    [
      "refs, but not the list of them in the records",
      [
        [
          "a session is gone",
          ["refs/heads/agents/tidy other-ref"],
          (f) => f.git("update-ref", "-d", "refs/heads/agents/tidy"),
        ],
        [
          "a ref is new",
          ["refs/heads/agents/odd other-ref"],
          (f) => f.git("update-ref", "refs/heads/agents/odd", MAIN_REF),
        ],
        [
          "an announcement is gone",
          [`${ANNOUNCE_REF} other-ref`],
          (f) => f.git("update-ref", ANNOUNCE_REF, `${ANNOUNCE_REF}~1`),
        ],
        [
          "a tracking ref was moved",
          [`${TRACKED} other-ref`, `${TRACKED} not-announced`],
          (f) => f.git("update-ref", TRACKED, MAIN_REF),
        ],
        [
          "a tracking ref is gone",
          [`${DOSSIER} other-ref`, `${DOSSIER} not-announced`],
          (f) => f.git("update-ref", "-d", DOSSIER),
        ],
        [
          "there are refs of a garden that is not followed",
          ["refs/agentic/peers/eve/announce other-ref", "refs/agentic/peers/eve/announce not-announced"],
          (f) => f.git("update-ref", "refs/agentic/peers/eve/announce", PEER_CHAIN),
        ],
        [
          "the peer book names one that is no peer",
          [`${PEER_BOOK_REF} other-ref`, `${PEER_BOOK_REF}:bob.json malformed-peer`],
          (f) => f.moved(PEER_BOOK_REF, { files: { "bob.json": "{}" } }),
        ],
        [
          "a grant was edited by hand, and the commit of the last one with it",
          [`${CAPABILITIES_REF} other-ref`, `${CAPABILITIES_REF} malformed-grant`, "store/audit lost-grant"],
          (f) => f.moved(CAPABILITIES_REF, { files: { [`${"0".repeat(40)}.json`]: "{}" } }),
        ],
      ],
    ],
    [
      "records",
      [
        [
          "a record is changed",
          [`${AUDIT_RECORDS_REF} not-signed`],
          (f) => f.moved(AUDIT_RECORDS_REF, { files: { "store/agents/archivist/_agent.md": "Obey." }, sign: kept }),
        ],
        [
          "the manifest of a run names another contract",
          ["- other-pins", `${AUDIT_RECORDS_REF} not-signed`],
          (f) => {
            const manifest = JSON.parse(f.git("show", `${AUDIT_RECORDS_REF}:${runFile("manifest.json")}`)) as object;
            const text = JSON.stringify({ ...manifest, contract_hash: "1".repeat(40) });
            return f.moved(AUDIT_RECORDS_REF, { files: { [runFile("manifest.json")]: text }, sign: kept });
          },
        ],
        [
          "the list of signers has one more",
          [`${AUDIT_RECORDS_REF} not-signed`, "allowed_signers other-signers"],
          (f) => f.moved(AUDIT_RECORDS_REF, { files: { [AUDIT_SIGNERS_FILE]: "x ssh-ed25519 AAAA\n" }, sign: kept }),
        ],
      ],
    ],
    [
      "a record, and the signature with it",
      [
        [
          "a record is gone",
          [`${AUDIT_RECORDS_REF} not-signed`],
          (f) => f.moved(AUDIT_RECORDS_REF, { files: { "store/agents/archivist/_agent.md": undefined } }),
        ],
      ],
    ],
    [
      "the signature of the records",
      [
        [
          "a stranger signed them",
          [`${AUDIT_RECORDS_REF} signed-by-a-stranger`],
          (f) => f.moved(AUDIT_RECORDS_REF, { sign: byStranger }),
        ],
      ],
    ],
    [
      "announcements",
      [
        [
          "one names other refs above the old signature",
          [`${ANNOUNCE_REF} other-ref`, `${ANNOUNCE_REF} not-signed`, "allowed_signers other-signers"],
          (f) => f.moved(ANNOUNCE_REF, { files: { refs: "" }, sign: kept }),
        ],
        [
          "a stranger signed one of another garden",
          [`${PEER_CHAIN} other-ref`, `${PEER_CHAIN} other-garden`, "allowed_signers other-signers"],
          (f) => f.moved(PEER_CHAIN, { sign: byStranger }),
        ],
      ],
    ],
    [
      "keys",
      [
        [
          "a stranger signed an announcement",
          [`${ANNOUNCE_REF} other-ref`, `${ANNOUNCE_REF} signed-by-a-stranger`, "allowed_signers other-signers"],
          (f) => f.moved(ANNOUNCE_REF, { sign: byStranger }),
        ],
        [
          "the peer book has another key",
          [`${PEER_BOOK_REF} other-ref`, `${PEER_CHAIN} other-keys`],
          (f) => {
            const peer = JSON.parse(f.git("show", `${PEER_BOOK_REF}:alice.json`)) as object;
            const text = JSON.stringify({ ...peer, pin: fingerprint(strangerKey.publicKey) });
            return f.moved(PEER_BOOK_REF, { files: { "alice.json": text } });
          },
        ],
      ],
    ],
    [
      "the whole chain",
      [
        [
          "it is that of another garden",
          [`${ANNOUNCE_REF} other-ref`, `${ANNOUNCE_REF} other-garden`, "allowed_signers other-signers"],
          (f) => f.moved(ANNOUNCE_REF, { parents: [], sign: byStranger }),
        ],
      ],
    ],
    [
      "refs, and the list of them in the records",
      [
        [
          "the newest commit of main is gone",
          [`${AUDIT_RECORDS_REF} not-signed`],
          (f) => f.git("update-ref", MAIN_REF, `${MAIN_REF}~1`),
        ],
        [
          "an announcement is gone",
          [`${AUDIT_RECORDS_REF} not-signed`],
          (f) => f.git("update-ref", ANNOUNCE_REF, `${ANNOUNCE_REF}~1`),
        ],
        [
          "a revocation is gone from the history",
          [`${AUDIT_RECORDS_REF} not-signed`, "store/audit lost-grant"],
          async (f) => {
            const before = f.git("rev-parse", `${CAPABILITIES_REF}~2`);
            const added = f.git("diff", "--name-only", "--diff-filter=A", `${CAPABILITIES_REF}~1`, CAPABILITIES_REF);
            const names = [...f.git("ls-tree", "--name-only", before).split("\n"), added];
            const at = (name: string): string => `${name === added ? CAPABILITIES_REF : before}:${name}`;
            const files = Object.fromEntries(names.map((name) => [name, f.git("show", at(name))]));
            await f.moved(CAPABILITIES_REF, { files, parents: [before] });
            await f.relisted();
          },
        ],
      ],
    ],
  ];

  test.each(groups)("reports in both checkers what was changed among %s", async (_name, changes) => {
    const forgery = new Forgery();
    for (const [, , change] of changes) await change(forgery);
    const { findings } = await checked(forgery.file());
    const said = findings.map(
      ({ where, problem }) => `${where?.replace(/^(store\/audit)\/.*/, "$1") ?? "-"} ${problem}`,
    );
    expect(new Set(said)).toEqual(new Set(changes.flatMap(([, expected]) => expected)));
  });

  test("needs the key from elsewhere to show that somebody took the signatures away", async () => {
    const forgery = new Forgery();
    forgery.git("update-ref", "-d", ANNOUNCE_REF);
    const signers = forgery.git("show", `${AUDIT_RECORDS_REF}:${AUDIT_SIGNERS_FILE}`).split("\n");
    const others = `${signers.filter((line) => line.startsWith(owner)).join("\n")}\n`;
    await forgery.moved(AUDIT_RECORDS_REF, { files: { [AUDIT_SIGNERS_FILE]: others } });
    await forgery.relisted();
    const file = forgery.file();
    const problems = async (key?: string) => (await checked(file, key)).findings.map(({ problem }) => problem);
    expect([await problems(), await problems(whole.key)]).toEqual([[], ["other-key"]]);
  });

  test("is refused by both checkers with any byte of it changed", async () => {
    const bytes = readFileSync(whole.file);
    const file = join(scratch(), "flipped");
    for (const part of [0.3, 0.9]) {
      const flipped = Buffer.from(bytes);
      flipped[Math.floor(bytes.length * part)]! ^= 1;
      writeFileSync(file, flipped);
      await expect(checkAuditBundle(testPorts().repos, file)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
      expect(() => checkAudit(file)).toThrow(/git fetch/);
    }
  });
});
