import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
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

/** Prints the refusal of a fetch while no file can be opened, and the status of the next one, long after the limit of the first. */
const WITHOUT_DESCRIPTORS = `
  import { closeSync, openSync } from "node:fs";
  const { fetchServer, fetchServerLimits } = await import(process.argv[1]);
  const serve = fetchServer(process.env, { ...fetchServerLimits, atOnce: 1, idleMs: 200 });
  const files = [];
  try { for (;;) files.push(openSync("/dev/null")); } catch {}
  const refused = await serve(process.argv[2], { step: "list" }).catch(({ message }) => message);
  for (const file of files) closeSync(file);
  await new Promise((resolve) => setTimeout(resolve, 400));
  let status;
  // On a busy machine git may take longer than the limit.
  for (let tries = 0; status === undefined && tries < 50; tries++)
    status = await serve(process.argv[2], { step: "list" }).then(async ({ status, body }) => {
      await body.cancel();
      return status;
    }, () => undefined);
  console.log(JSON.stringify({ refused, status }));`;

test.skipIf(process.platform === "win32")(
  "S-10 a fetch without file descriptors for git is refused, keeps no turn, and does not end the process",
  () => {
    const dir = realpathSync(scratch());
    git(dir, "init", "-q", "--bare", ".");
    const server = join(import.meta.dirname, "../adapters/repo/git/public/fetch-server.ts");
    const args = ["--input-type=module", "-e", WITHOUT_DESCRIPTORS, server, dir];
    const limited = ["-c", 'ulimit -n 100 && exec "$0" "$@"', process.execPath, ...args];
    expect(JSON.parse(execFileSync("/bin/sh", limited, { encoding: "utf8" }))).toEqual({
      refused: expect.stringContaining("could not answer") as string,
      status: 200,
    });
  },
);

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
