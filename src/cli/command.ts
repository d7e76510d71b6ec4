import type { Failure } from "../base/failure.ts";
import type { Language, Text } from "../base/text.ts";
import type { RunPlace } from "../garden/core/flow/journal.ts";
import type { Garden, Ground } from "../garden/core/garden.ts";
import type { RunsEngine } from "../garden/runs/runs-engine.ts";
import type { Folder } from "../ports/folder.ts";
import type { Reader } from "../ports/reader.ts";
import type { Style } from "./style.ts";

/** A command as data: the help page, the parser and the documentation are made from it. */
export interface Command {
  readonly name: string;
  readonly summary: Text;
  /** What follows the name: `[DIR]`, `FILE [DIR]`. Lower case is literal, upper case stands for something. */
  readonly usage: string;
  /** How many words may follow, from … to. */
  readonly words: readonly [min: number, max: number];
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly examples: readonly { readonly line: string; readonly does: Text }[];
  /** Not in the list of commands. */
  readonly hidden?: boolean;
  run(context: Context): Promise<Report>;
}

export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** What the value stands for, in the help: `--port N`. */
  readonly value?: string;
  /** May be given several times. */
  readonly many?: true;
  readonly about: Text;
}

/** Texts come as a list where an option may be given several times. */
export type OptionValue = string | boolean | readonly string[] | undefined;

/** What a command did: for people, and for programs (`--json`). */
export interface Report {
  readonly text: Text;
  readonly json: unknown;
  /** The text is what was asked for, and is told with `--quiet` too. */
  readonly asked?: true;
  /** Default 0. Failures are thrown; this is for answers that are not what one hoped for. */
  readonly exit?: number;
}

/** All that a command may know of the world. */
export interface Context {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly language: Language;
  readonly ground: Ground;
  readonly machine: Machine;
  /** The folder of the garden that is meant: by option, by environment, or by where one stands. */
  gardenDir(): Promise<string>;
  /** A path as the person wrote it, made absolute. */
  path(written: string): string;
  /** For what is printed: without effect where stdout is no terminal. */
  readonly style: Style;
  /** Progress and remarks: to stderr, for people only. */
  readonly progress: Progress;
  /** A line of output before the end, for commands that go on. Nothing with `--quiet`. */
  say(text: Text, json?: unknown): void;
}

export interface Progress {
  /** Shows that something is at work. On a terminal the line is replaced; elsewhere it is told sparsely. */
  at(what: Text): void;
  end(): void;
}

/** What `main.ts` hands in from the process. */
export interface Machine {
  readonly cwd: string;
  readonly version: string;
  readonly port: string | undefined;
  readonly host: string | undefined;
  readonly allowedHosts: readonly string[];
  /** Serves a garden over HTTP, and works on its runs; `findFree` tries the next ports if this one is taken. */
  serve(
    garden: Garden,
    at: { host: string; port: number; findFree: boolean; allowedHosts: readonly string[] },
    tell: (failure: Failure) => void,
  ): Promise<Serving>;
  /** Works on one run in this process. Not there where agents cannot run. */
  startRuns?(garden: Garden, only: RunPlace): Promise<RunsEngine>;
  /** Answers questions to the notes. Not there where nobody reads them. */
  readonly reader?: Reader;
  /** Everything that comes in through the standard input, up to a limit of our own. */
  input(): Promise<Uint8Array>;
  /** Asks the person at the terminal, and answers with their line. Not there where nobody sits at one. */
  ask?(question: string): Promise<string>;
  /** The examples that come with the program: the notes of the demo garden and the agent in it. */
  readonly examples: Folder;
  /** Settles when the process is asked to end. A second request is not ours to answer. */
  stopRequested(): Promise<void>;
}

export interface Serving {
  readonly url: string;
  /** Stops listening and lets requests under way end, for a moment. */
  stop(): Promise<void>;
}

export const textOption = (context: Context, name: string): string | undefined => {
  const value = context.options[name];
  return typeof value === "string" ? value : undefined;
};

export const textsOption = (context: Context, name: string): readonly string[] => {
  const value = context.options[name];
  return Array.isArray(value) ? (value as readonly string[]) : typeof value === "string" ? [value] : [];
};
