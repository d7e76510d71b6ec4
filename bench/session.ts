import { cp } from "node:fs/promises";
import { diskFolders } from "../src/adapters/folder/disk-folder.ts";
import { gitRepos } from "../src/adapters/repo/git/repos.ts";
import { realWorld } from "../src/base/world.ts";
import { commitSession } from "../src/garden/sessions/commit-session.ts";
import { commitWithTrace } from "../src/garden/sessions/commit-with-trace.ts";
import type { SessionGarden } from "../src/garden/sessions/session-garden.ts";
import { listSessions } from "../src/garden/sessions/session-views.ts";
import { spawnSession, spawnSessionAt } from "../src/garden/sessions/spawn-session.ts";
import { sessionHead } from "../src/garden/sessions/topology.ts";
import { recordTrace } from "../src/garden/sessions/trace-buffer.ts";
import type { Repo } from "../src/ports/repo.ts";
import type { Bench, Contender, Size } from "./harness.ts";
import { MAIN, noteBytes, notePath, type Repository, repositoryOf, scattered } from "./repository.ts";
import { committingByProcess } from "./rivals/git-by-process.ts";
import { git } from "./rivals/git-rival.ts";

const repos = gitRepos({ environment: process.env, world: realWorld });

/** S-3: typed commits of one changed file on the branch of a session, in a repository of many files. */
export const sessionCommits = ({ files }: Size, scratch: string): Bench[] => {
  const repository = repositoryOf(files, 1, scratch);
  return [false, true].map((withTrace) => ({
    name: `session commit of one of ${files} files, synced${withTrace ? ", with its trace" : ""}`,
    unit: "commits/s",
    workers: 1,
    ours: session(repository, files, withTrace),
    rivals: [committingByProcess(repository, files, 1)],
  }));
};

const session = (repository: Repository, files: number, withTrace: boolean): Contender => ({
  name: withTrace ? "session commit and note (synced)" : "session commit (synced)",
  async open(folder) {
    await repository(folder);
    const repo = await repos.open(folder);
    const garden: SessionGarden = {
      repo,
      world: realWorld,
      folder: diskFolders({ world: realWorld }).at(folder),
      secrets: () => [],
    };
    await spawnSessionAt(garden, (await repo.resolve(MAIN))!, { name: "scout", briefing: { goal: "Measure" } });
    let step = 0;
    return {
      async once() {
        const n = scattered(step++, files);
        if (withTrace) await recordTrace(garden, "scout", { kind: "say", text: `Change note ${n}` });
        const done = await (withTrace ? commitWithTrace : commitSession)(garden, "scout", {
          expect: await sessionHead(repo, "scout"),
          kind: "finding",
          message: "Change a note",
          tree: { edits: [{ path: notePath(n), bytes: noteBytes(n, step) }] },
        });
        if (done.kind !== "committed") throw new Error(done.kind);
      },
      close: () => repo.close(),
    };
  },
});

/** S-4: all sessions with their newest commits, by a process that has just opened the repository, as every command does. */
export const sessionLists = ({ files }: Size): Bench => {
  const count = Math.max(2, Math.min(1000, Math.floor(files / 10)));
  return {
    name: `list of ${count} sessions, right after opening`,
    unit: "ms",
    workers: 1,
    latency: true,
    ours: listing(count),
    rivals: [listingByProcess(count)],
  };
};

let made: string | undefined;

async function withSessions(folder: string, count: number): Promise<void> {
  if (made !== undefined) return cp(made, folder, { recursive: true });
  made = folder;
  await repos.init(folder);
  const repo = await repos.open(folder);
  const garden = { repo, world: realWorld, folder: diskFolders({ world: realWorld }).at(folder), secrets: () => [] };
  for (let n = 0; n < count; n++) await spawnSession(garden, { name: `session-${n}`, briefing: { goal: "Measure" } });
  await repo.close();
}

const listing = (count: number): Contender => ({
  name: "list of sessions",
  async open(folder) {
    await withSessions(folder, count);
    const opened: Repo[] = [];
    return {
      // Opening is not counted: a command opens the repository whatever it does.
      ready: async () => {
        while (opened.length < 20) opened.push(await repos.open(folder));
      },
      async once() {
        const repo = opened.pop();
        if (!repo) return "spent";
        await listSessions(repo);
        await repo.close();
        return undefined;
      },
      close: async () => {
        for (const repo of opened) await repo.close();
      },
    };
  },
});

/** Git's own list, with the messages that the list is made of. */
const listingByProcess = (count: number): Contender => ({
  name: "git for-each-ref",
  async open(folder) {
    await withSessions(folder, count);
    return {
      async once() {
        await git(folder, ["for-each-ref", "--format=%(refname) %(authordate) %(contents)", "refs/heads/agents/"]);
      },
      close: async () => undefined,
    };
  },
});
