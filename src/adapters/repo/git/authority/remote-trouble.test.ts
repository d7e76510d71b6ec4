import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { asFailure } from "../../../../base/failure.ts";
import { movableWorld } from "../../../../garden/core/flow/testing/flow-deps.ts";
import { environment, git, scratch } from "../../../../garden/testing/scratch.ts";
import { commit, edit, MAIN } from "../testing/garden.ts";
import { machineOn, seededRemote } from "../testing/shared.ts";
import { smartHttp } from "../testing/smart-http.ts";
import { Contacts, contactRecord } from "./contact-record.ts";
import { startedAfterCall } from "./object-misses.ts";
import { remoteLink } from "./remote-link.ts";

describe("the remote that is the authority", () => {
  test("is fetched at once after the clock was set back", () => {
    const world = movableWorld();
    const contacts = new Contacts(contactRecord(scratch(), "x"), world, 5000);
    contacts.reached();
    world.move(-86_400_000);
    expect({ isDue: contacts.isDue(), isAway: contacts.isAway() }).toEqual({ isDue: true, isAway: false });
  });

  test("O-3 that is away leaves open whether an object exists; the answer follows within seconds after it is back", async () => {
    const remote = seededRemote();
    const [one, other] = [await machineOn(remote), await machineOn(remote)];
    await commit(one.core, [edit("a.md", "A\n")]);
    const made = git(remote, "rev-parse", MAIN).trim();
    renameSync(remote, `${remote}-aside`);
    const failureOf = (work: Promise<unknown>) => work.then(() => undefined, asFailure);
    const unknown = expect.objectContaining({ code: "UPSTREAM_UNAVAILABLE" });
    const read = () => failureOf(other.core.commit(made));
    expect([await read(), await read(), await failureOf(other.core.isAncestor(made, made))]).toEqual([
      unknown,
      unknown,
      unknown,
    ]);
    renameSync(`${remote}-aside`, remote);
    await expect.poll(read, { timeout: 30_000, interval: 200 }).toBeUndefined();
    expect(await failureOf(other.core.commit("1".repeat(40)))).toMatchObject({ code: "NOT_FOUND" });
  });

  test("A-6 P-7 that takes longer than a read waits tells a later read whether it has the commit", async () => {
    const root = scratch();
    const remote = join(root, "garden.git");
    git(root, "clone", "-q", "--bare", seededRemote(), remote);
    let latency = 0;
    const http = await smartHttp(root, undefined, { pause: () => sleep(latency) });
    const [one, other] = [await machineOn(remote), await machineOn(remote, { url: `${http.url}/garden.git` })];
    await commit(one.core, [edit("a.md", "A\n")]);
    const made = git(remote, "rev-parse", MAIN).trim();
    latency = 5500;
    const read = (oid: string) =>
      other.core.commit(oid).then(
        () => "found",
        (error: unknown) => `${asFailure(error).code}: ${asFailure(error).text.en}`,
      );
    const readBoth = () => Promise.all([read(made), read("1".repeat(40))]);
    const late = expect.stringMatching(/^UPSTREAM_UNAVAILABLE: the object .* did not answer within 5 s$/);
    expect(await readBoth()).toEqual([late, late]);
    await expect.poll(readBoth, { timeout: 30_000 }).toEqual(["found", expect.stringMatching(/^NOT_FOUND/)]);
    await http.close();
  });

  test("may have taken a push whose answer was lost, whatever its hook printed", async () => {
    const top = scratch();
    const [remote, dir] = [join(top, "remote.git"), join(top, "clone")];
    mkdirSync(dir);
    git(top, "init", "-q", "--bare", remote);
    git(dir, "init", "-q", "-b", "main", ".");
    git(dir, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "x");
    const hook = join(remote, "hooks/post-receive");
    writeFileSync(hook, "#!/bin/sh\necho 'deploy: staging slot not found, skipped' >&2\nsleep 0.2\nkill -9 $PPID\n");
    chmodSync(hook, 0o755);
    const head = git(dir, "rev-parse", "HEAD").trim();
    const link = remoteLink({ dir, environment }, join(dir, ".git"), { name: "origin", url: remote }, 20_000);
    const answer = await link.push([{ ref: "refs/heads/main", lease: undefined, to: head }]);
    expect({ answer: answer.kind, there: git(remote, "rev-parse", "refs/heads/main").trim() }).toEqual({
      answer: "unknown",
      there: head,
    });
  });

  test.each([
    { asked: [5000, undefined], limit: undefined },
    { asked: [undefined, 5000], limit: undefined },
    { asked: [5000, 20_000], limit: 20_000 },
  ])("is fetched with the longest of the limits $asked that share a fetch", async ({ asked, limit }) => {
    const limits: (number | undefined)[] = [];
    const fetch = startedAfterCall(async (limitMs?: number) => {
      limits.push(limitMs);
      await sleep(20);
    });
    await Promise.all([fetch(1), ...asked.map((each) => fetch(each))]);
    expect(limits).toEqual([1, limit]);
  });
});
