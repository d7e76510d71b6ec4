import type { Contender } from "../harness.ts";
import { branchRef, noteBytes, notePath, type Repository, scattered } from "../repository.ts";
import { ended, startGit } from "./git-rival.ts";

/**
 * A resident `git fast-import`, the fastest writer that git has. `once` gets the id of the commit back, as every caller
 * of a commit needs it.
 *
 * - "not written": objects and refs stay in its memory until it ends. The upper limit: a crash loses everything.
 * - "checkpoint per commit": pack and refs are on disk, synced, before the answer; commits that wait share one checkpoint.
 *   Packs are kept as they are (`unpackLimit=0`), which is two to four times faster here than git's default.
 */
export const fastImport = (repository: Repository, files: number, checkpoint: boolean): Contender => ({
  name: checkpoint
    ? "git fast-import, checkpoint per commit (synced)"
    : "git fast-import, not written (limit, no sync)",
  async open(folder) {
    await repository(folder);
    const child = startGit(folder, [
      "-c",
      "fastimport.unpackLimit=0",
      "fast-import",
      "--quiet",
      "--active-branches=64",
      "--date-format=raw",
    ]);
    let waiting: Job[] = [];
    let asked: Job[] = [];
    let busy = false;
    let rest = "";
    child.stdout.setEncoding("latin1").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        if (line === "progress safe") answered();
        else if (!checkpoint) asked.shift()!.done();
      }
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => fail(new Error(text)));
    child.on("close", (code) => fail(new Error(`git fast-import ended with ${code}`)));

    const fail = (error: Error): void => {
      for (const { failed } of [...asked, ...waiting]) failed(error);
      asked = [];
      waiting = [];
    };
    const answered = (): void => {
      for (const { done } of asked) done();
      asked = [];
      busy = false;
      send();
    };
    const send = (): void => {
      if (waiting.length === 0 || (checkpoint && busy)) return;
      const group = waiting;
      waiting = [];
      asked.push(...group);
      busy = true;
      const end = checkpoint ? "checkpoint\n\nprogress safe\n" : "";
      child.stdin.write(Buffer.concat([...group.map(({ command }) => command), Buffer.from(end)]));
    };

    let step = 0;
    const started = new Set<number>();
    return {
      once(worker) {
        const n = scattered(step++, files);
        const from = started.has(worker) ? "" : `from ${branchRef(worker)}^0\n`;
        started.add(worker);
        const bytes = noteBytes(n, step);
        const command = Buffer.concat([
          Buffer.from(
            `commit ${branchRef(worker)}\nmark :1\ncommitter Bench <bench@example.org> ${1_700_000_000 + step} +0000\n` +
              `data 13\nChange a note\n${from}M 100644 inline ${notePath(n)}\ndata ${bytes.length}\n`,
          ),
          bytes,
          Buffer.from("\n\nget-mark :1\n"),
        ]);
        return new Promise((done, failed) => {
          waiting.push({ command, done, failed });
          send();
        });
      },
      close: () => ended(child),
    };
  },
});

interface Job {
  readonly command: Buffer;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}
