import { type SpawnSyncOptions, type SpawnSyncReturns, spawnSync } from "node:child_process";

/** Far above what any of them takes: a limit is for what hangs. While this waits, nobody else can end a test. */
const LIMIT_MS = 100_000;

/** A script of ours as a process of its own, to its end. One that does not come to it is killed, and fails the test with what it said. */
export function ranNode(
  args: readonly string[],
  options: Pick<SpawnSyncOptions, "cwd" | "env"> = {},
): SpawnSyncReturns<string> {
  const ran = spawnSync(process.execPath, args, {
    ...options,
    encoding: "utf8",
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
  });
  if (ran.error)
    throw new Error(`${args.join(" ")} did not end within ${LIMIT_MS / 1000} s:\n${ran.stdout}${ran.stderr}`, {
      cause: ran.error,
    });
  return ran;
}
