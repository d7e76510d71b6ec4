import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { patient } from "../../../base/testing/patience.ts";
import { testProgram } from "../../../base/testing/test-program.ts";
import type { Job, Said } from "./kill-worker.ts";

const program = testProgram(join(import.meta.dirname, "kill-worker.ts"));

/** A process that takes longer is stuck, even on a busy machine. */
const STUCK_MS = 300_000;

export interface Worker {
  /** All its messages, when it has ended. */
  readonly said: Promise<readonly Said[]>;
  /** Settles when it has opened its garden, or has ended. */
  readonly ready: Promise<void>;
  /** Settles when it works on a run, is about to die, or has ended. */
  readonly begun: Promise<void>;
  tell(): void;
}

/** A process that does these jobs, one after the other. */
export async function worker(jobs: readonly Job[]): Promise<Worker> {
  const child = spawn(process.execPath, [program, JSON.stringify(jobs)], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const said: Said[] = [];
  let trouble = "";
  const [ready, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  createInterface({ input: child.stdout }).on("line", (line) => {
    const one = JSON.parse(line) as Said;
    said.push(one);
    if ("ready" in one) ready.resolve();
    if ("begun" in one) begun.resolve();
  });
  child.stderr.on("data", (chunk: Buffer) => void (trouble += chunk.toString()));
  child.stdin.on("error", () => undefined); // the message came too late
  const stuck = setTimeout(() => child.kill("SIGKILL"), patient(STUCK_MS));
  const all = new Promise<readonly Said[]>((resolve) => {
    child.on("close", (code, signal) => {
      clearTimeout(stuck);
      ready.resolve();
      begun.resolve();
      const died = said.some((one) => "dies" in one);
      if (code !== 0 && !(died && signal === "SIGKILL"))
        said.push({
          job: jobs.length - 1,
          wrong: signal === "SIGKILL" ? "it is stuck" : `ended with ${code}: ${trouble}`,
        });
      resolve(said);
    });
  });
  return { said: all, ready: ready.promise, begun: begun.promise, tell: () => void child.stdin.write("\n") };
}
