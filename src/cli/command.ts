import type { Failure } from "../base/failure.ts";
import type { Language, Text } from "../base/text.ts";
import type { ProcessRole } from "../domain/peer.ts";
import type { RunPlace } from "../garden/core/flow/journal.ts";
import type { Garden, GardenPorts } from "../garden/core/garden.ts";
import type { SendNews } from "../garden/federation/send-news.ts";
import type { RunPorts } from "../garden/runs/run-agent.ts";
import type { RunsEngine } from "../garden/runs/runs-engine.ts";
import type { ProgramHost } from "../garden/sessions/exec-session.ts";
import type { Folder } from "../ports/folder.ts";
import type { Messenger } from "../ports/messenger.ts";
import type { Models } from "../ports/models.ts";
import type { Reader } from "../ports/reader.ts";
import type { Style } from "./style.ts";

/** A command as data: the parser and the help pages are derived from it. */
export interface Command {
  readonly name: string;
  readonly summary: Text;
  /** Arguments: `[DIR]`, `FILE [DIR]`. Lower case is literal, upper case is a placeholder. */
  readonly usage: string;
  /** Minimum and maximum number of arguments. */
  readonly words: readonly [min: number, max: number];
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly examples: readonly { readonly line: string; readonly does: Text }[];
  readonly subcommands?: readonly SubcommandPage[];
  /** Left out of the list of commands. */
  readonly hidden?: boolean;
  run(context: CommandContext): Promise<CommandReport>;
}

/** A subcommand on the help pages. `word` is its name, `usage` are its arguments. */
export interface SubcommandPage extends Pick<Command, "usage" | "words"> {
  readonly word: string;
  readonly does: Text;
}

export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** Placeholder of the value in the help: `--port N`. */
  readonly value?: string;
  /** May be repeated. */
  readonly many?: true;
  readonly about: Text;
}

/** An array if the option may be repeated. */
export type OptionValue = string | boolean | readonly string[] | undefined;

/** Result of a command: text for people, `json` for programs (`--json`). */
export interface CommandReport {
  readonly text: Text;
  readonly json: unknown;
  /** The text is the requested output: printed with `--quiet` too. */
  readonly asked?: true;
  /** Exit code (default 0) of a command that succeeded with a negative result. Failures are thrown. */
  readonly exit?: number;
}

/** Everything that a command may read or write. */
export interface CommandContext {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly language: Language;
  readonly ground: GardenPorts;
  readonly machine: HostProcess;
  /** The garden's folder: from `--garden`, from `BLOOM_GARDEN`, or the nearest parent folder with a `garden.yaml`. */
  gardenDir(): Promise<string>;
  /** Resolves a path argument against the working directory. */
  path(written: string): string;
  /** Colours for stdout; no effect if stdout is not a terminal. */
  readonly style: Style;
  /** Progress messages on stderr. */
  readonly progress: Progress;
  /** Prints a line before the command has ended. Silent with `--quiet`. */
  say(text: Text, json?: unknown): void;
}

export interface Progress {
  /** Shows the current activity. On a terminal the line is replaced; elsewhere lines are rate-limited. */
  at(what: Text): void;
  end(): void;
}

/** The parts of the process that commands use; `main.ts` provides them. */
export interface HostProcess {
  readonly cwd: string;
  readonly version: string;
  readonly port: string | undefined;
  readonly host: string | undefined;
  readonly allowedHosts: readonly string[];
  /** Addresses by which other machines can reach this one. */
  addresses?(): readonly string[];
  /** Serves a garden over HTTP and executes its runs, as far as its role goes. */
  serve(garden: Garden, at: ServeWish, tell: (failure: Failure) => void): Promise<RunningServer>;
  /** BLOOM_TOKEN: the token with which `bloom mcp` acts. */
  readonly token?: string | undefined;
  /** The program and the arguments that start this command line. */
  readonly launcher?: readonly string[];
  /** Serves MCP on standard input and output with this token, until the client closes them or a signal comes. */
  serveMcp?(garden: Garden, token: () => Promise<string>): Promise<void>;
  /** Executes one run in this process. Undefined if agents cannot run here. */
  startRuns?(garden: Garden, only: RunPlace): Promise<RunsEngine>;
  /** Delivers notifications (P-12a). */
  messenger?(garden: Garden): Promise<Messenger>;
  /** Sends a message to another garden (S-10). */
  readonly sendNews?: SendNews;
  /** The dependencies of a trial: models, reader and network. */
  trial?(garden: Garden): Promise<RunPorts>;
  /** Checks and test calls of models. */
  models?(garden: Garden): Promise<Models>;
  /** Health of an engine outside of this process (O-8). */
  engineHealth?(
    garden: Garden,
  ): Promise<{ readonly kind: string; readonly ok: boolean; readonly remarks: readonly Text[] }>;
  /** Answers questions about notes. Undefined if no reader is configured. */
  readonly reader?: Reader;
  /** Reads standard input to the end, up to a size limit. */
  input(): Promise<Uint8Array>;
  /** Prompts at the terminal and returns one line. `fresh` ignores keys typed before the prompt. Undefined if stdin is not a terminal. */
  ask?(question: string, how?: { readonly fresh?: boolean }): Promise<string>;
  /** Opens a file in the person's editor and waits for its end. Undefined without a terminal or without VISUAL and EDITOR. */
  editFile?(path: string): Promise<void>;
  /** Runs programs of the owner (`bloom session exec`). */
  readonly program?: ProgramHost;
  /** The bundled examples: notes and agent of the demo garden. */
  readonly examples: Folder;
  /** Resolves on the first SIGINT or SIGTERM. A second signal ends the process. */
  stopRequested(): Promise<void>;
}

export interface ServeWish {
  readonly role: ProcessRole;
  /** Structured lines on standard output. */
  readonly log: "json" | undefined;
  readonly host: string;
  readonly port: number;
  /** Try the next ports if this one is in use. */
  readonly findFree: boolean;
  readonly allowedHosts: readonly string[];
}

export interface RunningServer {
  readonly url: string;
  /** Stops listening and waits briefly for open requests. */
  stop(): Promise<void>;
}
