import { gitRepos } from "../src/adapters/repo/git/repos.ts";
import { realWorld } from "../src/base/world.ts";
import type { Contender } from "./harness.ts";
import { branchRef, MAIN, noteBytes, notePath, type Repository, scattered } from "./repository.ts";

const repos = gitRepos({ environment: process.env, world: realWorld });

/** Commits of one file each, through the port: on branches that are not checked out, or on the one that is. */
export const committing = (
  repository: Repository,
  files: number,
  workers: number,
  refOf: (worker: number) => string = branchRef,
): Contender => ({
  name: "git adapter (synced)",
  async open(folder) {
    await repository(folder);
    const repo = await repos.open(folder);
    const heads = new Map<number, string>();
    for (let worker = 0; worker < workers; worker++) heads.set(worker, (await repo.resolve(refOf(worker)))!);
    let step = 0;
    return {
      async once(worker) {
        const n = scattered(step++, files);
        const from = heads.get(worker)!;
        const who = { name: "Bench", email: "bench@example.org", at: (1_700_000_000 + step) * 1000 };
        const to = await repo.build({
          parents: [from],
          edits: [{ path: notePath(n), bytes: noteBytes(n, step) }],
          author: who,
          committer: who,
          message: "Change a note",
        });
        const moved = await repo.move([{ ref: refOf(worker), from, to }], "bench");
        if (moved.kind !== "moved" || moved.followed.behind.length > 0)
          throw new Error(`the move of ${refOf(worker)} ended as ${JSON.stringify(moved)}`);
        heads.set(worker, to);
      },
      close: () => repo.close(),
    };
  },
});

/** Reads of files at the head of `main`, the ref resolved each time. */
export const reading = (repository: Repository, files: number): Contender => ({
  name: "git adapter",
  async open(folder) {
    await repository(folder);
    const repo = await repos.open(folder);
    let step = 0;
    return {
      async once() {
        const path = notePath(scattered(step++, files));
        const file = await repo.read((await repo.resolve(MAIN))!, path);
        if (file === undefined) throw new Error(`${path} is missing`);
      },
      close: () => repo.close(),
    };
  },
});
