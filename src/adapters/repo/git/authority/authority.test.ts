import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFailure } from "../../../../base/failure.ts";
import type { Moved } from "../../../../ports/repo.ts";
import { commit, edit, MAIN, put, status, textAt } from "../testing/garden.ts";
import { byHand, scratch } from "../testing/scratch.ts";
import { bareRemote, type Machine, machineOn, openShared, seededRemote } from "../testing/shared.ts";
import { gardener } from "../testing/signatures.ts";
import { listening, smartHttp } from "../testing/smart-http.ts";

const FENCE = "refs/bloom/fence";
const headOf = (dir: string): string => byHand(dir, "rev-parse", MAIN);
const subjects = (dir: string): string[] => byHand(dir, "log", "--format=%s", "main").split("\n");
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) =>
      isFailure(error) ? { code: error.code, part: error.details["part"], outcome: error.outcome } : String(error),
  );

describe("a move", () => {
  test("is at the remote when it returns, and work tree and index follow here and, at the next look, elsewhere", async () => {
    const remote = seededRemote();
    const [one, other] = [await machineOn(remote), await machineOn(remote)];
    expect(await commit(one.core, [edit("a.md", "A\n"), edit("new.md", "n\n")])).toMatchObject({ kind: "moved" });
    expect(headOf(remote)).toBe(headOf(one.dir));
    await other.core.refresh();
    expect({ head: headOf(other.dir), a: textAt(other.dir, "a.md"), status: status(other.dir) }).toEqual({
      head: headOf(remote),
      a: "A\n",
      status: "",
    });
  });

  test("from a value that the remote has left moves nothing, and main here is the remote's then", async () => {
    const remote = seededRemote();
    const [one, other] = [await machineOn(remote), await machineOn(remote)];
    await commit(one.core, [edit("a.md", "A\n")]);
    const late = await commit(other.core, [edit("b.md", "B\n")]);
    expect(late).toEqual({ kind: "stale", ref: MAIN, actual: headOf(remote) });
    expect({ head: headOf(other.dir), b: textAt(other.dir, "b.md"), status: status(other.dir) }).toEqual({
      head: headOf(remote),
      b: "b\n",
      status: "",
    });
    expect(await commit(other.core, [edit("b.md", "B\n")])).toMatchObject({ kind: "moved" });
    expect(subjects(remote)).toEqual(["Apply", "Apply", "Begin"]);
  });

  test("by 2 machines with 6 commits each makes one chain, with nothing lost and nothing twice", async () => {
    const remote = seededRemote();
    const machines = [await machineOn(remote), await machineOn(remote)];
    await Promise.all(
      machines.map(async ({ core }, who) => {
        for (let done = 0; done < 6; )
          if ((await commit(core, [edit(`n/${who}-${done}.md`, "x\n")])).kind === "moved") done++;
      }),
    );
    expect(byHand(remote, "ls-tree", "--name-only", "main", "n/").split("\n")).toHaveLength(12);
    expect(byHand(remote, "rev-list", "--count", "--no-merges", "main")).toBe("13");
    expect(byHand(remote, "rev-list", "--count", "--merges", "main")).toBe("0");
  });

  test("with a fence that another machine has raised is refused, also if this clone has not seen it", async () => {
    const remote = seededRemote();
    const [one, other] = [await machineOn(remote), await machineOn(remote)];
    const fence = await one.core.build({
      parents: [],
      edits: [],
      author: gardener,
      committer: gardener,
      message: "Fence",
    });
    await one.core.move([{ ref: FENCE, from: undefined, to: fence }]);
    await other.core.refresh();
    const raised = await other.core.build({
      parents: [fence],
      edits: [],
      author: gardener,
      committer: gardener,
      message: "Raised",
    });
    expect(await other.core.move([{ ref: FENCE, from: fence, to: raised }])).toMatchObject({ kind: "moved" });
    const from = (await one.core.resolve(MAIN))!;
    const to = await one.core.build({
      parents: [from],
      edits: [edit("a.md", "late\n")],
      author: gardener,
      committer: gardener,
      message: "Late",
    });
    const both = (checked: string) => [
      { ref: MAIN, from, to },
      { ref: FENCE, from: checked, to: checked },
    ];
    expect(await one.core.move(both(fence))).toEqual({ kind: "stale", ref: FENCE, actual: raised });
    expect(headOf(remote)).toBe(from);
    expect(await one.core.move(both(raised))).toMatchObject({ kind: "moved" });
    // The remote compares only refs that move, so a checked ref gets a commit of the same content.
    expect(byHand(remote, "rev-parse", `${FENCE}^`)).toBe(raised);
  });

  test("of another ref returns when main here is as new as the move", async () => {
    const remote = seededRemote();
    const [one, other] = [await machineOn(remote), await machineOn(remote)];
    await commit(one.core, [edit("a.md", "A\n")]);
    await commit(other.core, [edit("x", "x")], "refs/heads/agents/one");
    expect(headOf(other.dir)).toBe(headOf(remote));
  });

  test("annotations of two machines are all there", async () => {
    const remote = seededRemote();
    const machines = [await machineOn(remote), await machineOn(remote)];
    const commits = await Promise.all([1, 2, 3, 4].map((n) => commitOf(machines[n % 2]!.core, `${n}`)));
    await Promise.all(
      commits.map((oid, n) =>
        machines[(n + 1) % 2]!.core.annotate("refs/notes/trace", oid, Buffer.from(oid), gardener),
      ),
    );
    for (const { core } of machines) await core.refresh();
    const read = await Promise.all(commits.map((oid) => machines[0]!.core.annotation("refs/notes/trace", oid)));
    expect(read.map((bytes) => bytes && Buffer.from(bytes).toString())).toEqual(commits);
  });

  async function commitOf(core: Awaited<ReturnType<typeof machineOn>>["core"], text: string): Promise<string> {
    await commit(core, [edit("x", text)], `refs/heads/agents/n${text}`);
    const oid = (await core.resolve(`refs/heads/agents/n${text}`))!;
    return oid;
  }
});

describe("G-5 a person", () => {
  test("commits here: the commit goes along with the next move", async () => {
    const remote = seededRemote();
    const { dir, core } = await machineOn(remote);
    put(dir, "hand.md", "by hand\n");
    byHand(dir, "add", ".");
    byHand(dir, "commit", "-q", "-m", "By hand");
    expect((await core.health()).remote).toMatchObject({ ahead: 1, behind: 0 });
    expect(await commit(core, [edit("a.md", "A\n")])).toMatchObject({ kind: "moved" });
    expect(subjects(remote)).toEqual(["Apply", "By hand", "Begin"]);
  });

  test("commits here and another machine is faster: both are merged on the remote's main", async () => {
    const remote = seededRemote();
    const [one, other] = [await machineOn(remote), await machineOn(remote)];
    await commit(other.core, [edit("b.md", "B\n")]);
    put(one.dir, "a.md", "mine\n");
    byHand(one.dir, "commit", "-qam", "By hand");
    put(one.dir, "draft.md", "not committed\n");
    await one.core.refresh();
    expect({ head: headOf(one.dir), status: status(one.dir), b: textAt(one.dir, "b.md") }).toEqual({
      head: headOf(remote),
      status: "?? draft.md",
      b: "B\n",
    });
    expect(byHand(remote, "log", "-1", "--format=%an %P", "main")).toMatch(/^Оля [0-9a-f]{40} [0-9a-f]{40}$/);
    expect(byHand(remote, "show", "main:a.md")).toBe("mine");
  });

  test("pushes to the remote: the commit is followed like any other", async () => {
    const remote = seededRemote();
    const { dir, core } = await machineOn(remote);
    byHandAt(remote, { "b.md": "by hand\n" });
    await core.refresh();
    expect({ b: textAt(dir, "b.md"), status: status(dir) }).toEqual({ b: "by hand\n", status: "" });
  });

  test("has uncommitted edits of a file that the remote changed: they stay, main waits and says so, a commit cures it", async () => {
    const remote = seededRemote();
    const { dir, core } = await machineOn(remote);
    byHandAt(remote, { "a.md": "theirs\n" });
    put(dir, "b.md", "mine\n");
    byHandAt(remote, { "b.md": "b\nmore\n" });
    await core.refresh();
    expect(textAt(dir, "b.md")).toBe("mine\n");
    expect((await core.health()).remote).toMatchObject({ blocked: true, behind: 2 });
    expect((await core.busy(MAIN))?.en).toContain("uncommitted edits here: b.md");
    expect(await core.hold(MAIN, async () => "never")).toMatchObject({ kind: "busy" });
    byHand(dir, "checkout", "-q", "b.md");
    await core.refresh();
    expect({ busy: await core.busy(MAIN), head: headOf(dir), b: textAt(dir, "b.md") }).toEqual({
      busy: undefined,
      head: headOf(remote),
      b: "b\nmore\n",
    });
  });

  test("commits lines that the remote changed too: nothing moves, the files are named, a merge by hand cures it", async () => {
    const remote = seededRemote();
    const { dir, core } = await machineOn(remote);
    byHandAt(remote, { "a.md": "theirs\n" });
    put(dir, "a.md", "mine\n");
    byHand(dir, "commit", "-qam", "Mine");
    await core.refresh();
    expect((await core.busy(MAIN))?.en).toContain("change the same lines: a.md");
    expect(await commit(core, [edit("b.md", "B\n")])).toMatchObject({ kind: "stale" });
    byHand(dir, "fetch", "-q", remote, "main");
    byHand(dir, "merge", "-q", "-X", "ours", "FETCH_HEAD");
    await core.refresh();
    expect({ busy: await core.busy(MAIN), there: byHand(remote, "show", "main:a.md") }).toEqual({
      busy: undefined,
      there: "mine",
    });
  });

  test("rewrites the history at the remote: nothing is followed, and the way back is told; either way cures it", async () => {
    const remote = seededRemote();
    const { dir, core } = await machineOn(remote);
    await commit(core, [edit("a.md", "A\n")]);
    const was = headOf(remote);
    byHand(remote, "update-ref", MAIN, `${was}^`);
    byHandAt(remote, { "b.md": "other\n" });
    const now = headOf(remote);
    await core.refresh();
    const said = (await core.busy(MAIN))!.en;
    expect(said).toContain(`was rewritten: it was at ${was} and is now at ${now}`);
    expect(await commit(core, [edit("b.md", "B\n")])).toMatchObject({ kind: "busy" });
    expect({ here: headOf(dir), there: headOf(remote) }).toEqual({ here: was, there: now });
    byHand(dir, ...said.match(/“git (push --force [^”]+)”/)![1]!.split(" "));
    await core.refresh();
    expect({ busy: await core.busy(MAIN), there: headOf(remote) }).toEqual({ busy: undefined, there: was });
    byHand(remote, "update-ref", MAIN, now);
    await core.refresh();
    byHand(dir, "fetch", "-q", remote, "main");
    byHand(dir, "reset", "-q", "--hard", "FETCH_HEAD");
    await core.refresh();
    expect({ busy: await core.busy(MAIN), here: headOf(dir) }).toEqual({ busy: undefined, here: now });
    expect(await commit(core, [edit("b.md", "B\n")])).toMatchObject({ kind: "moved" });
  });

  test("deletes main at the remote: nothing is lost here, and the command that puts it back is told", async () => {
    const remote = seededRemote();
    const { dir, core } = await machineOn(remote);
    byHand(remote, "update-ref", "-d", MAIN);
    await core.refresh();
    const said = (await core.busy(MAIN))!.en;
    byHand(dir, ...said.match(/“git (push [^”]+)”/)![1]!.split(" "));
    await core.refresh();
    expect({ busy: await core.busy(MAIN), there: headOf(remote) }).toEqual({ busy: undefined, there: headOf(dir) });
  });

  /** A commit pushed from a clone of a person's own. */
  function byHandAt(remote: string, files: Readonly<Record<string, string>>): void {
    const dir = scratch();
    byHand(dir, "clone", "-q", remote, ".");
    for (const [path, text] of Object.entries(files)) put(dir, path, text);
    byHand(dir, "add", ".");
    byHand(dir, "commit", "-q", "-m", "From elsewhere");
    byHand(dir, "push", "-q", "origin", "main");
  }
});

describe("a remote", () => {
  test("without main gets main, traces and fence of a garden that existed before", async () => {
    const dir = scratch();
    byHand(dir, "init", "-q", "-b", "main");
    byHand(dir, "commit", "-q", "--allow-empty", "-m", "Begin");
    byHand(dir, "notes", "--ref=trace", "add", "-m", "{}");
    byHand(dir, "update-ref", FENCE, "HEAD");
    const remote = bareRemote();
    await openShared(dir, remote);
    const refs = (of: string): string =>
      byHand(of, "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/notes", "refs/bloom");
    expect(refs(remote)).toBe(refs(dir));
  });

  test("with another history is refused, and nothing is merged", async () => {
    const [remote, dir] = [seededRemote(), scratch()];
    byHand(dir, "init", "-q", "-b", "main");
    byHand(dir, "commit", "-q", "--allow-empty", "-m", "Mine");
    const core = await openShared(dir, remote);
    expect((await core.busy(MAIN))?.en).toContain("have no common history");
    expect(subjects(dir)).toEqual(["Mine"]);
  });

  test("A-6 that is away refuses moves by name, leaves nothing behind, and everything is still read", async () => {
    const remote = seededRemote();
    const { dir, core } = await machineOn(remote);
    const before = headOf(dir);
    const aside = `${remote}-aside`;
    byHand(dir, "clone", "-q", "--bare", remote, aside);
    rmSync(remote, { recursive: true });
    expect(await failureOf(commit(core, [edit("a.md", "A\n")]))).toEqual({
      code: "UPSTREAM_UNAVAILABLE",
      part: "remote",
      outcome: "none",
    });
    expect({ head: headOf(dir), status: status(dir), a: textAt(dir, "a.md") }).toEqual({
      head: before,
      status: "",
      a: "a\n",
    });
    expect(await failureOf(core.refresh())).toMatchObject({ code: "UPSTREAM_UNAVAILABLE", part: "remote" });
    expect(Buffer.from((await core.read(before, "a.md"))!.bytes).toString()).toBe("a\n");
    expect((await core.health()).remote).toMatchObject({ reachable: false, blocked: false });
    const again = await openShared(dir, remote);
    expect(await again.resolve(MAIN)).toBe(before);
    byHand(dir, "clone", "-q", "--bare", aside, remote);
    rmSync(aside, { recursive: true });
    expect(await commit(core, [edit("a.md", "A\n")])).toMatchObject({ kind: "moved" });
    expect((await core.health()).remote).toMatchObject({ reachable: true });
  });

  test("with a hook that refuses makes the move fail with its words, and nothing moves here", async () => {
    const remote = seededRemote();
    const { dir, core } = await machineOn(remote);
    const hook = join(remote, "hooks/pre-receive");
    writeFileSync(hook, "#!/bin/sh\nexit 1\n");
    chmodSync(hook, 0o755);
    expect(await failureOf(commit(core, [edit("a.md", "A\n")]))).toMatchObject({ code: "FORBIDDEN", part: "remote" });
    put(dir, "b.md", "mine\n");
    byHand(dir, "commit", "-qam", "Mine");
    await core.refresh();
    expect((await core.busy(MAIN))?.en).toContain("not at");
    rmSync(hook);
    await core.refresh();
    expect({ there: headOf(remote), busy: await core.busy(MAIN) }).toEqual({ there: headOf(dir), busy: undefined });
  });

  test("whose answer is lost after it took the push: the remote is read, and the move has happened", async () => {
    const root = scratch();
    byHand(root, "clone", "-q", "--bare", seededRemote(), "garden.git");
    const http = await smartHttp(root, undefined, { loseAnswerOf: /git-receive-pack$/ });
    const { dir, core } = await machineOn(join(root, "garden.git"), { url: `${http.url}/garden.git` });
    const moved = await commit(core, [edit("a.md", "A\n")]);
    expect(moved).toMatchObject({ kind: "moved" });
    expect(headOf(join(root, "garden.git"))).toBe(headOf(dir));
    await http.close();
  });

  test("that does not answer in time gives an unknown outcome; the next move reads it first and is told that it is away", async () => {
    const remote = seededRemote();
    const { dir } = await machineOn(remote);
    const silent = createServer(() => undefined);
    const { port } = await listening(silent);
    const core = await openShared(dir, `http://127.0.0.1:${port}/garden.git`, { timeout_seconds: 1 });
    const lost = await failureOf(commit(core, [edit("a.md", "A\n")]));
    const next = await failureOf(commit(core, [edit("a.md", "A\n")]));
    silent.closeAllConnections();
    silent.close();
    expect([lost, next]).toEqual([
      { code: "UPSTREAM_UNAVAILABLE", part: "remote", outcome: "unknown" },
      { code: "UPSTREAM_UNAVAILABLE", part: "remote", outcome: "none" },
    ]);
    expect(status(dir)).toBe("");
  });

  test("that does not accept the credentials is named without them, and nobody is asked for a password", async () => {
    const root = scratch();
    byHand(root, "clone", "-q", "--bare", seededRemote(), "garden.git");
    const http = await smartHttp(root, { user: "olia", password: "right-one" });
    const url = http.url.replace("//", "//olia:wrong-one@");
    const dir = scratch();
    byHand(dir, "clone", "-q", join(root, "garden.git"), ".");
    const core = await openShared(dir, `${url}/garden.git`);
    const error: unknown = await commit(core, [edit("a.md", "A\n")]).catch((thrown: unknown) => thrown);
    await http.close();
    const said = JSON.stringify([error, isFailure(error) && error.text, await core.health()]);
    expect(isFailure(error, "UPSTREAM_UNAVAILABLE") && error.text.en).toContain("does not accept your name or key");
    expect(said).not.toContain("wrong-one");
  });

  test("over smart HTTP takes moves and is followed", async () => {
    const root = scratch();
    byHand(root, "clone", "-q", "--bare", seededRemote(), "garden.git");
    const http = await smartHttp(root);
    const served = (): Promise<Machine> => machineOn(join(root, "garden.git"), { url: `${http.url}/garden.git` });
    const machines = [await served(), await served()];
    const moved: Moved[] = [];
    for (const { core, dir } of machines) moved.push(await commit(core, [edit("a.md", `${dir}\n`)]));
    expect(moved.map(({ kind }) => kind)).toEqual(["moved", "stale"]);
    expect(headOf(machines[1]!.dir)).toBe(headOf(join(root, "garden.git")));
    await http.close();
  });
});

test("a commit that is not here is fetched when it is read", async () => {
  const remote = seededRemote();
  const [one, other] = [await machineOn(remote), await machineOn(remote)];
  await commit(one.core, [edit("a.md", "A\n")]);
  const oid = headOf(remote);
  expect(Buffer.from((await other.core.read(oid, "a.md"))!.bytes).toString()).toBe("A\n");
});

test("the interval brings what other machines moved", async () => {
  const remote = seededRemote();
  const [one, other] = [await machineOn(remote), await machineOn(remote, { fetch_seconds: 1 })];
  await commit(one.core, [edit("a.md", "A\n")]);
  await expect.poll(() => headOf(other.dir), { timeout: 20_000 }).toBe(headOf(remote));
});
