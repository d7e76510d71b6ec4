import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { closeGarden, openGarden } from "../../garden/core/garden.ts";
import { commitSession } from "../../garden/sessions/commit-session.ts";
import { sessionHead } from "../../garden/sessions/topology.ts";
import { git, scratch, testPorts } from "../../garden/testing/scratch.ts";
import { inProcessBloom, type PrintedCommand } from "../testing/command-line.ts";

/** A new garden with a public repository beside it. */
async function garden(
  name: string,
): Promise<{ dir: string; bloom: (...args: string[]) => Promise<PrintedCommand>; mailbox: string }> {
  const dir = scratch();
  const mailbox = scratch();
  git(mailbox, "init", "-q", "--bare", ".");
  const bloom = (...args: string[]): Promise<PrintedCommand> => inProcessBloom(dir, args);
  expect((await bloom("init", dir, "--name", name)).exit).toBe(0);
  appendFileSync(join(dir, "garden.yaml"), `remotes: { public: { url: ${mailbox} } }\n`);
  return { dir, bloom, mailbox };
}
interface Shown {
  readonly digest: string;
  readonly commits: readonly unknown[];
}
const json = ({ out }: PrintedCommand): unknown => JSON.parse(out);

describe("S-10 two gardens on the command line", () => {
  test("a kind travels with the session that uses it, is granted by its id, and is registered here only on wish", async () => {
    const [alice, bob] = [await garden("Alice"), await garden("Bob")];
    const made = json(await alice.bloom("peer", "identity", "--make", "--json")) as {
      identity: { fingerprint: string };
    };
    await alice.bloom("session", "new-kind", "leak", "finding");
    await alice.bloom("session", "spawn", "scout", "--goal", "Look", "--empty");
    const open = await openGarden(testPorts(fixedWorld("2026-02-14T08:00:00Z", 1000)), alice.dir);
    const expected = await sessionHead(open.repo, "scout");
    await commitSession(open, "scout", { expect: expected, kind: "leak", message: "The tap", tree: { edits: [] } });
    await closeGarden(open);
    const shown = json(await alice.bloom("peer", "publish", "scout", "--json")) as Shown;
    expect(shown.commits).toContainEqual(expect.objectContaining({ subject: "kind: leak is a finding" }));
    await alice.bloom("peer", "publish", "scout", "--to", "public", "--seen", shown.digest);

    await bob.bloom("peer", "add", "alice", alice.mailbox, "--key", made.identity.fingerprint);
    await bob.bloom("peer", "grant", "alice", "agent-commit", "spawn");
    await bob.bloom("peer", "grant", "alice", "behaviour", "head-move");
    const id = /spawn (leak@[0-9a-f]{40})/.exec((await bob.bloom("peer", "accept", "alice")).out)?.[1];
    expect((await bob.bloom("peer", "grant", "alice", "alice/leak", "spawn")).err).toContain("no kind leak");
    await bob.bloom("peer", "grant", "alice", id!, "spawn");
    expect((await bob.bloom("peer", "accept", "alice")).out).toContain("3 refs moved");
    const hers = { name: "leak", parent: "finding", id, garden: "alice" };
    expect(json(await bob.bloom("session", "kinds", "--from", "alice", "--json"))).toMatchObject({ kinds: [hers] });
    expect((await bob.bloom("peer", "grant", "alice", "alice/leak", "merge")).exit).toBe(0);
    expect((await bob.bloom("peer", "grants")).out).toMatch(new RegExp(`alice +merge +${id}`));
    expect((await bob.bloom("session", "new-kind", "leak")).err).toContain("the kind above leak is missing");
    expect((await bob.bloom("session", "new-kind", "alice/leak")).out).toBe("leak is a kind of finding.\n");
    const all = json(await bob.bloom("session", "kinds", "--json")) as { readonly kinds: readonly object[] };
    expect(all.kinds.slice(-2)).toEqual([{ ...hers, garden: null }, hers]);
    expect((await bob.bloom("verify")).out).toContain("No problems");
  });

  test("one publishes what was shown, the other accepts it only after a grant", async () => {
    const alice = await garden("Alice");
    const bob = await garden("Bob");
    expect((await alice.bloom("peer", "publish", "scout")).err).toContain("peer identity --make");
    const made = json(await alice.bloom("peer", "identity", "--make", "--json")) as {
      identity: { fingerprint: string };
    };
    await alice.bloom("session", "spawn", "scout", "--goal", "Look", "--empty");
    const shown = json(await alice.bloom("peer", "publish", "scout", "--json")) as Shown;
    expect(git(alice.mailbox, "for-each-ref")).toBe("");
    const published = await alice.bloom("peer", "publish", "scout", "--to", "public", "--seen", shown.digest);
    expect([shown.commits.length, published.out]).toEqual([2, "Published as announcement 2 to public.\n"]);

    await bob.bloom("peer", "add", "alice", alice.mailbox, "--key", made.identity.fingerprint);
    const refused = await bob.bloom("peer", "accept", "alice");
    expect([refused.exit, refused.out]).toEqual([
      1,
      expect.stringContaining("alice: nothing was taken (not-allowed: spawn spawn). "),
    ]);
    await bob.bloom("peer", "grant", "alice", "agent-commit", "spawn");
    const accepted = await bob.bloom("peer", "accept");
    expect([accepted.exit, accepted.out]).toEqual([0, "alice: accepted announcement 2, 2 refs moved\n"]);
    expect((await bob.bloom("peer", "list")).out).toMatch(/^alice .* scout\n$/);
    expect((await bob.bloom("peer", "follow", "alice", "helper")).out).toContain("follows helper.");
    expect(json(await bob.bloom("peer", "list", "--json"))).toMatchObject({
      gardens: [{ chosen: ["helper"], sessions: [] }],
    });
    await bob.bloom("peer", "follow", "alice");
    expect((await bob.bloom("peer", "accept")).out).toBe("alice: accepted announcement 2, 2 refs moved\n");
    expect((await bob.bloom("verify")).out).toContain("No problems");
    git(bob.dir, "update-ref", "refs/remotes/alice/agents/ghost", "refs/remotes/alice/agents/scout");
    const damaged = await bob.bloom("verify");
    expect([damaged.exit, damaged.out]).toEqual([
      1,
      expect.stringMatching(/^S-10 refs\/remotes\/alice\/agents\/ghost: /),
    ]);
  });

  test("a session that moved after it was shown is not published", async () => {
    const alice = await garden("Alice");
    await alice.bloom("peer", "identity", "--make");
    await alice.bloom("session", "spawn", "scout", "--goal", "Look", "--empty");
    const { digest } = json(await alice.bloom("peer", "publish", "scout", "--json")) as Shown;
    await alice.bloom("session", "spawn", "helper", "--from", "scout", "--goal", "Help");
    const other = await alice.bloom("peer", "publish", "scout", "helper", "--to", "public", "--seen", digest);
    expect([other.exit === 0, git(alice.mailbox, "for-each-ref")]).toEqual([false, ""]);
  });

  test("a session from before the key is not published, and the way on is named", async () => {
    const alice = await garden("Alice");
    await alice.bloom("session", "spawn", "old", "--goal", "Look", "--empty");
    await alice.bloom("peer", "identity", "--make");
    const refused = await alice.bloom("peer", "publish", "old");
    expect([refused.exit === 0, refused.err]).toEqual([false, expect.stringContaining("--from old")]);
  });
});
