import { spawn } from "node:child_process";

/** Far above what any of them takes: a limit is for what hangs. */
const LIMIT_MS = 100_000;

export interface Ran {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A script of ours as a process of its own, to its end. One that does not come to it is killed, and fails the test with what it said.
 * Waited for in turns of the event loop: a test that keeps its worker for a minute is out of touch with who runs the tests.
 */
export async function ranNode(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr, isLate] = ["", "", false];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const late = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, LIMIT_MS);
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, by) => resolve([code, by]));
  });
  clearTimeout(late);
  if (isLate) throw new Error(`${args.join(" ")} did not end within ${LIMIT_MS / 1000} s:\n${stdout}${stderr}`);
  return { status, signal, stdout, stderr };
}
