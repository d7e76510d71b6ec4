import { gitRepos } from "../src/adapters/repo/git/repos.ts";
import { realWorld } from "../src/base/world.ts";
import type { Contender } from "./harness.ts";
import { branchRef, MAIN, noteBytes, notePath, scattered } from "./repository.ts";

const repos = gitRepos({ environment: process.env, world: realWorld });

/** Commits of one file each on branches that are not checked out, through the port. */
export const committing = (
  repository: (folder: string) => Promise<void>,
  files: number,
  workers: number,
): Contender => ({
  name: "git adapter (synced)",
  async open(folder) {
    await repository(folder);
    const repo = await repos.open(folder);
    const heads = new Map<number, string>();
    for (let worker = 0; worker < workers; worker++) heads.set(worker, (await repo.resolve(branchRef(worker)))!);
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
        const { kind } = await repo.move([{ ref: branchRef(worker), from, to }], "bench");
        if (kind !== "moved") throw new Error(`the move of ${branchRef(worker)} was ${kind}`);
        heads.set(worker, to);
      },
      close: () => repo.close(),
    };
  },
});

/** Reads of files at the head of `main`, the ref resolved each time. */
export const reading = (repository: (folder: string) => Promise<void>, files: number): Contender => ({
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
