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
        const draft = {
          parents: [from],
          edits: [{ path: notePath(n), bytes: noteBytes(n, step) }],
          author: who,
          committer: who,
          message: "Change a note",
        };
        // As applying does: the move makes the objects durable before the ref moves.
        const to = await repo.build(draft, { durable: "with-move" });
        const moved = await repo.move([{ ref: refOf(worker), from, to }]);
        if (moved.kind !== "moved" || moved.followed.behind.length > 0)
          throw new Error(`the move of ${refOf(worker)} ended as ${JSON.stringify(moved)}`);
        heads.set(worker, to);
      },
      close: () => repo.close(),
    };
  },
});

/**
 * The limit of what applying can reach: commits of one file each on the checked-out `main`, straight into the port. Who comes while
 * a move is under way lands with the next one, all in one chain.
 */
export const landing = (repository: Repository, files: number): Contender => ({
  name: "limit: the git adapter alone (synced)",
  async open(folder) {
    await repository(folder);
    const repo = await repos.open(folder);
    let head = (await repo.resolve(MAIN))!;
    let step = 0;
    let waiting: (() => void)[] = [];
    let working: Promise<void> | undefined;
    const built = (parent: string): Promise<string> => {
      const n = scattered(step++, files);
      const who = { name: "Bench", email: "bench@example.org", at: (1_700_000_000 + step) * 1000 };
      const edits = [{ path: notePath(n), bytes: noteBytes(n, step) }];
      const draft = { parents: [parent], edits, author: who, committer: who, message: "Change a note" };
      return repo.build(draft, { durable: "with-move" });
    };
    const work = async (): Promise<void> => {
      while (waiting.length > 0) {
        const chain = waiting;
        waiting = [];
        let to = head;
        for (const _ of chain) to = await built(to);
        const moved = await repo.move([{ ref: MAIN, from: head, to }]);
        if (moved.kind !== "moved" || moved.followed.behind.length > 0) throw new Error(JSON.stringify(moved));
        head = to;
        for (const done of chain) done();
      }
      working = undefined;
    };
    return {
      async once() {
        const landed = new Promise<void>((done) => waiting.push(done));
        working ??= work();
        await Promise.race([landed, working.then(() => landed)]);
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
