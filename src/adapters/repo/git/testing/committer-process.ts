import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Environment } from "../process/git-process.ts";
import type { CommitterTask } from "./committer.ts";

export interface CommitterProcess {
  readonly child: ChildProcess;
  /** Commits that it answered for, so far. */
  readonly acknowledged: string[];
  /** Resolves when it has opened the repository (0) or answered for so many commits, or has ended. */
  reached(commits: number): Promise<void>;
  /** How it ended: its exit code, or the signal. Throws what it said if it failed by itself. */
  readonly end: Promise<number | NodeJS.Signals>;
}

const driver = fileURLToPath(new URL("./committer.ts", import.meta.url));

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
  const tell = (): void => {
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
    tell();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.on("close", (code, signal) => {
    over = true;
    tell();
    if (code !== 0 && signal === null) ended.reject(new Error(said));
    else ended.resolve(signal ?? code!);
  });
  const reached = (commits: number): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ commits, resolve });
      tell();
    });
  return { child, acknowledged, reached, end: ended.promise };
}
