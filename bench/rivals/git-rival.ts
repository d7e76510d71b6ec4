import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";

/** Git as the rivals use it: nothing of the person's configuration, and synced as ours is. */
const SETTINGS = ["-c", "core.fsync=committed", "-c", "gc.auto=0", "-c", "core.logAllRefUpdates=always"];

const environment = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  LC_ALL: "C",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Bench",
  GIT_AUTHOR_EMAIL: "bench@example.org",
  GIT_COMMITTER_NAME: "Bench",
  GIT_COMMITTER_EMAIL: "bench@example.org",
  ...more,
});

export const startGit = (
  dir: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams =>
  spawn("git", [...SETTINGS, ...args], { cwd: dir, env: environment(variables), stdio: "pipe" });

/** Runs git to its end and answers with what it printed. */
export function git(
  dir: string,
  args: readonly string[],
  call: { input?: Uint8Array | string; variables?: Readonly<Record<string, string>> } = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = startGit(dir, args, call.variables);
    const out: Buffer[] = [];
    let err = "";
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      err += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(Buffer.concat(out)) : reject(new Error(`git ${args.join(" ")}: ${code}: ${err}`)),
    );
    child.stdin.on("error", reject);
    child.stdin.end(call.input);
  });
}

export const gitLine = async (...call: Parameters<typeof git>): Promise<string> =>
  (await git(...call)).toString().trim();

/** Ends a resident git by closing its input, and waits for it. */
export const ended = (child: ChildProcessWithoutNullStreams): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) resolve();
    child.on("close", () => resolve());
    child.stdin.end();
  });
