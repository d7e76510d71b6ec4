import { spawn } from "node:child_process";
import { patientTimer } from "./patience.ts";
import { prove } from "./prove.ts";

/** On a quiet machine; the slowest takes ten seconds. */
const LIMIT_MS = 100_000;

export interface Ran {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a script in a process of its own and returns how it ended. A script that exceeds the limit is killed, and the test fails with
 * its output. It does not block the event loop: vitest treats a worker that blocks for a minute as hung.
 */
export async function ranNode(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  let lateAfter: number | undefined;
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const endWait = patientTimer(LIMIT_MS, (seconds) => {
    lateAfter = seconds;
    child.kill("SIGKILL");
  });
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, by) => resolve([code, by]));
  });
  endWait();
  if (lateAfter !== undefined)
    throw new Error(`${args.join(" ")} did not end within ${lateAfter} s:\n${stdout}${stderr}`);
  if (signal === "SIGKILL") prove({ kills: 1 });
  return { status, signal, stdout, stderr };
}
