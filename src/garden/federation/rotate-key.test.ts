import { cpSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fingerprint, publicKeyLine } from "../../domain/federation/ssh-key.ts";
import { type Garden, openGarden } from "../core/garden.ts";
import { lastAnnouncement } from "../sessions/own-announcement.ts";
import { spawnSession } from "../sessions/spawn-session.ts";
import { gardenWith, git, scratch, testPorts } from "../testing/scratch.ts";
import { announceSessions } from "./announce.ts";
import { ownChainFindings } from "./chain-findings.ts";
import { followedGardens, followGarden, grantTo, lookAtGarden, replaceKey } from "./follow.ts";
import { knownGardenKey } from "./garden-key.ts";
import { gardenIdentity, makeIdentity, previewPublish, publishSessions } from "./publish.ts";
import { keyForBackup, restoreKey, rotateKey, settleKey } from "./rotate-key.ts";

const OWNER = { type: "owner", via: "test" } as const;

interface Publisher {
  readonly garden: Garden;
  readonly dir: string;
  readonly mailbox: string;
  readonly first: string;
}

async function publisher(): Promise<Publisher> {
  const { garden, dir } = await gardenWith({});
  const mailbox = scratch();
  git(mailbox, "init", "-q", "--bare", ".");
  const { space, fingerprint: first } = await makeIdentity(garden);
  await spawnSession(garden, { name: "scout", briefing: { goal: "Look" }, fields: { owner: space } });
  return { garden, dir, mailbox, first };
}

async function published({ garden, mailbox }: Publisher, sessions: readonly string[] = ["scout"]): Promise<void> {
  const { digest } = await previewPublish(garden, { sessions });
  await publishSessions(garden, { sessions, digest, to: { name: "mail", url: mailbox }, by: "owner" });
}

async function followerOf({ mailbox }: Publisher, pin: string): Promise<Garden> {
  const { garden } = await gardenWith({});
  await followGarden(garden, { name: "alice", url: mailbox, pin }, OWNER);
  for (const trigger of ["spawn", "head-move"] as const)
    await grantTo(garden, { peer: "alice", agenticType: "agent-commit", trigger }, OWNER);
  return garden;
}

const look = async (garden: Garden): Promise<string> => {
  const outcome = await lookAtGarden(garden, "alice", OWNER);
  return outcome.kind === "refused" ? outcome.why : outcome.kind;
};

async function problems(garden: Garden): Promise<number> {
  let count = 0;
  for await (const _ of ownChainFindings(garden.repo)) count += 1;
  return count;
}

/** A folder in which files can be created and not replaced. */
const withoutWrites = ({ folder }: Garden): Garden["folder"] =>
  new Proxy(folder, {
    get(target, name: keyof Garden["folder"]) {
      if (name === "write") return () => Promise.reject(new Error("killed"));
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

describe("S-10 a garden changes its key", () => {
  test("followers of the old key go on, and those who compared the new one begin", async () => {
    const alice = await publisher();
    await published(alice);
    const bob = await followerOf(alice, alice.first);
    expect(await look(bob)).toBe("accepted");
    const { fingerprint: next, before } = await rotateKey(alice.garden, OWNER);
    await published(alice);
    const carol = await followerOf(alice, next);
    expect([before === alice.first, await look(bob), await look(carol), await problems(alice.garden)]).toEqual([
      true,
      "accepted",
      "accepted",
      0,
    ]);
    expect(existsSync(join(alice.dir, ".bloom/keys/garden.next"))).toBe(false);
    expect(statSync(join(alice.dir, ".bloom/keys/garden")).mode & 0o777).toBe(0o600);
  });

  test.each([
    [
      "the new key was made",
      (garden: Garden, count: { n: number }) => ({
        repo: { ...garden.repo, build: () => (count.n++, Promise.reject(new Error("killed"))) },
      }),
    ],
    [
      "the hand-over was announced",
      (garden: Garden) => ({
        folder: withoutWrites(garden),
      }),
    ],
    [
      "the new key was put into its place",
      (garden: Garden, count: { n: number }) => ({
        repo: {
          ...garden.repo,
          build: (...args: Parameters<Garden["repo"]["build"]>) =>
            count.n++ === 0 ? garden.repo.build(...args) : Promise.reject(new Error("killed")),
        },
      }),
    ],
  ])("a process that dies after %s leaves a garden that goes on", async (_, broken) => {
    const alice = await publisher();
    await published(alice);
    const bob = await followerOf(alice, alice.first);
    await look(bob);
    await expect(rotateKey({ ...alice.garden, ...broken(alice.garden, { n: 0 }) }, OWNER)).rejects.toThrow("killed");
    const key = await settleKey(alice.garden);
    const last = await lastAnnouncement(alice.garden.repo);
    expect([fingerprint(key!.publicKey), last?.next]).toEqual([
      (await gardenIdentity(alice.garden))!.fingerprint,
      undefined,
    ]);
    const { fingerprint: next } = await rotateKey(alice.garden, OWNER);
    await published(alice);
    expect([await look(bob), await problems(alice.garden), (await gardenIdentity(alice.garden))!.fingerprint]).toEqual([
      "accepted",
      0,
      next,
    ]);
  });

  test("of two machines that change it at once one wins, and the other says so and restores the new key", async () => {
    const alice = await publisher();
    const other: Garden = { ...alice.garden, folder: (await gardenWith({})).garden.folder };
    await restoreKey(other, (await keyForBackup(alice.garden)).bytes, OWNER);
    const both = await Promise.allSettled([rotateKey(alice.garden, OWNER), rotateKey(other, OWNER)]);
    const won = both.findIndex(({ status }) => status === "fulfilled");
    const [winner, loser] = won === 0 ? [alice.garden, other] : [other, alice.garden];
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((both[1 - won] as PromiseRejectedResult).reason).toMatchObject({ code: "INVALID_TRANSITION" });
    await expect(settleKey(loser)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
    await restoreKey(loser, (await keyForBackup(winner)).bytes, OWNER);
    expect((await settleKey(loser))!.publicKey).toEqual((await knownGardenKey(winner))!.publicKey);
    expect(await problems(alice.garden)).toBe(0);
  });

  test("a backup from before the change, and no key at all, are refused", async () => {
    const alice = await publisher();
    const { bytes } = await keyForBackup(alice.garden);
    await rotateKey(alice.garden, OWNER);
    await expect(restoreKey(alice.garden, bytes, OWNER)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    await expect(restoreKey(alice.garden, Buffer.from("x"), OWNER)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    const { garden } = await gardenWith({});
    await expect(keyForBackup(garden)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
  });
});

describe("S-10 a key was stolen", () => {
  test("whoever pins the new key by hand takes nothing that the old one signed, not even a hand-over to it", async () => {
    const alice = await publisher();
    await published(alice);
    const bob = await followerOf(alice, alice.first);
    await look(bob);
    const stolen = await keyForBackup(alice.garden);
    // The thief goes on with a copy of the garden.
    const thief = await openCopy(alice);
    await spawnSession(thief.garden, { name: "trap", briefing: { goal: "Trap" }, fields: { owner: alice.first } });
    await restoreKey(thief.garden, stolen.bytes, OWNER);
    await published(thief, ["trap"]);
    expect(await look(bob)).toBe("accepted");
    const { fingerprint: next } = await rotateKey(alice.garden, OWNER);
    // The thief hands over to the key that the owner has made, whose public half is known.
    const line = publicKeyLine((await knownGardenKey(alice.garden))!.publicKey);
    await announceSessions(thief.garden, (await knownGardenKey(thief.garden))!, ["scout", "trap"], line);
    git(thief.dir, "push", "-q", alice.mailbox, "refs/agentic/announce");
    await replaceKey(bob, { name: "alice", url: alice.mailbox, pin: next }, OWNER);
    expect([(await followedGardens(bob))[0]!.sessions, await look(bob)]).toEqual([[], "signed-by-a-stranger"]);
    const honest = { ...alice, mailbox: scratch() };
    git(honest.mailbox, "init", "-q", "--bare", ".");
    await published(honest);
    await replaceKey(bob, { name: "alice", url: honest.mailbox, pin: next }, OWNER);
    expect([await look(bob), (await followedGardens(bob))[0]!.sessions.map(({ name }) => name)]).toEqual([
      "accepted",
      ["scout"],
    ]);
  });
});

/** The same garden in another folder. */
async function openCopy(alice: Publisher): Promise<Publisher> {
  const dir = join(scratch(), "copy");
  cpSync(alice.dir, dir, { recursive: true });
  return { ...alice, dir, garden: await openGarden(testPorts(), dir) };
}

test("S-10 a garden cannot be followed under the name of a plain remote, whose refs have the same names", async () => {
  const { garden, dir } = await gardenWith({});
  git(dir, "update-ref", "refs/remotes/origin/agents/scout", "HEAD");
  const wish = { url: "https://example.org/x.git", pin: `SHA256:${"a".repeat(43)}` };
  await expect(followGarden(garden, { ...wish, name: "origin" }, OWNER)).rejects.toMatchObject({
    code: "DUPLICATE_ENTRY",
  });
  await expect(followGarden(garden, { ...wish, name: "аlice" }, OWNER)).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
  }); // Cyrillic а
});
