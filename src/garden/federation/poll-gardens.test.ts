import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { canonicalJson } from "../../base/canonical.ts";
import type { World } from "../../base/world.ts";
import { PEER_BOOK_REF, peerFile } from "../../domain/layout.ts";
import { encodeSystemCommit } from "../../domain/session/typed-commit.ts";
import type { Repo } from "../../ports/repo.ts";
import type { Garden } from "../core/garden.ts";
import { newSignals } from "../core/signals.ts";
import { landRefs } from "../sessions/land-refs.ts";
import { gatewaySignature } from "../sessions/session-garden.ts";
import { gardenWith, git, testPorts } from "../testing/scratch.ts";
import { followedGardens, followGarden, grantTo, lookAtGarden, unfollowGarden } from "./follow.ts";
import { readLook } from "./garden-look.ts";
import { type GardenNews, receiveNews, signedNews } from "./news.ts";
import { pollGardens } from "./poll-gardens.ts";
import { makeIdentity } from "./publish.ts";
import { queueNews, sendQueuedNews, tellNewsTo } from "./send-news.ts";
import {
  aliceKey,
  ownedSession,
  owner,
  published,
  strangerKey,
  type TwoGardens,
  twoGardens,
} from "./testing/two-gardens.ts";

const START = Date.parse("2026-02-14T08:00:00Z");
const OWNER = { type: "owner", via: "test" } as const;
const MINUTE = 60_000;
let now = START;
beforeEach(() => {
  now = START;
});
const world: World = { now: () => now, random: (count) => randomBytes(count) };

interface Follower {
  readonly garden: Garden;
  /** Names of the gardens that were asked for their tip, each time. */
  readonly asked: string[];
  readonly fetched: string[];
  readonly gardens: TwoGardens;
}

/** Bob as a whole garden, following Alice; requests to others are counted. */
async function follower(settings: Partial<Garden["config"]["federation"]> = {}): Promise<Follower> {
  const gardens = await twoGardens();
  const { garden: made } = await gardenWith({}, testPorts(world));
  await followGarden(made, { name: "alice", url: gardens.mailbox, pin: owner }, OWNER);
  const [asked, fetched]: [string[], string[]] = [[], []];
  const repo: Repo = {
    ...made.repo,
    tips: (remote, names) => (asked.push(remote.name), made.repo.tips(remote, names)),
    visit: (remote) => (fetched.push(remote.name), made.repo.visit(remote)),
  };
  const config = { ...made.config, federation: { ...made.config.federation, ...settings } };
  return { garden: { ...made, repo, config }, asked, fetched, gardens };
}

const allowed = async ({ garden }: Follower): Promise<void> => {
  for (const trigger of ["spawn", "head-move"] as const)
    await grantTo(garden, { peer: "alice", agenticType: "agent-commit", trigger }, OWNER);
};

/** Rounds of the upkeep, one each ten seconds. */
async function rounds({ garden }: Follower, minutes: number): Promise<void> {
  for (const end = now + minutes * MINUTE; now < end; now += 10_000) await pollGardens(garden);
}

describe("S-10 gardens that are followed are looked at in turn", () => {
  test("a look asks for one tip, and only one that changed is fetched", async () => {
    const bob = await follower();
    await allowed(bob);
    await ownedSession(bob.gardens.alice, "scout");
    await published(bob.gardens, ["scout"]);
    await rounds(bob, 52);
    expect([bob.asked.length, bob.fetched.length]).toEqual([4, 1]); // after half a minute, then each quarter of an hour
    expect((await followedGardens(bob.garden))[0]!.sessions.map(({ name }) => name)).toEqual(["scout"]);
    await ownedSession(bob.gardens.alice, "helper");
    await published(bob.gardens, ["scout", "helper"]);
    await rounds(bob, 15);
    expect([bob.asked.length, bob.fetched.length]).toEqual([5, 2]);
  });

  test("a refusal is not repeated before the announcement or the grants change, and is told until then", async () => {
    const bob = await follower();
    await ownedSession(bob.gardens.alice, "scout");
    await published(bob.gardens, ["scout"]);
    await rounds(bob, 60);
    expect([bob.fetched.length, (await followedGardens(bob.garden))[0]!.look?.trouble]).toEqual([
      1,
      expect.objectContaining({ why: "not-allowed", subject: "spawn spawn" }),
    ]);
    await allowed(bob);
    await rounds(bob, 17);
    expect([bob.fetched.length, (await followedGardens(bob.garden))[0]!.look?.trouble]).toEqual([2, undefined]);
  });

  test("a garden that cannot be reached is asked ever more rarely, at least once a day", async () => {
    const bob = await follower();
    const gone: Garden = {
      ...bob.garden,
      repo: { ...bob.garden.repo, tips: (remote) => (bob.asked.push(remote.name), Promise.reject(new Error("gone"))) },
    };
    const gaps: number[] = [];
    for (let last = now; gaps.length < 12; now += 5 * MINUTE) {
      const before = bob.asked.length;
      await pollGardens(gone);
      if (bob.asked.length > before) [last] = [now, gaps.push(now - last)];
    }
    const hours = gaps.map((gap) => gap / 3_600_000);
    expect([hours[1]! < 1, hours[4]! > 2, Math.max(...hours) < 27, hours.at(-1)! > 20]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    const told = (await followedGardens(bob.garden))[0]!.look!;
    expect([told.trouble?.why, Date.parse(told.trouble!.since) < now - 86_400_000]).toEqual(["unreachable", true]);
    await unfollowGarden(bob.garden, "alice", OWNER);
    expect(await readLook(bob.garden, "alice")).toBeUndefined();
  });

  test("looks at many gardens are spread over the interval, also after a restart", async () => {
    const bob = await follower();
    const names = Array.from({ length: 60 }, (_, i) => `garden-${i}`);
    const by = gatewaySignature(now);
    const edits = names.map((name) => ({
      path: peerFile(name),
      bytes: Buffer.from(canonicalJson({ name, url: `https://${name}.example/g.git`, pin: owner, keys: [] })),
    }));
    const from = await bob.garden.repo.resolve(PEER_BOOK_REF);
    const to = await bob.garden.repo.build({
      parents: [from!],
      edits,
      author: by,
      committer: by,
      ...encodeSystemCommit("peers", "many"),
    });
    await landRefs(bob.garden, [{ ref: PEER_BOOK_REF, from, to }]);
    const tips = (remote: { name: string }) => (bob.asked.push(remote.name), Promise.reject(new Error("gone")));
    const busiest = async (garden: Garden, minutes: number): Promise<number> => {
      let most = 0;
      for (const end = now + minutes * MINUTE; now < end; now += 2000) {
        const before = bob.asked.length;
        await pollGardens(garden);
        most = Math.max(most, bob.asked.length - before);
      }
      return most;
    };
    const garden: Garden = { ...bob.garden, repo: { ...bob.garden.repo, tips } };
    const first = await busiest(garden, 2);
    const all = new Set(bob.asked).size;
    now += 3 * 86_400_000; // everything is overdue
    const second = await busiest({ ...garden, signals: newSignals() }, 2);
    expect([all, bob.asked.length, first < 12, second < 12]).toEqual([61, 122, true, true]);
  });

  test("with look_seconds 0 nobody is asked", async () => {
    const bob = await follower({ look_seconds: 0 });
    await rounds(bob, 30);
    expect(bob.asked).toEqual([]);
  });
});

describe("S-10 a signed message makes a look happen soon", () => {
  const newsNow = (tip: string, key = aliceKey): GardenNews =>
    signedNews({ garden: owner, tip, at: new Date(now).toISOString() }, key);

  test("the garden is looked at in the next round, and a message counts once", async () => {
    const bob = await follower();
    await allowed(bob);
    await rounds(bob, 5);
    const before = bob.asked.length;
    await ownedSession(bob.gardens.alice, "scout");
    await published(bob.gardens, ["scout"]);
    const tip = bob.gardens.alice.git("rev-parse", "refs/agentic/announce").trim();
    const news = newsNow(tip);
    await receiveNews(bob.garden, news);
    await expect(receiveNews(bob.garden, news)).rejects.toMatchObject({ code: "DUPLICATE_ENTRY" });
    await rounds(bob, 1);
    expect([bob.asked.length - before, bob.fetched.length]).toEqual([1, 1]);
    await receiveNews(bob.garden, newsNow(tip)); // known by now
    await rounds(bob, 1);
    expect(bob.asked.length - before).toBe(1);
  });

  test.each([
    ["another key", (): GardenNews => newsNow("a".repeat(40), strangerKey)],
    ["another garden", (): GardenNews => ({ ...newsNow("a".repeat(40)), garden: `SHA256:${"b".repeat(43)}` })],
    ["another tip than the signed one", (): GardenNews => ({ ...newsNow("a".repeat(40)), tip: "b".repeat(40) })],
    [
      "a time of an hour ago",
      (): GardenNews =>
        signedNews({ garden: owner, tip: "a".repeat(40), at: new Date(now - 3_600_000).toISOString() }, aliceKey),
    ],
  ])("a message with %s is refused", async (_, news) => {
    const bob = await follower();
    await expect(receiveNews(bob.garden, news())).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test("publishing tells those that asked, and tries again a few times", async () => {
    const { garden } = await follower();
    await makeIdentity(garden);
    await tellNewsTo(garden, "alice", "https://alice.example/federation/news", OWNER);
    await queueNews(garden);
    const sent: string[] = [];
    const send = (answer: number) => (url: string, body: string) => {
      const { tip } = JSON.parse(body) as GardenNews;
      sent.push(`${url} ${tip.length}`);
      return answer === 0 ? Promise.reject(new Error("away")) : Promise.resolve(answer);
    };
    for (let minutes = 0; minutes < 120; minutes++, now += MINUTE) await sendQueuedNews(garden, send(0));
    expect(sent).toEqual(Array.from({ length: 4 }, () => "https://alice.example/federation/news 40"));
    await queueNews(garden);
    await sendQueuedNews(garden, send(200));
    await sendQueuedNews(garden, send(200));
    expect(sent.length).toBe(5);
    await tellNewsTo(garden, "alice", undefined, OWNER);
    await queueNews(garden);
    await sendQueuedNews(garden, send(200));
    expect(sent.length).toBe(5);
  });
});

describe("S-10 a garden that floods is refused by name", () => {
  const refusal = async ({ garden }: Follower): Promise<string | undefined> => {
    const outcome = await lookAtGarden(garden, "alice", OWNER);
    return outcome.kind === "refused" ? `${outcome.why}: ${outcome.subject}` : undefined;
  };

  test.each([
    ["announcements", { peer_announcements_per_hour: 2 }, "announcements, until 2026-02-14T09:00Z"],
    ["refs", { peer_refs_per_hour: 2 }, "refs, until 2026-02-14T09:00Z"],
  ])("more %s than the hour allows are not fetched; an hour later they are", async (_, settings, subject) => {
    const bob = await follower(settings);
    await allowed(bob);
    const looks: (string | undefined)[] = [];
    for (const name of ["one", "two", "three"]) {
      await ownedSession(bob.gardens.alice, name);
      await published(bob.gardens, [name]);
      looks.push(await refusal(bob));
    }
    expect([looks[0], looks[2]]).toEqual([undefined, `too-much-this-hour: ${subject}`]);
    const other: Follower = { ...bob, garden: { ...bob.garden, signals: newSignals() } };
    expect(await refusal(other)).toBe(`too-much-this-hour: ${subject}`); // another process knows it too
    now += 3_600_000;
    expect((await refusal(other)) ?? "").not.toContain("until");
  });

  test("a closure beyond the bytes of this hour is refused, and the bytes of it do not stay on disk", async () => {
    const bob = await follower({ peer_mib_per_hour: 1 });
    await allowed(bob);
    const { alice } = bob.gardens;
    const head = await ownedSession(alice, "heavy");
    const by = gatewaySignature(now);
    const edits = [{ path: "heavy.bin", bytes: randomBytes(3 * 1024 * 1024) }];
    const commit = await alice.repo.build({ parents: [head], edits, author: by, committer: by, message: "heavy" });
    alice.git("update-ref", "refs/heads/agents/heavy", commit);
    await published(bob.gardens, ["heavy"]);
    expect(await refusal(bob)).toBe("too-much-this-hour: bytes");
    expect(readdirSync(join(bob.garden.dir, ".git/bloom-aside"))).toEqual([]);
    expect(() => git(bob.garden.dir, "cat-file", "-e", commit)).toThrow();
    const allowing = {
      ...bob,
      garden: {
        ...bob.garden,
        config: { ...bob.garden.config, federation: { ...bob.garden.config.federation, peer_mib_per_hour: 64 } },
      },
    };
    expect(await refusal(allowing)).toBeUndefined();
  });
});
