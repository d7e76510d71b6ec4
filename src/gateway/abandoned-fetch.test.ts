import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { fetchServer, fetchServerLimits } from "../adapters/repo/git/public/fetch-server.ts";
import { environment, git, scratch } from "../garden/testing/scratch.ts";

const FILES = 4000;

/** Loose and similar files: packing them takes some seconds of a processor. */
function slowRepository(): { readonly dir: string; readonly commit: string } {
  const dir = realpathSync(scratch());
  git(dir, "init", "-q", "--bare", ".");
  const shared = randomBytes(12_000).toString("base64");
  const numbers = Array.from({ length: FILES }, (_, n) => n + 1);
  const blobs = numbers.map((n) => {
    const at = (n * 37) % 12_000;
    const text = `${randomBytes(300).toString("base64")}${shared.slice(at)}${shared.slice(0, at)}`;
    return `blob\nmark :${n}\ndata ${text.length}\n${text}\n`;
  });
  const commit = "commit refs/heads/main\ncommitter A <a@example.org> 1700000000 +0000\ndata 1\nx\n";
  const tree = numbers.map((n) => `M 100644 :${n} f${n}\n`);
  const input = [...blobs, commit, ...tree, "\ndone\n"].join("");
  const args = ["-c", "fastimport.unpackLimit=1000000", "fast-import", "--quiet", "--done"];
  execFileSync("git", args, { cwd: dir, input });
  return { dir, commit: git(dir, "rev-parse", "refs/heads/main").trim() };
}

const wanting = (commit: string): ReadableStream<Uint8Array> => {
  const want = `want ${commit} no-progress\n`;
  const length = (want.length + 4).toString(16).padStart(4, "0");
  return new Blob([`${length}${want}00000009done\n`]).stream();
};

/** Command lines of the processes that work in this folder. */
const processesIn = (dir: string): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === dir ? [readFileSync(`/proc/${pid}/cmdline`, "latin1")] : [];
      } catch {
        return []; // it has ended, or is not ours
      }
    });

describe.skipIf(process.platform !== "linux")("S-10 a fetch from the public space whose reader has gone", () => {
  let repository: ReturnType<typeof slowRepository>;
  beforeAll(() => {
    repository = slowRepository();
  });

  test("leaves no git at work, neither the one that was started nor those that it started", async () => {
    const { dir, commit } = repository;
    const serve = fetchServer(environment, { ...fetchServerLimits, atOnce: 1, waiting: 1 });
    for (let n = 0; n < 3; n++) {
      const gone = new AbortController();
      const answer = await serve(dir, { step: "fetch", body: wanting(commit), ended: gone.signal });
      await expect.poll(() => processesIn(dir).some((line) => line.includes("pack-objects"))).toBe(true);
      gone.abort();
      await answer.body.cancel().catch(() => undefined);
      await sleep(150); // packing goes on for longer
      expect(processesIn(dir)).toEqual([]);
    }
  });
});
