import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isProcessAlive } from "../../adapters/process-mark.ts";
import { runProgram } from "../../adapters/program/run-program.ts";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { closeGarden, openGarden } from "../../garden/core/garden.ts";
import { initGarden } from "../../garden/life/init.ts";
import { commitSession } from "../../garden/sessions/commit-session.ts";
import { commitWithTrace } from "../../garden/sessions/commit-with-trace.ts";
import type { ExecReport } from "../../garden/sessions/exec-session.ts";
import { sessionHead } from "../../garden/sessions/topology.ts";
import { recordTrace } from "../../garden/sessions/trace-buffer.ts";
import type { CommitTraces } from "../../garden/sessions/traces.ts";
import { scratch, testPorts } from "../../garden/testing/scratch.ts";
import type { ProgramCall } from "../../ports/program.ts";
import type { CommandContext } from "../command.ts";
import { sessionCommand } from "../commands/session.ts";

test("S-2 S-4 S-5 bloom session spawns, lists, merges and shows sessions of a garden", async () => {
  const dir = scratch();
  const ground = testPorts(fixedWorld("2026-02-14T08:00:00Z", 1000));
  await initGarden(ground, dir, { language: "en" });
  const bloom = (words: readonly string[], options: Record<string, string> = {}) =>
    sessionCommand.run({ words, options, ground, gardenDir: async () => dir } as unknown as CommandContext);
  expect((await bloom([])).text.en).toContain("no sessions");
  await bloom(["spawn", "scout"], { goal: "Sort the inbox" });
  await bloom(["spawn", "helper"], { goal: "Links", from: "scout" });
  await expect(bloom(["spawn", "scout"], { goal: "Again" })).rejects.toMatchObject({ code: "DUPLICATE_ENTRY" });
  await expect(bloom(["spawn", "other"])).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  const garden = await openGarden(ground, dir);
  await commitSession(garden, "helper", {
    expect: await sessionHead(garden.repo, "helper"),
    kind: "finding",
    message: "A dead link",
    tree: { edits: [{ path: "notes/links.md", bytes: Buffer.from("x\n") }] },
  });
  await closeGarden(garden);
  expect((await bloom(["graph"])).text.en).toBe("scout\n  helper");
  expect((await bloom(["merge", "helper", "scout"])).json).toMatchObject({ kind: "merged" });
  expect((await bloom(["merge", "helper", "scout"])).json).toEqual({ kind: "up-to-date" });
  expect((await bloom(["show", "scout"])).json).toMatchObject({
    goal: "Sort the inbox",
    subAgents: ["helper"],
    isMoved: false,
    commits: [{ kind: "session-merge", merged: "helper" }, { kind: "spawn" }],
  });
  expect((await bloom(["log", "helper"])).text.en.split("\n")).toHaveLength(2);
  expect((await bloom(["trace", "scout"])).text.en).toBe("no traces");
  expect((await bloom(["rebind"])).json).toEqual({ bound: [], orphans: [] });
  await expect(bloom(["show", "nobody-here"])).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("S-5 S-6 bloom session resolve concludes a merge with texts from a folder, and history shows the traces of a commit", async () => {
  const dir = scratch();
  const ground = testPorts(fixedWorld("2026-02-14T08:00:00Z", 1000));
  await initGarden(ground, dir, { language: "en" });
  const bloom = (words: readonly string[], options: Record<string, string | readonly string[]> = {}) =>
    sessionCommand.run({
      words,
      options,
      ground,
      gardenDir: async () => dir,
      path: (written: string) => written,
    } as unknown as CommandContext);
  const both = { "notes/a.md": "1\n", "notes/gone.md": "1\n" };
  const sides = {
    scout: { "notes/a.md": "ours\n", "notes/gone.md": undefined, "notes/b.md": "only ours\n" },
    helper: { "notes/a.md": "theirs\n", "notes/gone.md": "2\n", "notes/c.md": "only theirs\n" },
  };
  const write = async (name: string, files: Readonly<Record<string, string | undefined>>): Promise<string> => {
    const garden = await openGarden(ground, dir);
    await recordTrace(garden, name, { kind: "say", text: `for ${name}` });
    const done = await commitWithTrace(garden, name, {
      expect: await sessionHead(garden.repo, name),
      kind: "finding",
      message: "Work",
      tree: {
        edits: Object.entries(files).map(([path, text]) => ({
          path,
          bytes: text === undefined ? text : Buffer.from(text),
        })),
      },
    });
    await closeGarden(garden);
    return done.kind === "committed" ? done.commit : done.kind;
  };
  await bloom(["spawn", "scout"], { goal: "Sort the inbox" });
  await write("scout", both);
  await bloom(["spawn", "helper"], { goal: "Links", from: "scout" });
  const commit = await write("scout", sides.scout);
  await write("helper", sides.helper);
  const folder = join(scratch(), "conflicts");
  const merged = await bloom(["merge", "helper", "scout"], { folder });
  const { ours, theirs } = merged.json as { ours: string; theirs: string };
  expect([merged.exit, ours, readFileSync(join(folder, "notes/a.md"), "utf8")]).toEqual([
    5,
    commit,
    `<<<<<<< ${ours}\nours\n=======\ntheirs\n>>>>>>> ${theirs}\n`,
  ]);
  const resolve = (options: Record<string, string | readonly string[]>) =>
    bloom(["resolve", "helper", "scout"], { folder, ours, theirs, ...options });
  await expect(resolve({ delete: ["notes/gone.md"] })).rejects.toMatchObject({ details: { paths: ["notes/a.md"] } });
  writeFileSync(join(folder, "notes/a.md"), "both\n");
  rmSync(join(folder, "notes/gone.md"));
  await expect(resolve({})).rejects.toMatchObject({ details: { paths: ["notes/gone.md"] } });
  await expect(resolve({ delete: ["notes/gone.md", "notes/b.md"] })).rejects.toMatchObject({
    details: { paths: ["notes/b.md"] },
  });
  await expect(resolve({ delete: ["notes/gone.md"], ours: theirs })).rejects.toMatchObject({
    code: "CONCURRENT_MODIFICATION",
  });
  const done = (await resolve({ delete: ["notes/gone.md"] })).json as { commit: string };
  const garden = await openGarden(ground, dir);
  const read = async (path: string) => {
    const file = await garden.repo.read(done.commit, path);
    return file && Buffer.from(file.bytes).toString();
  };
  expect(await Promise.all(["a", "b", "c", "gone"].map((name) => read(`notes/${name}.md`)))).toEqual([
    "both\n",
    "only ours\n",
    "only theirs\n",
    undefined,
  ]);
  await closeGarden(garden);
  const history = (await bloom(["history", commit.slice(0, 12)])).json as CommitTraces;
  expect([history.commit, history.history.length, history.traces[0]?.entries[0]?.text]).toEqual([
    commit,
    1,
    "for scout",
  ]);
  await expect(bloom(["history", commit], { notes: "abcd" })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("S-11 bloom session exec passes the exit code on and says where the changes of a failed program are", async () => {
  const dir = scratch();
  const ground = testPorts(fixedWorld("2026-02-14T08:00:00Z", 1000));
  await initGarden(ground, dir, { language: "en" });
  const program = {
    run: (call: ProgramCall) => runProgram({ environment: process.env, show: () => undefined }, call),
    isAlive: isProcessAlive,
  };
  const bloom = (words: readonly string[], options: Record<string, string | boolean> = {}) =>
    sessionCommand.run({
      words,
      options,
      ground,
      machine: { program },
      gardenDir: async () => dir,
    } as unknown as CommandContext);
  await bloom(["spawn", "scout"], { goal: "Sort the inbox" });
  const exec = (script: string, options = {}) => bloom(["exec", "scout", "sh", "-c", script], options);
  const done = await exec('test "$BLOOM_GARDEN" != "$PWD" && echo x > x.md', { kind: "test", message: "An x" });
  expect([done.exit, (done.json as ExecReport).commits.length]).toEqual([0, 1]);
  expect((await bloom(["log", "scout"])).text.en.split("\n")[0]).toMatch(/test +An x$/);
  const failed = await exec("echo y > y.md; exit 4");
  expect([failed.exit, failed.text.en.includes("bloom session exec scout --take")]).toEqual([4, true]);
  await expect(bloom(["exec", "scout"])).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  await expect(exec("true", { kind: "no-such-kind" })).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
  expect((await bloom(["exec", "scout"], { take: true })).json).toMatchObject({ commits: [expect.any(String)] });
  await expect(exec("true", { kind: "no-such-kind" })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  await expect(bloom(["exec", "scout"], { discard: true })).rejects.toMatchObject({ code: "NOT_FOUND" });
});
