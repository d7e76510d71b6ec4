import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSocket } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { isFailure } from "../../../../base/failure.ts";
import { realWorld } from "../../../../base/world.ts";
import { openCore, type RepoCore } from "../core.ts";
import { byHand, environment, scratch } from "../testing/scratch.ts";
import { gardener } from "../testing/signatures.ts";
import { listening, smartHttp } from "../testing/smart-http.ts";
import { pullBranch } from "./pull.ts";
import { fetchFrom, pushTo } from "./remote.ts";

const opened: RepoCore[] = [];
const servers: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const core of opened.splice(0)) await core.close();
  for (const server of servers.splice(0)) await server.close();
});

/** A hub that all push to, our garden, and Olia's clone. */
async function three(): Promise<{ hub: string; ours: string; core: RepoCore; olia: string; remote: typeof named }> {
  const root = scratch();
  const [hub, ours, olia] = ["hub.git", "ours", "olia"].map((name) => join(root, name)) as [string, string, string];
  byHand(root, "init", "-q", "--bare", "-b", "main", hub);
  byHand(root, "init", "-q", "-b", "main", ours);
  commit(ours, "a.md", "one\ntwo\nthree\n");
  byHand(ours, "push", "-q", hub, "main");
  byHand(root, "clone", "-q", hub, olia);
  const core = await openCore({ dir: ours, environment }, { world: realWorld });
  opened.push(core);
  return { hub, ours, core, olia, remote: { name: "hub", url: hub } };
}
const named = { name: "hub", url: "" };

function commit(dir: string, file: string, text: string): string {
  writeFileSync(join(dir, file), text);
  byHand(dir, "add", ".");
  byHand(dir, "commit", "-q", "-m", `change ${file}`);
  return byHand(dir, "rev-parse", "HEAD");
}

const refsOf = (dir: string): string => byHand(dir, "for-each-ref", "--format=%(objectname) %(refname)");

describe("a fetch", () => {
  test("brings branches and notes under the remote's refs, and moves none of ours", async () => {
    const { core, ours, olia, remote } = await three();
    const theirs = commit(olia, "b.md", "b\n");
    byHand(olia, "notes", "--ref=trace", "add", "-m", "{}");
    byHand(olia, "tag", "v1");
    byHand(olia, "update-ref", "refs/notes/remotes/other/trace", "refs/notes/trace");
    byHand(olia, "push", "-q", "origin", "main", "main:agents/x", "refs/notes/*:refs/notes/*", "v1");
    const before = byHand(ours, "rev-parse", "main");
    const { refs } = await fetchFrom(core, remote);
    expect(refs).toEqual([
      { name: "refs/notes/remotes/hub/trace", oid: byHand(olia, "rev-parse", "refs/notes/trace") },
      { name: "refs/remotes/hub/heads/agents/x", oid: theirs },
      { name: "refs/remotes/hub/heads/main", oid: theirs },
    ]);
    expect(refsOf(ours).split("\n")).toHaveLength(4);
    expect(byHand(ours, "rev-parse", "main")).toBe(before);
    expect(byHand(ours, "status", "--porcelain")).toBe("");
  });

  test("from an empty repository brings nothing", async () => {
    const { core } = await three();
    const empty = scratch();
    byHand(empty, "init", "-q", "--bare");
    expect(await fetchFrom(core, { name: "empty", url: empty })).toEqual({ refs: [] });
  });

  test("refuses damaged objects", async () => {
    const { core, ours, olia, hub, remote } = await three();
    const tree = byHand(olia, "rev-parse", "HEAD^{tree}");
    writeFileSync(join(olia, "bad"), `tree ${tree}\nauthor no one at all\n\nbad\n`);
    const bad = byHand(olia, "hash-object", "-t", "commit", "--literally", "-w", "bad");
    byHand(olia, "push", "-q", "origin", `${bad}:refs/heads/bad`);
    expect(byHand(hub, "rev-parse", "bad")).toBe(bad);
    await expect(fetchFrom(core, remote)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: expect.stringMatching(/damaged objects/),
    });
    expect(refsOf(ours).split("\n")).toHaveLength(1);
  });

  test("ignores the person's settings and hooks", async () => {
    const { core, ours, remote } = await three();
    byHand(ours, "config", "fetch.prune", "true");
    byHand(ours, "config", "remote.hub.url", "/nowhere");
    byHand(ours, "config", "remote.hub.fetch", "+refs/heads/*:refs/heads/stolen/*");
    mkdirSync(join(ours, ".git/hooks"), { recursive: true });
    writeFileSync(join(ours, ".git/hooks/reference-transaction"), "#!/bin/sh\nexit 1\n");
    chmodSync(join(ours, ".git/hooks/reference-transaction"), 0o755);
    expect((await fetchFrom(core, remote)).refs).toHaveLength(1);
  });
});

describe("a push", () => {
  test("sends refs under their own names", async () => {
    const { core, ours, hub, remote } = await three();
    const head = commit(ours, "b.md", "b\n");
    byHand(ours, "notes", "--ref=trace", "add", "-m", "{}");
    expect(await pushTo(core, remote, ["refs/heads/main", "refs/notes/trace"])).toEqual({ kind: "pushed" });
    expect(byHand(hub, "rev-parse", "main")).toBe(head);
    expect(byHand(hub, "rev-parse", "refs/notes/trace")).toBe(byHand(ours, "rev-parse", "refs/notes/trace"));
    expect(await pushTo(core, remote, ["refs/heads/main"])).toEqual({ kind: "pushed" });
    expect(await pushTo(core, remote, [])).toEqual({ kind: "pushed" });
  });

  test("is rejected as a whole if the remote has commits that we lack", async () => {
    const { core, ours, olia, hub, remote } = await three();
    commit(olia, "b.md", "b\n");
    byHand(olia, "push", "-q", "origin", "main");
    commit(ours, "c.md", "c\n");
    byHand(ours, "branch", "side");
    const before = refsOf(hub);
    expect(await pushTo(core, remote, ["refs/heads/side", "refs/heads/main"])).toEqual({
      kind: "rejected",
      refs: ["refs/heads/main"],
    });
    await fetchFrom(core, remote);
    expect(await pushTo(core, remote, ["refs/heads/main"])).toEqual({ kind: "rejected", refs: ["refs/heads/main"] });
    expect(refsOf(hub)).toBe(before);
  });

  test("against a rule of the remote is a failure that names the rule", async () => {
    const { core, ours, olia } = await three();
    commit(ours, "b.md", "b\n");
    await expect(pushTo(core, { name: "olia", url: olia }, ["refs/heads/main"])).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringMatching(/checked out/),
    });
  });

  test("of a missing ref is a failure", async () => {
    const { core, remote } = await three();
    await expect(pushTo(core, remote, ["refs/heads/none"])).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

const take = (core: RepoCore, remote: typeof named) => pullBranch(core, remote, "main", gardener);

describe("a pull", () => {
  test("without new commits is up to date, also from an empty remote", async () => {
    const { core, remote, ours } = await three();
    expect(await take(core, remote)).toEqual({ kind: "up-to-date" });
    commit(ours, "b.md", "ahead\n");
    expect(await take(core, remote)).toEqual({ kind: "up-to-date" });
    const empty = scratch();
    byHand(empty, "init", "-q", "--bare");
    expect(await take(core, { name: "empty", url: empty })).toEqual({ kind: "up-to-date" });
  });

  test("fast-forwards a branch without commits of its own, with files and index", async () => {
    const { core, ours, olia, remote } = await three();
    const head = commit(olia, "b.md", "b\n");
    byHand(olia, "push", "-q", "origin", "main");
    expect(await take(core, remote)).toMatchObject({ kind: "pulled", head, merged: false, followed: { behind: [] } });
    expect(readFileSync(join(ours, "b.md"), "utf8")).toBe("b\n");
    expect(byHand(ours, "status", "--porcelain")).toBe("");
  });

  test("merges diverged branches in an ordinary merge commit (G-4)", async () => {
    const { core, ours, olia, remote } = await three();
    const theirs = commit(olia, "a.md", "one\ntwo\nTHREE\n");
    byHand(olia, "push", "-q", "origin", "main");
    const mine = commit(ours, "a.md", "ONE\ntwo\nthree\n");
    const pulled = await take(core, remote);
    expect(pulled).toMatchObject({ kind: "pulled", merged: true });
    expect(byHand(ours, "log", "-1", "--format=%P|%s|%an|%cn")).toBe(
      `${mine} ${theirs}|Merge main of hub|Gardener|Gardener`,
    );
    expect(readFileSync(join(ours, "a.md"), "utf8")).toBe("ONE\ntwo\nTHREE\n");
    expect(byHand(ours, "status", "--porcelain")).toBe("");
    expect(await pushTo(core, remote, ["refs/heads/main"])).toEqual({ kind: "pushed" });
  });

  test("with a conflict reports the lines and changes nothing (G-5)", async () => {
    const { core, ours, olia, remote } = await three();
    commit(olia, "a.md", "one\ntheirs\nthree\n");
    byHand(olia, "push", "-q", "origin", "main");
    const mine = commit(ours, "a.md", "one\nours\nthree\n");
    expect(await take(core, remote)).toMatchObject({
      kind: "conflict",
      conflicts: [{ path: "a.md", hunks: [{ line: 2, ours: "ours\n", theirs: "theirs\n" }] }],
    });
    expect(byHand(ours, "rev-parse", "main")).toBe(mine);
    expect(byHand(ours, "status", "--porcelain")).toBe("");
  });

  test("with an uncommitted edit of the same file reports it and changes nothing (G-5)", async () => {
    const { core, ours, olia, remote } = await three();
    commit(olia, "a.md", "theirs\n");
    byHand(olia, "push", "-q", "origin", "main");
    const before = byHand(ours, "rev-parse", "main");
    writeFileSync(join(ours, "a.md"), "by hand\n");
    expect(await take(core, remote)).toEqual({ kind: "edited", paths: ["a.md"] });
    expect(readFileSync(join(ours, "a.md"), "utf8")).toBe("by hand\n");
    expect(byHand(ours, "rev-parse", "main")).toBe(before);
  });

  test("is repeated when main moves in between", async () => {
    const { core, ours, olia, remote } = await three();
    commit(olia, "b.md", "b\n");
    byHand(olia, "push", "-q", "origin", "main");
    let meddled = 0;
    const racing: RepoCore = {
      ...core,
      move: (moves) => {
        if (meddled++ < 2) commit(ours, `c${meddled}.md`, "meanwhile\n");
        return core.move(moves);
      },
    };
    expect(await take(racing, remote)).toMatchObject({ kind: "pulled", merged: true });
    expect(byHand(ours, "ls-tree", "--name-only", "main").split("\n")).toEqual(["a.md", "b.md", "c1.md", "c2.md"]);
    expect(byHand(ours, "status", "--porcelain")).toBe("");
  });

  test("of a branch that the remote lacks is a failure", async () => {
    const { core, remote } = await three();
    await expect(pullBranch(core, remote, "none", gardener)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a remote over smart HTTP", () => {
  test("accepts fetch, pull and push, with a name and password in the URL", async () => {
    const { core, ours, olia, hub } = await three();
    const server = await smartHttp(join(hub, ".."), { user: "olia", password: "s3cret" });
    servers.push(server);
    const remote = { name: "web", url: `${server.url.replace("//", "//olia:s3cret@")}/hub.git` };
    const theirs = commit(olia, "b.md", "b\n");
    byHand(olia, "push", "-q", "origin", "main");
    expect(await pullBranch(core, remote, "main", gardener)).toMatchObject({ kind: "pulled", head: theirs });
    const mine = commit(ours, "c.md", "c\n");
    expect(await pushTo(core, remote, ["refs/heads/main"])).toEqual({ kind: "pushed" });
    expect(byHand(hub, "rev-parse", "main")).toBe(mine);
    commit(ours, "d.md", "d\n");
    byHand(olia, "pull", "-q");
    commit(olia, "e.md", "e\n");
    byHand(olia, "push", "-q", "origin", "main");
    expect(await pushTo(core, remote, ["refs/heads/main"])).toEqual({ kind: "rejected", refs: ["refs/heads/main"] });
    expect(server.asked).toContain("POST /hub.git/git-receive-pack");
  });

  test("uses the person's credential helper, and ignores their other settings", async () => {
    const { ours, hub } = await three();
    const server = await smartHttp(join(hub, ".."), { user: "olia", password: "s3cret" });
    servers.push(server);
    const home = scratch();
    const settings = [
      '[credential]\n\thelper = "!f() { echo username=olia; echo password=s3cret; }; f"',
      "[push]\n\tfollowTags = true\n\tgpgSign = true\n\tdefault = nothing",
      "[transfer]\n\tfsckObjects = false\n[fetch]\n\tprune = true",
      "[commit]\n\tgpgSign = true",
    ];
    writeFileSync(join(home, ".gitconfig"), settings.join("\n"));
    byHand(ours, "tag", "-a", "v1", "-m", "tag");
    const core = await openCore({ dir: ours, environment: { ...environment, HOME: home } }, { world: realWorld });
    opened.push(core);
    const remote = { name: "web", url: `${server.url}/hub.git` };
    expect((await fetchFrom(core, remote)).refs).toHaveLength(1);
    commit(ours, "b.md", "b\n");
    expect(await pushTo(core, remote, ["refs/heads/main"])).toEqual({ kind: "pushed" });
    expect(byHand(hub, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  });

  test("reports a wrong password without showing it", async () => {
    const { core, hub } = await three();
    const server = await smartHttp(join(hub, ".."), { user: "olia", password: "s3cret" });
    servers.push(server);
    const url = `${server.url.replace("//", "//olia:wr0ng-pass@")}/hub.git`;
    await failing(() => fetchFrom(core, { name: "web", url }), /does not accept your name or key/, "wr0ng-pass");
    const open = `${server.url}/hub.git`;
    await failing(() => fetchFrom(core, { name: "web", url: open }), /does not accept your name or key/);
    await failing(() => pushTo(core, { name: "web", url }, ["refs/heads/main"]), /does not accept/, "wr0ng-pass");
  });

  test("reports a missing repository", async () => {
    const { core, hub } = await three();
    const server = await smartHttp(join(hub, ".."));
    servers.push(server);
    const url = `${server.url.replace("//", "//u:hidden-pass@")}/none.git`;
    await failing(() => fetchFrom(core, { name: "web", url }), /no repository at its address/, "hidden-pass");
  });
});

describe("the failure of a remote is reported in words (A-6)", () => {
  test("for a folder that is not a repository", async () => {
    const { core } = await three();
    await failing(() => fetchFrom(core, { name: "x", url: scratch() }), /no repository at its address/);
    await failing(() => fetchFrom(core, { name: "x", url: "/nowhere/x" }), /no repository at its address/);
  });

  test("for a host that cannot be reached", async () => {
    const { core } = await three();
    const socket = createServer();
    const { port } = await listening(socket);
    await new Promise((resolve) => socket.close(resolve));
    await failing(() => fetchFrom(core, { name: "x", url: `http://127.0.0.1:${port}/x` }), /cannot be reached/);
    await failing(() => fetchFrom(core, { name: "x", url: `git://127.0.0.1:${port}/x` }), /cannot be reached/);
  });

  test("for a host that never answers, within the time limit, and leaves no process", async () => {
    const { core } = await three();
    const silent = createSocket((socket) => socket.resume());
    const hungUp = new Promise((resolve) => {
      silent.on("connection", (socket) => socket.on("error", () => undefined).on("close", resolve));
    });
    const { port } = await listening(silent as never);
    servers.push(silent);
    const started = performance.now();
    await failing(
      () => fetchFrom(core, { name: "x", url: `http://u:hidden-pass@127.0.0.1:${port}/x` }, { timeoutMs: 500 }),
      /did not answer in time/,
      "hidden-pass",
    );
    await hungUp; // by the program that git had started to talk to it
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

async function failing(doing: () => Promise<unknown>, words: RegExp, secret = "no secret"): Promise<void> {
  const failure = await doing().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: "UPSTREAM_UNAVAILABLE", details: { part: "remote" } });
  if (!isFailure(failure)) return;
  expect(failure.message).toMatch(words);
  expect(failure.hint?.uk).not.toBe("");
  const whole = JSON.stringify([failure.text, failure.hint, failure.details]) + String(failure.cause) + failure.stack;
  expect(whole).not.toContain(secret);
}
