import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { patient } from "../src/base/testing/patience.ts";
import { ranNode } from "../src/base/testing/ran-node.ts";

/** The command line as a user runs it: in a separate process, without the settings of the person who runs the tests. */
export const root = join(import.meta.dirname, "..");
/** The package as it is published (`published.ts`). */
export const published = process.env["BLOOM_PUBLISHED"] ?? root;
export const launcher = join(published, "bin/bloom.js");

export const plainEnvironment = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  BLOOM_LANG: "en",
  TZ: "UTC",
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
  ...more,
});

export async function bloom(cwd: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = await ranNode([launcher, ...args], { cwd, env: plainEnvironment(more) });
  return { exit: status, out: stdout, err: stderr };
}

/** The same, synchronously. */
export function bloomNow(cwd: string, args: readonly string[]) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [launcher, ...args], {
    cwd,
    env: plainEnvironment(),
    encoding: "utf8",
    timeout: patient(60_000),
    killSignal: "SIGKILL",
  });
  if (error) throw error;
  return { exit: status, out: stdout, err: stderr };
}

export interface Running {
  readonly process: ChildProcess;
  /** The first line that it printed. */
  readonly line: string;
  /** All that it has printed so far. */
  said(): string;
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly err: string;
  }>;
}

/** The sources themselves: named points at which a process can be made to die are theirs alone. */
export const sources = join(root, "bin/bloom.js");

/** Starts a long-running command and waits for its first line or its end. */
export async function started(
  cwd: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
  program = launcher,
): Promise<Running> {
  const child = spawn(process.execPath, [program, ...args], { cwd, env: plainEnvironment(more) });
  let [out, err] = ["", ""];
  child.stderr.on("data", (chunk) => (err += String(chunk)));
  const ended = new Promise<Awaited<Running["ended"]>>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, err }));
  });
  const first = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk) => {
      out += String(chunk);
      if (out.includes("\n")) resolve();
    });
  });
  await Promise.race([first, ended]);
  return { process: child, line: out.split("\n")[0]!, said: () => out, ended };
}
