import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isProcessAlive } from "../../adapters/process-mark.ts";
import { runProgram } from "../../adapters/program/run-program.ts";
import { environment } from "../../adapters/repo/git/testing/scratch.ts";
import { ranNode } from "../../base/testing/ran-node.ts";
import { testProgram } from "../../base/testing/test-program.ts";
import { machine } from "../../domain/layout.ts";
import { decodeTypedCommit } from "../../domain/session/typed-commit.ts";
import {
  discardKeptWork,
  type ExecReport,
  execInSession,
  keptWork,
  type ProgramHost,
  takeKeptWork,
} from "./exec-session.ts";
import { committed } from "./testing/branch-checks.ts";
import { codeOf, newSpace, reopened, type SessionSpace, spawned } from "./testing/space.ts";
import { textsOf } from "./testing/trace-checks.ts";
import { sessionHead, sessionLog } from "./topology.ts";
import { pendingTrace } from "./trace-buffer.ts";

const host: ProgramHost = {
  run: (call) => runProgram({ environment: { ...environment, SPACE: "hunter2hunter2" }, show: () => undefined }, call),
  isAlive: isProcessAlive,
};

/** A session with one file; `sh` runs a script in it. */
async function worked(): Promise<SessionSpace & { readonly sh: (script: string) => Promise<ExecReport> }> {
  const space = await newSpace({ secrets: ["hunter2hunter2"] });
  await spawned(space, "scout");
  await committed(space, "scout", { "notes/a.md": "a\n" });
  return {
    ...space,
    sh: (script) => execInSession(space, { session: "scout", command: ["sh", "-c", script] }, host),
  };
}
const filesAt = async (space: SessionSpace): Promise<Record<string, string>> => {
  const head = await sessionHead(space.repo, "scout");
  const files = await space.repo.list(head, "");
  return Object.fromEntries(files.map(({ path }) => [path, space.git("show", `${head}:${path}`)]));
};
const copyOf = (space: SessionSpace): string => join(space.dir, machine.programCopy("scout"));

describe("S-6 S-11 a program of the owner in a session", () => {
  test("changed files become one typed commit, and the console is its trace, without secrets", async () => {
    const space = await worked();
    const script = 'echo "key $SPACE"; echo oops >&2; echo b > notes/b.md; rm notes/a.md';
    const { commits, exit } = await space.sh(script);
    const { message } = await space.repo.commit(commits[0]!);
    expect([exit, commits.length, await filesAt(space)]).toEqual([0, 1, { "notes/b.md": "b" }]);
    expect(decodeTypedCommit(message)).toMatchObject({ kind: "agent-commit", fields: { agent: "scout", exit: 0 } });
    expect((await textsOf(space, commits[0]!)).toSorted()).toEqual(
      [`sh -c ${script}`, "key [redacted]\n", "oops\n", "0"].toSorted(),
    );
    expect([existsSync(copyOf(space)), await keptWork(space)]).toEqual([false, []]);
  });

  test("commits of the program are taken over as typed ones, the rest is one more, and nothing else moves", async () => {
    const space = await worked();
    const others = (): string[] =>
      space
        .git("for-each-ref")
        .split("\n")
        .filter((line) => !/refs\/heads\/agents\/scout$|refs\/notes\/trace$/.test(line));
    const before = others();
    const { commits } = await space.sh(
      "echo 1 > one && git add one && git commit -qm 'First\n\nWith a body' && echo 2 > two && git add two && git commit -qm Second && echo 3 > three",
    );
    const log = (await sessionLog(space.repo, "scout")).commits.slice(0, 3).map(({ typed }) => typed);
    expect(log.map((typed) => [typed?.message, typed?.body])).toEqual([
      [expect.stringContaining("sh -c"), ""],
      ["Second", ""],
      ["First", "With a body"],
    ]);
    expect([commits.length, Object.keys(await filesAt(space))]).toEqual([3, ["notes/a.md", "one", "three", "two"]]);
    expect(others()).toEqual(before);
    expect(space.git("fsck", "--strict", "--no-dangling")).toBe("");
  });

  const rewriting: readonly (readonly [string, string])[] = [
    ["amends a commit that it was given", "echo n > notes/a.md && git commit -qa --amend -m Mine"],
    ["begins a history of its own", "echo n > notes/a.md && git checkout -q --orphan x && git commit -qm Mine"],
    ["deletes .git", "echo n > notes/a.md && rm -rf .git"],
    [
      "turns on hooks and filters",
      "echo n > notes/a.md; echo '* filter=x' > .git/../.gitattributes; git config filter.x.clean 'echo evil'",
    ],
  ];
  test.each(rewriting)("a program that %s leaves its files as one commit on the session's head", async (_, script) => {
    const space = await worked();
    const head = await sessionHead(space.repo, "scout");
    const { commits } = await space.sh(script);
    expect([commits.length, (await space.repo.commit(commits[0]!)).parents]).toEqual([1, [head]]);
    expect((await filesAt(space))["notes/a.md"]).toBe("n");
  });

  test("a program that changed nothing leaves an empty commit with its console, whatever its exit code", async () => {
    const space = await worked();
    const { commits, exit } = await space.sh("echo all tests fail; exit 3");
    const [parent] = (await space.repo.commit(commits[0]!)).parents;
    expect([exit, await space.repo.changes(parent, commits[0]!)]).toEqual([3, []]);
    expect(await textsOf(space, commits[0]!)).toContain("all tests fail\n");
  });

  test("changes of a program that failed are kept until the owner takes or deletes them", async () => {
    const space = await worked();
    const head = await sessionHead(space.repo, "scout");
    const failed = await space.sh("echo half > half.md; exit 9");
    expect([failed.exit, failed.commits, await sessionHead(space.repo, "scout")]).toEqual([9, [], head]);
    expect([readFileSync(join(failed.kept!, "half.md"), "utf8"), await keptWork(space)]).toEqual(["half\n", ["scout"]]);
    expect(await codeOf(space.sh("true"))).toBe("INVALID_TRANSITION");
    writeFileSync(join(failed.kept!, "half.md"), "whole\n");
    const taken = await takeKeptWork(space, "scout", host);
    expect([taken.commits.length, (await filesAt(space))["half.md"]]).toEqual([1, "whole"]);
    expect(await textsOf(space, taken.commits[0]!)).toContain("9");
    await space.sh("echo bad > bad.md; exit 1");
    await discardKeptWork(space, "scout", host);
    expect([existsSync(copyOf(space)), await codeOf(takeKeptWork(space, "scout", host))]).toEqual([false, "NOT_FOUND"]);
  });

  const refused: readonly (readonly [path: string, script: string])[] = [
    [".bloom/x", "mkdir .bloom && echo x > .bloom/x"],
    ["out", "ln -s ../../../.. out"],
    ["etc", "ln -s /etc etc"],
    ["inner", "git init -q inner && cd inner && git -c user.name=x -c user.email=x@x commit -q --allow-empty -m x"],
    ["gone", "ln -s /etc gone && git add gone && git commit -qm x && git rm -q gone && git commit -qm y"],
  ];
  test.each(refused)("%s is refused by name, and the work is kept", async (path, script) => {
    const space = await worked();
    const head = await sessionHead(space.repo, "scout");
    const failure = await space.sh(`echo n > n.md; ${script}`).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "VALIDATION_FAILED", details: { paths: [path] } });
    expect([await sessionHead(space.repo, "scout"), await keptWork(space)]).toEqual([head, ["scout"]]);
  });

  test("a link inside of the files is kept as a link", async () => {
    const space = await worked();
    await space.sh("ln -s a.md notes/link");
    expect(space.git("ls-tree", "agents/scout", "notes/link")).toMatch(/^120000 /);
  });

  test("a session that moved meanwhile is merged with the work; a conflict keeps the work and names the paths", async () => {
    const space = await worked();
    const during = (files: Record<string, string>, script: string): Promise<ExecReport> =>
      execInSession(
        space,
        { session: "scout", command: ["sh", "-c", script] },
        {
          ...host,
          run: async (call) => {
            await committed(space, "scout", files);
            return host.run(call);
          },
        },
      );
    const apart = await during({ "notes/a.md": "a\n", "other.md": "o\n" }, "echo b > b.md");
    expect([apart.merged, Object.keys(await filesAt(space))]).toEqual([true, ["b.md", "notes/a.md", "other.md"]]);
    const clash = await during({ "notes/a.md": "theirs\n" }, "echo ours > notes/a.md").catch((error: unknown) => error);
    expect(clash).toMatchObject({ code: "CONCURRENT_MODIFICATION", details: { paths: ["notes/a.md"] } });
    const head = await sessionHead(space.repo, "scout");
    const tree = join(copyOf(space), "tree");
    for (const args of [
      ["commit", "-qam", "Mine"],
      ["merge", "-q", "-s", "ours", "-m", "Both", head],
    ])
      space.git("-C", tree, ...args);
    const taken = await takeKeptWork(space, "scout", host);
    expect([taken.merged, (await filesAt(space))["notes/a.md"], await keptWork(space)]).toEqual([true, "ours", []]);
    expect(space.git("merge-base", "--is-ancestor", head, "agents/scout")).toBe("");
  });

  test("a second program in the same session is refused while the first one runs", async () => {
    const space = await worked();
    let second: string | undefined;
    await execInSession(
      space,
      { session: "scout", command: ["true"] },
      {
        ...host,
        run: async (call) => {
          second = await codeOf(space.sh("true"));
          return host.run(call);
        },
      },
    );
    expect(second).toBe("CONCURRENT_MODIFICATION");
  });

  test("a program that does not exist leaves nothing behind", async () => {
    const space = await worked();
    const command = ["no-such-program-here"];
    expect(await codeOf(execInSession(space, { session: "scout", command }, host))).toBe("NOT_FOUND");
    expect([await keptWork(space), existsSync(copyOf(space))]).toEqual([[], false]);
  });

  test("a secret that a line without an end splits is not recorded, and a console of many megabytes is cut", async () => {
    const space = await worked();
    const { commits } = await space.sh(
      "head -c 70000 /dev/zero | tr '\\0' x; printf hunter2; sleep 0.1; printf 'hunter2\\n'; head -c 12000000 /dev/zero | tr '\\0' y",
    );
    const texts = (await textsOf(space, commits[0]!)).slice(1); // the first is the command, which has the halves
    expect([texts.join("").includes("hunter2"), (await pendingTrace(space, "scout")).entries]).toEqual([false, []]);
    expect(texts.join("").length).toBeLessThan(9_000_000);
    expect(texts.at(-2)).toMatch(/^\d+ more characters were not recorded$/);
  });

  test.each([
    ["in pieces that are recorded one by one", 64 * 1024, 2],
    ["faster than it is recorded", 4 * 1024 * 1024, 2],
    ["in short lines", 500, 2],
  ])(
    "a console of nine megabytes, %s: the trace has its beginning, what was cut, and the exit",
    async (_, size, most) => {
      const space = await worked();
      const line = Buffer.from(`${"z".repeat(size - 1)}\n`);
      const run: ProgramHost["run"] = async ({ output }) => {
        for (let sent = 0; sent < 9_000_000; sent += size) {
          output("stdout", line);
          if (size < 1024 * 1024) await new Promise(setImmediate);
        }
        return { exit: 0 };
      };
      const { commits } = await execInSession(space, { session: "scout", command: ["loud"] }, { ...host, run });
      const texts = await textsOf(space, commits[0]!);
      const cut = Number(/^(\d+) more characters/.exec(texts.at(-2)!)?.[1]);
      const recorded = texts.slice(1, -2).join("").length;
      expect([texts[0], texts.at(-1), recorded + cut, recorded > most * 1024 * 1024]).toEqual([
        "loud",
        "0",
        Math.ceil(9_000_000 / size) * size,
        true,
      ]);
    },
  );
});

/** Killed here, the work is in the copy, in the session, or in both: taking it up again leaves it once. */
const points = [
  "session.exec.copied",
  "session.exec.ended",
  "session.exec.built",
  "repo.move.prepared",
  "repo.move.after-swap",
  "session.exec.landed",
  "session.exec.removed",
];

test.each(points)("S-6 exec killed at %s loses and doubles nothing", async (crashAt) => {
  const space = await worked();
  const task = { dir: space.dir, session: "scout", name: "x", count: 1, act: "exec", crashAt };
  const program = testProgram(join(import.meta.dirname, "testing/actor.ts"));
  expect((await ranNode([program, JSON.stringify(task)], { env: environment })).signal).toBe("SIGKILL");
  const again = await reopened(space.dir);
  const isKept = (await keptWork(again)).length > 0;
  expect(isKept).toBe(crashAt !== "session.exec.removed");
  if (isKept) await takeKeptWork(again, "scout", host);
  const { commits } = await sessionLog(again.repo, "scout");
  const ran = crashAt !== "session.exec.copied";
  expect([commits.length, (await filesAt(again))["done.md"]]).toEqual(ran ? [3, "x"] : [2, undefined]);
  const texts = (await Promise.all(commits.map(({ commit }) => textsOf(again, commit.oid)))).flat();
  expect(texts.filter((text) => text === "said\n")).toHaveLength(ran ? 1 : 0);
  expect([await keptWork(again), again.git("fsck", "--strict", "--no-dangling")]).toEqual([[], ""]);
});
