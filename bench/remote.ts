import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gitRepos } from "../src/adapters/repo/git/repos.ts";
import { smartHttp } from "../src/adapters/repo/git/testing/smart-http.ts";
import { realWorld } from "../src/base/world.ts";
import type { Bench, Contender, Size } from "./harness.ts";
import { checkedOut, MAIN, noteBytes, notePath, type Repository, repositoryOf, scattered } from "./repository.ts";
import { git } from "./rivals/git-rival.ts";

const repos = gitRepos({ environment: process.env, world: realWorld });
const who = (step: number) => ({ name: "Bench", email: "bench@example.org", at: (1_700_000_000 + step) * 1000 });

/** Moves of main with one commit, or a chain of them, against a remote that is the authority, and by git alone. */
export const remoteMoves = ({ files, crowd }: Size, scratch: string): Bench[] =>
  [1, crowd].map((chain) => {
    const repository = checkedOut(repositoryOf(files, 1, scratch));
    return {
      name: `remote: move main of ${files} files by ${chain === 1 ? "one commit" : `a chain of ${chain}`}, pushed first`,
      unit: "moves/s",
      workers: 1,
      ours: moving("git adapter, remote in a folder", repository, { files, chain, remote: "folder" }),
      rivals: [
        moving("git adapter, remote over smart HTTP", repository, { files, chain, remote: "http" }),
        moving("git adapter without a remote", repository, { files, chain, remote: "none" }),
        pushingByProcess(repository, { files, chain, remote: "folder" }),
        pushingByProcess(repository, { files, chain, remote: "http" }),
      ],
    };
  });

interface Moving {
  readonly files: number;
  readonly chain: number;
  readonly remote: "folder" | "http" | "none";
}

/** A garden's clone, its bare remote, and the address of the remote. */
async function placed(folder: string, repository: Repository, remote: Moving["remote"]) {
  const [clone, bare] = [join(folder, "clone"), join(folder, "garden.git")];
  await mkdir(folder, { recursive: true });
  await repository(clone);
  await git(".", ["clone", "--quiet", "--bare", clone, bare]);
  const served = remote === "http" ? await smartHttp(folder) : undefined;
  return { clone, url: served ? `${served.url}/garden.git` : bare, close: async () => served?.close() };
}

const moving = (name: string, repository: Repository, { files, chain, remote }: Moving): Contender => ({
  name,
  async open(folder) {
    const { clone, url, close } = await placed(folder, repository, remote);
    const shared = { remote: url, fetch_seconds: 3600, timeout_seconds: 60 };
    const repo = await repos.open(clone, remote === "none" ? undefined : shared);
    let step = 0;
    return {
      async once() {
        const from = (await repo.resolve(MAIN))!;
        let to = from;
        for (let i = 0; i < chain; i++) {
          const n = scattered(step++, files);
          const edits = [{ path: notePath(n), bytes: noteBytes(n, step) }];
          const draft = { parents: [to], edits, author: who(step), committer: who(step), message: "Change a note" };
          to = await repo.build(draft, { durable: "with-move" });
        }
        const moved = await repo.move([{ ref: MAIN, from, to }]);
        if (moved.kind !== "moved") throw new Error(JSON.stringify(moved));
      },
      async close() {
        await repo.close();
        await close();
      },
    };
  },
});

/** The commands of a person: write, `git commit -a` for each commit, one `git push`. */
const pushingByProcess = (repository: Repository, { files, chain, remote }: Moving): Contender => ({
  name: `git commit and push, remote ${remote === "http" ? "over smart HTTP" : "in a folder"} (synced in the clone)`,
  async open(folder) {
    const { clone, url, close } = await placed(folder, repository, remote);
    let step = 0;
    return {
      async once() {
        for (let i = 0; i < chain; i++) {
          const n = scattered(step++, files);
          await writeFile(join(clone, notePath(n)), noteBytes(n, step));
          await git(clone, ["commit", "--quiet", "-m", "Change a note", "--", notePath(n)]);
        }
        await git(clone, ["push", "--quiet", url, MAIN]);
      },
      close,
    };
  },
});
