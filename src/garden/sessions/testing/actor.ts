import { writeSync } from "node:fs";
import { diskFolders } from "../../../adapters/folder/disk-folder.ts";
import { isProcessAlive } from "../../../adapters/process-mark.ts";
import { runProgram } from "../../../adapters/program/run-program.ts";
import { gitRepos } from "../../../adapters/repo/git/repos.ts";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { realWorld } from "../../../base/world.ts";
import { commitSession } from "../commit-session.ts";
import { commitWithTrace } from "../commit-with-trace.ts";
import { relateSessions } from "../edge-stream.ts";
import { execInSession } from "../exec-session.ts";
import { mergeSession } from "../merge-session.ts";
import type { SessionGarden } from "../session-garden.ts";
import { spawnSession, spawnSessionFrom } from "../spawn-session.ts";
import { sessionHead } from "../topology.ts";
import { recordTrace } from "../trace-buffer.ts";

/** The task of a process that works on sessions. */
export interface ActorTask {
  readonly dir: string;
  readonly act: "spawn" | "spawn-from" | "commit" | "traced" | "record" | "edge" | "merge" | "exec";
  readonly session: string;
  /** Prefix of its files and texts. */
  readonly name: string;
  readonly count: number;
  /** Kills itself with SIGKILL when it passes this crash point. */
  readonly crashAt?: string;
}

/** Started with one argument, an `ActorTask` as JSON. Prints the result of each act. */
const task = JSON.parse(process.argv[2]!) as ActorTask;
armCrashPoints((name) => {
  if (name !== task.crashAt) return;
  process.kill(process.pid, "SIGKILL");
  for (;;); // nothing may happen until the signal arrives
});
const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
const repo = await gitRepos({ environment, world: realWorld, maintainEvery: Number.POSITIVE_INFINITY }).open(task.dir);
const garden: SessionGarden = {
  repo,
  world: realWorld,
  folder: diskFolders({ world: realWorld }).at(task.dir),
  secrets: () => [],
};

const { session, name } = task;
/** Repeats a commit until it lands: a conflict means that another process was first. */
async function landed(path: string, commit: typeof commitSession | typeof commitWithTrace): Promise<string> {
  for (;;) {
    const done = await commit(garden, session, {
      expect: await sessionHead(repo, session),
      kind: "finding",
      message: path,
      tree: { edits: [{ path, bytes: Buffer.from(path) }] },
    });
    if (done.kind === "committed") return done.commit;
  }
}

const acts: Record<ActorTask["act"], (index: number) => Promise<unknown>> = {
  spawn: async () => (await spawnSession(garden, { name: session, briefing: { goal: name } })).kind,
  "spawn-from": async () => (await spawnSessionFrom(garden, session, { name, briefing: { goal: name } })).kind,
  commit: (index) => landed(`${name}/${index}`, commitSession),
  traced: (index) => landed(`${name}/${index}`, commitWithTrace),
  record: (index) => recordTrace(garden, session, { kind: "say", text: `${name} ${index} ${"x".repeat(300)}` }),
  edge: (index) => relateSessions(garden, { kind: "reviews", from: session, to: `${name}-${index}` }),
  exec: async () =>
    (
      await execInSession(
        garden,
        { session, command: ["sh", "-c", "echo said; echo x > done.md"] },
        {
          run: (call) => runProgram({ environment, show: () => undefined }, call),
          isAlive: isProcessAlive,
        },
      )
    ).commits.join(" "),
  merge: async () => (await mergeSession(garden, { into: session, from: name })).kind,
};
for (let index = 0; index < task.count; index++) writeSync(1, `${String(await acts[task.act](index))}\n`);
await repo.close();
