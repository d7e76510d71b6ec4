import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Garden, openGarden } from "../core/garden.ts";
import { lastAnnouncement } from "../sessions/own-announcement.ts";
import { spawnSession } from "../sessions/spawn-session.ts";
import { gardenWith, git, scratch, testPorts } from "../testing/scratch.ts";
import { checkedChain } from "./chain-check.ts";
import { makeIdentity, previewPublish, publishSessions } from "./publish.ts";

/** Two machines of one owner, each with a repository of its own, that publish to the same place. */
async function twoMachines(): Promise<{ one: Garden; two: Garden; mailbox: string }> {
  const { garden: one, dir } = await gardenWith({});
  const { space } = await makeIdentity(one);
  const copy = join(scratch(), "two");
  cpSync(dir, copy, { recursive: true });
  const two = await openGarden(testPorts(), copy);
  for (const [garden, name] of [
    [one, "first"],
    [two, "second"],
  ] as const)
    await spawnSession(garden, { name, briefing: { goal: name }, fields: { owner: space } });
  const mailbox = scratch();
  git(mailbox, "init", "-q", "--bare", ".");
  return { one, two, mailbox };
}

async function publishing(garden: Garden, mailbox: string, session: string): Promise<void> {
  const wish = { sessions: [session] };
  const { digest } = await previewPublish(garden, wish);
  await publishSessions(garden, { ...wish, digest, to: { name: "mail", url: mailbox }, by: "owner" });
}

describe("S-10 two machines of one owner announce at once", () => {
  test("one wins, the other takes its announcement over and goes on: the chain has no fork, and nothing is lost", async () => {
    const { one, two, mailbox } = await twoMachines();
    const both = await Promise.allSettled([publishing(one, mailbox, "first"), publishing(two, mailbox, "second")]);
    const lost = both.flatMap((each) => (each.status === "rejected" ? [each.reason as Error] : []));
    expect(lost).toEqual([expect.objectContaining({ code: "CONCURRENT_MODIFICATION" })]);
    const [late, session] = both[0].status === "rejected" ? [one, "first"] : [two, "second"];
    await publishing(late, mailbox, session);
    const chain = await checkedChain(late.repo, (await lastAnnouncement(late.repo))!.at);
    expect("broken" in chain ? chain.broken : [...chain.announcement.refs.keys()]).toEqual([
      "refs/agentic/agents/first",
      "refs/agentic/agents/second",
      "refs/heads/agents/first",
      "refs/heads/agents/second",
    ]);
    expect(git(mailbox, "rev-parse", "refs/agentic/announce").trim()).toBe((await lastAnnouncement(late.repo))!.at);
    const early = late === one ? two : one;
    await expect(publishing(early, mailbox, late === one ? "second" : "first")).rejects.toMatchObject({
      code: "CONCURRENT_MODIFICATION",
    });
    await publishing(early, mailbox, late === one ? "second" : "first");
  });

  test("a repository with the announcements of another garden is refused", async () => {
    const { one, mailbox } = await twoMachines();
    const { garden: other } = await gardenWith({});
    await makeIdentity({ ...other, world: { ...other.world, random: (count) => Buffer.alloc(count, 9) } });
    const tip = (await lastAnnouncement(other.repo))!.at;
    git(other.dir, "push", "-q", mailbox, `${tip}:refs/agentic/announce`);
    await expect(publishing(one, mailbox, "first")).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  });
});
