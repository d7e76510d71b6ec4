import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Contender } from "../harness.ts";
import { branchRef, MAIN, noteBytes, notePath, type Repository, scattered } from "../repository.ts";
import { git, gitLine } from "./git-rival.ts";

/** A program that calls git: five processes and a separate index per branch for every commit. */
export const committingByProcess = (repository: Repository, files: number, workers: number): Contender => ({
  name: "git by process (synced)",
  async open(folder) {
    await repository(folder);
    const heads = new Map<number, string>();
    const indexOf = (worker: number) => ({ GIT_INDEX_FILE: join(folder, ".git", `index-${worker}`) });
    for (let worker = 0; worker < workers; worker++) {
      heads.set(worker, await gitLine(folder, ["rev-parse", branchRef(worker)]));
      await git(folder, ["read-tree", heads.get(worker)!], { variables: indexOf(worker) });
    }
    let step = 0;
    return {
      async once(worker) {
        const n = scattered(step++, files);
        const variables = indexOf(worker);
        const parent = heads.get(worker)!;
        const blob = await gitLine(folder, ["hash-object", "-w", "--stdin"], { input: noteBytes(n, step) });
        await git(folder, ["update-index", "--cacheinfo", `100644,${blob},${notePath(n)}`], { variables });
        const tree = await gitLine(folder, ["write-tree"], { variables });
        const commit = await gitLine(folder, ["commit-tree", tree, "-p", parent, "-m", "Change a note"]);
        await git(folder, ["update-ref", branchRef(worker), commit, parent]);
        heads.set(worker, commit);
      },
      close: async () => undefined,
    };
  },
});

/** The commands of a person: change the file in the work tree, then `git add` and `git commit`. */
export const committingByPorcelain = (repository: Repository, files: number): Contender => ({
  name: "write, git add, git commit (synced)",
  async open(folder) {
    await repository(folder);
    let step = 0;
    let turn: Promise<unknown> = Promise.resolve(); // git knows one index, and refuses whoever comes second
    const commit = async (): Promise<void> => {
      const n = scattered(step++, files);
      await writeFile(join(folder, notePath(n)), noteBytes(n, step));
      await git(folder, ["add", notePath(n)]);
      await git(folder, ["commit", "--quiet", "-m", "Change a note"]);
    };
    return {
      async once() {
        const mine = turn.then(commit);
        turn = mine.catch(() => undefined);
        await mine;
      },
      close: async () => undefined,
    };
  },
});

export const readingByProcess = (repository: Repository, files: number): Contender => ({
  name: "git by process",
  async open(folder) {
    await repository(folder);
    let step = 0;
    return {
      async once() {
        await git(folder, ["cat-file", "blob", `${MAIN}:${notePath(scattered(step++, files))}`]);
      },
      close: async () => undefined,
    };
  },
});
