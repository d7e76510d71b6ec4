import fs from "node:fs";
import { join } from "node:path";
import * as isomorphic from "isomorphic-git";
import type { Contender } from "../harness.ts";
import { branchRef, MAIN, noteBytes, notePath, type Repository, scattered } from "../repository.ts";

/** isomorphic-git at its best: objects written directly, without an index, and its cache kept. It cannot sync. */
export const committingIsomorphic = (repository: Repository, files: number, workers: number): Contender => ({
  name: "isomorphic-git (no sync)",
  async open(folder) {
    await repository(folder);
    const at = { fs, gitdir: join(folder, ".git"), cache: {} };
    const heads = new Map<number, { commit: string; tree: string }>();
    for (let worker = 0; worker < workers; worker++) {
      const commit = await isomorphic.resolveRef({ ...at, ref: branchRef(worker) });
      heads.set(worker, { commit, tree: (await isomorphic.readCommit({ ...at, oid: commit })).commit.tree });
    }
    const changedTree = async (tree: string, [name, ...rest]: readonly string[], blob: string): Promise<string> => {
      const { tree: entries } = await isomorphic.readTree({ ...at, oid: tree });
      const changed = await Promise.all(
        entries.map(async (entry) =>
          entry.path === name
            ? { ...entry, oid: rest.length === 0 ? blob : await changedTree(entry.oid, rest, blob) }
            : entry,
        ),
      );
      return isomorphic.writeTree({ ...at, tree: changed });
    };
    let step = 0;
    return {
      async once(worker) {
        const n = scattered(step++, files);
        const head = heads.get(worker)!;
        const blob = await isomorphic.writeBlob({ ...at, blob: noteBytes(n, step) });
        const tree = await changedTree(head.tree, notePath(n).split("/"), blob);
        const who = { name: "Bench", email: "bench@example.org", timestamp: 1_700_000_000 + step, timezoneOffset: 0 };
        const commit = await isomorphic.writeCommit({
          ...at,
          commit: { message: "Change a note\n", tree, parent: [head.commit], author: who, committer: who },
        });
        await isomorphic.writeRef({ ...at, ref: branchRef(worker), value: commit, force: true });
        heads.set(worker, { commit, tree });
      },
      close: async () => undefined,
    };
  },
});

export const readingIsomorphic = (repository: Repository, files: number): Contender => ({
  name: "isomorphic-git",
  async open(folder) {
    await repository(folder);
    const at = { fs, gitdir: join(folder, ".git"), cache: {} };
    let step = 0;
    return {
      async once() {
        const oid = await isomorphic.resolveRef({ ...at, ref: MAIN });
        await isomorphic.readBlob({ ...at, oid, filepath: notePath(scattered(step++, files)) });
      },
      close: async () => undefined,
    };
  },
});
