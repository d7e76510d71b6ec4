/**
 * Runs a program that the owner names, in a folder, until it ends. The terminal shows its output as it comes. A signal that asks us to
 * stop is passed on: the program ends, and its result is still returned. Throws NOT_FOUND if the program cannot be started.
 */
export type RunProgram = (call: ProgramCall) => Promise<ProgramEnd>;

export interface ProgramCall {
  readonly command: readonly string[];
  /** Absolute. */
  readonly folder: string;
  /** Added to the environment of this process; undefined takes a variable away. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where its output is shown, if not as it came: with `--json`, standard output belongs to the report. */
  readonly shownOn?: "stderr" | undefined;
  /** Called once the program runs, with a mark by which `isProgramAlive` knows it. */
  readonly started: (mark: string) => Promise<void>;
  /** Called with everything that it prints. */
  readonly output: (stream: "stdout" | "stderr", bytes: Uint8Array) => void;
}

export interface ProgramEnd {
  /** Exit code; 128 and the number of the signal, if one ended it. */
  readonly exit: number;
}
