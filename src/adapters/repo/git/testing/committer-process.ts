import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { testProgram } from "../../../../base/testing/test-program.ts";
import type { Environment } from "../process/git-process.ts";
import type { CommitterTask } from "./committer.ts";

export interface CommitterProcess {
  readonly child: ChildProcess;
  /** Commits acknowledged so far. */
  readonly acknowledged: string[];
  /** Resolves when the repository is open (0), when so many commits are acknowledged, or at the end of the process. */
  reached(commits: number): Promise<void>;
  /** Exit code or signal. Rejects with its error output if the process failed by itself. */
  readonly end: Promise<number | NodeJS.Signals>;
}

const driver = testProgram(fileURLToPath(new URL("./committer.ts", import.meta.url)));

/** Starts a process that commits. */
export function startCommitter(what: CommitterTask, environment: Environment): CommitterProcess {
  const child = spawn(process.execPath, [driver, JSON.stringify(what)], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const acknowledged: string[] = [];
  const waiting: { commits: number; resolve: () => void }[] = [];
  let open = false;
  let over = false;
  const notify = (): void => {
    for (const { commits, resolve } of waiting) if (over || (open && acknowledged.length >= commits)) resolve();
  };
  const ended = Promise.withResolvers<number | NodeJS.Signals>();
  let text = "";
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    const lines = text.split("\n");
    text = lines.pop()!;
    for (const line of lines) {
      if (line === "open") open = true;
      else acknowledged.push(line.slice("ack ".length));
    }
    notify();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.on("close", (code, signal) => {
    over = true;
    notify();
    if (code !== 0 && signal === null) ended.reject(new Error(said));
    else ended.resolve(signal ?? code!);
  });
  const reached = (commits: number): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ commits, resolve });
      notify();
    });
  return { child, acknowledged, reached, end: ended.promise };
}
