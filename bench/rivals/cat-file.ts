import type { Contender } from "../harness.ts";
import { MAIN, notePath, type Repository, scattered } from "../repository.ts";
import { ended, startGit } from "./git-rival.ts";

/** A resident `git cat-file --batch`, asked by ref and path: git's own fastest reader. */
export const catFile = (repository: Repository, files: number): Contender => ({
  name: "resident git cat-file --batch (limit)",
  async open(folder) {
    await repository(folder);
    const child = startGit(folder, ["cat-file", "--batch"]);
    const waiting: ((bytes: Buffer) => void)[] = [];
    let held: Buffer = Buffer.alloc(0);
    child.stdout.on("data", (chunk: Buffer) => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      for (;;) {
        const head = held.indexOf(10);
        if (head < 0) return;
        const size = Number(held.toString("latin1", 0, head).split(" ")[2]);
        if (Number.isNaN(size)) throw new Error(`git cat-file: ${held.toString("latin1", 0, head)}`);
        if (held.length < head + size + 2) return;
        waiting.shift()!(held.subarray(head + 1, head + 1 + size));
        held = held.subarray(head + size + 2);
      }
    });
    let step = 0;
    return {
      once: async () => {
        await new Promise((resolve) => {
          waiting.push(resolve);
          child.stdin.write(`${MAIN}:${notePath(scattered(step++, files))}\n`);
        });
      },
      close: () => ended(child),
    };
  },
});
