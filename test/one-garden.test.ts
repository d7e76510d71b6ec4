import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isThorough } from "../src/base/testing/tries.ts";
import { files, git, scratch } from "../src/garden/testing/scratch.ts";
import { bloom, started } from "./bloom.ts";

/** The whole program in separate processes: serving, signals, ports, and failures. */
const place = mkdtempSync(join(tmpdir(), "bloom-one-garden-"));
const made = join(place, "rose");
beforeAll(async () => {
  files(made, { "notes/a.md": "a\n" });
  expect((await bloom("/", ["init", made])).exit).toBe(0);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** A copy of the garden that the program has made once. */
const garden = (): string => {
  const dir = join(scratch(), "rose");
  cpSync(made, dir, { recursive: true });
  return dir;
};
const address = (line: string): string => /http:\S+/.exec(line)![0];

describe("bloom up", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("prints its address, serves, and ends with 0 on %s", async (signal) => {
    const running = await started(garden(), ["up", "--port", "0"]);
    const health = await fetch(`${address(running.line)}health`);
    expect({ status: health.status, health: await health.json() }).toMatchObject({
      status: 200,
      health: { status: "ok" },
    });
    running.process.kill(signal);
    expect(await running.ended).toEqual({ code: 0, signal: null, err: "" });
  });

  test("U-3 at all addresses, prints a link that this machine can open, and warns that HTTP is not encrypted", async () => {
    const running = await started(garden(), ["up", "--host", "0.0.0.0", "--port", "0"]);
    const health = await fetch(`${address(running.line)}health`);
    expect({ line: running.line, status: health.status }).toEqual({
      line: expect.stringContaining("http://127.0.0.1:"),
      status: 200,
    });
    running.process.kill("SIGTERM");
    await running.ended;
    expect(running.said()).toMatch(/! Plain HTTP: [^]*sign in, open this link in your browser: http:\/\/127\.0\.0\.1:/);
  });

  test("ends at once on the second signal", async () => {
    const dir = garden();
    const running = await started(dir, ["up", "--port", "0"]);
    // A request that never ends keeps the first one waiting.
    const socket = (await import("node:net")).connect(Number(new URL(address(running.line)).port), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n1");
    await new Promise((resolve) => setTimeout(resolve, 200));
    const from = performance.now();
    running.process.kill("SIGTERM");
    await new Promise((resolve) => setTimeout(resolve, 100));
    running.process.kill("SIGTERM");
    await running.ended;
    expect(performance.now() - from).toBeLessThan(10_000);
    socket.destroy();
    expect((await bloom(dir, ["verify"])).exit).toBe(0);
  });

  test("uses PORT, and fails with a message when that port is in use", async () => {
    const dir = garden();
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const port = String((taken.address() as { port: number }).port);
    const ended = await (await started(dir, ["up"], { PORT: port })).ended;
    expect({ code: ended.code, err: ended.err }).toEqual({
      code: 5,
      err: `bloom: cannot listen at 127.0.0.1, port ${port}: it is in use\n→ Choose another one with \`--port N\` or \`--host H\`.\n`,
    });
    taken.close();
  });

  test("uses the next free port when the default one is in use", async () => {
    const first = await started(garden(), ["up"]);
    const second = await started(garden(), ["up"]);
    const ports = [first, second].map(({ line }) => Number(new URL(address(line)).port));
    expect({ ports: new Set(ports).size, areUsual: ports.every((port) => port >= 4440 && port < 4450) }).toEqual({
      ports: 2,
      areUsual: true,
    });
    for (const { process: child, ended } of [first, second]) {
      child.kill("SIGTERM");
      await ended;
    }
  });

  test("G-6 other commands work through the process that owns the garden", async () => {
    const dir = garden();
    const running = await started(dir, ["up", "--port", "0"]);
    const status = JSON.parse((await bloom(dir, ["status", "--json"])).out) as { store: { role: string } };
    expect({
      role: status.store.role,
      verify: (await bloom(dir, ["verify"])).exit,
      backup: (await bloom(dir, ["backup"])).exit,
    }).toEqual({ role: "client", verify: 0, backup: 0 });
    running.process.kill("SIGTERM");
    await running.ended;
  });

  test("G-6 a garden whose owner died and left its lock opens again", async () => {
    const dir = garden();
    const running = await started(dir, ["up", "--port", "0"]);
    running.process.kill("SIGKILL");
    await running.ended;
    expect(readdirSync(join(dir, ".bloom"))).toContain("owner.json");
    const status = await bloom(dir, ["status", "--json"]);
    expect({ exit: status.exit, role: (JSON.parse(status.out) as { store: { role: string } }).store.role }).toEqual({
      exit: 0,
      role: "owner",
    });
  });
});

describe("an error is one line of message and one line of hint for", () => {
  const gitFolder = (script: string | undefined): string => {
    const dir = scratch();
    if (script === undefined) return dir;
    writeFileSync(join(dir, "git"), `#!/bin/sh\n${script}\n`);
    chmodSync(join(dir, "git"), 0o755);
    return dir;
  };

  test.each([
    ["a missing git", undefined, /git could not be started/],
    ["a git that is too old", 'echo "git version 2.20.0"', /2\.20/],
  ])("%s", async (_, script, says) => {
    const dir = join(scratch(), "rose");
    const { exit, out, err } = await bloom("/", ["init", dir], { PATH: gitFolder(script) });
    expect({ exit, out, err }).toEqual({ exit: 7, out: "", err: expect.stringMatching(says) });
    expect({ lines: err.trim().split("\n").length, namesVersion: err.includes("2.39") }).toEqual({
      lines: 2,
      namesVersion: true,
    });
    expect(readdirSync(join(dir, ".."))).toEqual([]);
  });

  test("a locked ref", async () => {
    const dir = scratch();
    git(dir, "init", "-q", "-b", "main");
    files(dir, { "a.md": "a" });
    git(dir, "add", ".");
    git(dir, "commit", "-qm", "a");
    mkdirSync(join(dir, ".git/refs/heads/main.lock")); // a folder: nobody can take it away as stale
    files(dir, { ".git/refs/heads/main.lock/held": "" });
    const { exit, err } = await bloom(dir, ["init"]);
    expect({ succeeded: exit === 0, lines: err.trim().split("\n").length, hasStack: err.includes("    at ") }).toEqual({
      succeeded: false,
      lines: 2,
      hasStack: false,
    });
    expect({
      subjects: git(dir, "log", "--format=%s"),
      uncommitted: git(dir, "status", "--porcelain"),
      hasMachineFolder: readdirSync(dir).includes(".bloom"),
    }).toEqual({ subjects: "a", uncommitted: "", hasMachineFolder: false });
  });

  test("a broken repository", async () => {
    const dir = garden();
    writeFileSync(join(dir, ".git/HEAD"), "rubbish\n");
    const { exit, err } = await bloom(dir, ["status"]);
    expect({ succeeded: exit === 0, lines: err.trim().split("\n").length, hasStack: err.includes("    at ") }).toEqual({
      succeeded: false,
      lines: 2,
      hasStack: false,
    });
  });

  test.runIf(existsSync("/sys/kernel"))("a read-only folder", async () => {
    const { exit, err } = await bloom("/", ["init", "/sys/rose"]);
    expect({ exit, err }).toEqual({ exit: 4, err: expect.stringMatching(/^bloom: .*\/sys\/rose\n→ .+\n$/) });
  });

  test("a store that this version does not have", async () => {
    const dir = garden();
    files(dir, { "garden.yaml": "version: 2\nname: x\nstore: { kind: tape, drive: b }\n" });
    expect(await bloom(dir, ["status"])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('garden.yaml:3 store.kind: found "tape"'),
    });
  });

  test("a folder that cannot be created", async () => {
    const dir = scratch();
    files(dir, { file: "x" });
    const { exit, err } = await bloom(dir, ["init", "file/rose"]);
    expect({ exit, err }).toEqual({ exit: 5, err: expect.stringContaining("→ ") });
  });
});

describe("remotes of garden.yaml", () => {
  const withRemote = (dir: string, url: string): void => {
    files(dir, { "garden.yaml": `version: 2\nname: x\nremotes: { origin: { url: "${url}" } }\n` });
    git(dir, "commit", "-qam", "a remote");
  };

  test("push, fetch and pull synchronise main between two gardens, and a conflict changes nothing", async () => {
    const [hub, one] = [scratch(), garden()];
    git(hub, "init", "-q", "--bare", "-b", "main");
    withRemote(one, hub);
    expect((await bloom(one, ["push"])).exit).toBe(0);
    const two = join(scratch(), "two");
    git("/", "clone", "-q", hub, two);
    files(two, { "notes/b.md": "b\n" });
    git(two, "add", ".");
    git(two, "commit", "-qm", "b");
    expect({
      push: (await bloom(two, ["push"])).exit,
      fetch: (await bloom(one, ["fetch"])).exit,
      pull: (await bloom(one, ["pull"])).exit,
    }).toEqual({ push: 0, fetch: 0, pull: 0 });
    expect({
      note: readFileSync(join(one, "notes/b.md"), "utf8"),
      uncommitted: git(one, "status", "--porcelain"),
    }).toEqual({ note: "b\n", uncommitted: "" });
    for (const dir of [one, two]) {
      files(dir, { "notes/a.md": `${dir}\n` });
      git(dir, "commit", "-qam", "both");
    }
    const before = git(two, "rev-parse", "HEAD");
    expect({
      first: (await bloom(one, ["push"])).exit,
      second: (await bloom(two, ["push"])).exit,
      pulled: await bloom(two, ["pull"]),
    }).toEqual({
      first: 0,
      second: 5,
      pulled: { exit: 5, out: "", err: expect.stringMatching(/notes\/a\.md:1 .*\n→ Nothing was changed/) },
    });
    expect({ head: git(two, "rev-parse", "HEAD"), uncommitted: git(two, "status", "--porcelain") }).toEqual({
      head: before,
      uncommitted: "",
    });
  });

  test("a missing remote is refused with a suggestion", async () => {
    const dir = garden();
    withRemote(dir, "/nonexistent");
    expect(await bloom(dir, ["fetch", "orgin"])).toEqual({
      exit: 3,
      out: "",
      err: "bloom: no remote orgin in garden.yaml\n→ Did you mean origin?\n",
    });
    const away = await bloom(dir, ["fetch"]);
    expect({ succeeded: away.exit === 0, lines: away.err.trim().split("\n").length }).toEqual({
      succeeded: false,
      lines: 2,
    });
  });
});

/** The Ukrainian demo alone in `npm test`: its texts are the longer ones. */
test.each(isThorough ? ["en", "uk"] : ["uk"])(
  "U-3 the demo of npm start in %s is made once, its agents run without a key, and its proposals can be decided",
  async (lang) => {
    const dir = join(scratch(), "demo/garden");
    const [first, second] = [
      await bloom("/", ["demo", dir, "--lang", lang]),
      await bloom("/", ["demo", dir, "--lang", lang]),
    ];
    expect({ first: first.exit, second: second.exit, isSame: first.out === second.out }).toEqual({
      first: 0,
      second: 0,
      isSame: false,
    });
    const status = JSON.parse((await bloom(dir, ["status", "--json"])).out) as Record<string, unknown>;
    expect({
      notes: status["notes"],
      agents: status["agents"],
      pending: status["pending"],
      uncommitted: status["uncommitted"],
    }).toEqual({
      notes: 10,
      agents: ["archivist", "gardener", "librarian", "optimizer", "test-echo"],
      pending: 2,
      uncommitted: [],
    });
    const question = lang === "uk" ? "питання=Коли цвіте стара липа?" : "question=When does the lime tree bloom?";
    const ran = [["test-echo"], ["gardener"], ["archivist"], ["optimizer"], ["librarian", "--input", question]];
    const exits: (number | null)[] = [];
    for (const run of ran) exits.push((await bloom(dir, ["run", ...run, "--wait"])).exit);
    expect(exits).toEqual([0, 0, 0, 0, 9]);
    expect((await bloom(dir, ["requests", "answer", "01", "--choice", "2", "--wait"])).exit).toBe(0);
    const { proposals } = JSON.parse((await bloom(dir, ["proposals", "--json"])).out) as {
      proposals: { id: string }[];
    };
    const approved = await bloom(dir, ["proposals", "approve", ...proposals.map(({ id }) => id), "--yes"]);
    expect({
      approved: approved.exit,
      proposals: proposals.length,
      verify: (await bloom(dir, ["verify"])).exit,
    }).toEqual({ approved: 0, proposals: 12, verify: 0 });
  },
);
