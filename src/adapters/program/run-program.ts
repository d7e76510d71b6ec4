import { spawn } from "node:child_process";
import { constants } from "node:os";
import { Failure } from "../../base/failure.ts";
import type { ProgramCall, ProgramEnd } from "../../ports/program.ts";
import { processMark } from "../process-mark.ts";

export interface ProgramTerminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Shows output as it comes. */
  readonly show: (stream: "stdout" | "stderr", bytes: Uint8Array) => void;
}

/** Signals that ask this process to stop. The terminal sends SIGINT to the program too; the others are passed on. */
const STOPS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A program of the owner in a process of its own. Its standard input is ours. */
export async function runProgram(
  { environment, show }: ProgramTerminal,
  { command, folder, variables, shownOn, started, output }: ProgramCall,
): Promise<ProgramEnd> {
  const env = Object.fromEntries(
    Object.entries({ ...environment, ...variables }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const child = spawn(command[0]!, command.slice(1), { cwd: folder, env, stdio: ["inherit", "pipe", "pipe"] });
  const passOn = (signal: NodeJS.Signals): void => void (signal === "SIGINT" || child.kill(signal));
  for (const signal of STOPS) process.on(signal, passOn);
  const ended = new Promise<ProgramEnd>((resolve, reject) => {
    child.on("error", (error: NodeJS.ErrnoException) => reject(cannotStart(command[0]!, error)));
    child.on("close", (code, signal) => resolve({ exit: code ?? 128 + (signal ? constants.signals[signal] : 0) }));
  });
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].on("data", (bytes: Uint8Array) => {
      show(shownOn ?? stream, bytes);
      output(stream, bytes);
    });
  try {
    await Promise.all([child.pid !== undefined && started(await processMark(child.pid)), ended]);
    return await ended;
  } finally {
    for (const signal of STOPS) process.off(signal, passOn);
  }
}

const cannotStart = (program: string, error: NodeJS.ErrnoException): Failure =>
  new Failure("NOT_FOUND", {
    en: `${program} could not be started (${error.code ?? error.message})`,
    uk: `не вдалося запустити ${program} (${error.code ?? error.message})`,
    hint: { en: "Is it installed, and on the PATH?", uk: "Чи її встановлено і чи є вона в PATH?" },
    details: { program },
    cause: error,
  });
