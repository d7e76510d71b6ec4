import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { Failure } from "../../../../base/failure.ts";

/**
 * Where git runs. This file is the only place that starts git: plumbing commands, without the user's configuration, hooks,
 * editor, prompt or environment, so that a commit depends on our arguments alone.
 */
export interface GitPlace {
  /** Work tree (or bare folder) of the repository. */
  readonly dir: string;
  /** The environment of our process. Only the variables in `INHERITED` reach git, and those of `OF_REMOTES` a git that talks to a remote. */
  readonly environment: Environment;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface GitCall {
  readonly input?: Uint8Array | string;
  /** Exit codes that are not failures. Default: 0 only. */
  readonly accept?: readonly number[];
  /** Additional variables, such as GIT_INDEX_FILE. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Runs with the person's own configuration: for remotes (credentials, proxies, ssh) and work-tree filters. */
  readonly asUser?: boolean;
  /** Runs in a process group of its own, so that `killGit` ends the programs that git starts too. */
  readonly inOwnGroup?: boolean;
  readonly timeoutMs?: number;
  /** Kills git. */
  readonly signal?: AbortSignal;
  /** No file that git, or a program it starts, writes becomes larger: the system ends the writer. Not on Windows. */
  readonly maxFileBytes?: number;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const INHERITED = [
  "PATH",
  "HOME",
  "TMPDIR",
  "TEMP",
  "TMP",
  "SYSTEMROOT",
  "USERPROFILE",
  "SSH_AUTH_SOCK",
  "XDG_CONFIG_HOME",
];

/** A service often names its deploy key in GIT_SSH_COMMAND. */
const OF_REMOTES = /_proxy$|^GIT_SSH(_COMMAND|_VARIANT)?$/i;

const SETTINGS = [
  "core.fsync=committed",
  "core.fsyncMethod=fsync",
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.quotePath=false",
  "core.logAllRefUpdates=always",
  "gc.auto=0",
  "maintenance.auto=false",
  "commit.gpgSign=false",
  "protocol.ext.allow=never",
];

export function gitArguments(args: readonly string[]): string[] {
  return [...SETTINGS.flatMap((setting) => ["-c", setting]), ...args];
}

export function gitEnvironment(
  place: GitPlace,
  call: Pick<GitCall, "variables" | "asUser"> = {},
): Record<string, string> {
  const kept = Object.entries(place.environment).filter(
    ([name, value]) =>
      value !== undefined && (INHERITED.includes(name.toUpperCase()) || (call.asUser && OF_REMOTES.test(name))),
  ) as [string, string][];
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ADVICE: "0",
    ...(!call.asUser && { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", GIT_ATTR_NOSYSTEM: "1" }),
    ...call.variables,
  };
}

/** Starts a git that keeps running and is used through its pipes. */
export function startGit(place: GitPlace, args: readonly string[], call: GitCall = {}): ChildProcessWithoutNullStreams {
  const [program, ...all] = limited(["git", ...gitArguments(args)], call);
  return spawn(program!, all, {
    cwd: place.dir,
    env: gitEnvironment(place, call),
    stdio: "pipe",
    windowsHide: true,
    detached: ownGroup(call),
  });
}

/** The limit counts in blocks of 512 bytes. */
const limited = (command: readonly string[], { maxFileBytes }: GitCall): readonly string[] =>
  maxFileBytes === undefined || process.platform === "win32"
    ? command
    : ["/bin/sh", "-c", 'ulimit -f "$0" && exec "$@"', String(Math.ceil(maxFileBytes / 512)), ...command];

/**
 * A git that talks to remotes starts ssh and other programs. In a process group of its own it has no terminal, so none of
 * them can prompt for a password, and all of them can be killed together: a survivor would keep our pipes open.
 */
const ownGroup = (call: Pick<GitCall, "asUser" | "inOwnGroup">): boolean =>
  (call.asUser === true || call.inOwnGroup === true) && process.platform !== "win32";

/** Kills a git that was started with this call, and the programs that it has started, if it has a group of its own. */
export function killGit(child: ChildProcessWithoutNullStreams, call: Pick<GitCall, "asUser" | "inOwnGroup">): void {
  if (!ownGroup(call) || child.pid === undefined) child.kill("SIGKILL");
  else {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // it has just exited
    }
  }
}

/** Runs git to its end. Throws if it cannot start, exceeds `timeoutMs` or exits with a code that is not accepted. */
export async function git(place: GitPlace, args: readonly string[], call: GitCall = {}): Promise<GitResult> {
  const result = await new Promise<GitResult>((resolve, reject) => {
    const child = startGit(place, args, call);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const stop = (): void => killGit(child, call);
    const timer = setTimeout(stop, call.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    call.signal?.addEventListener("abort", stop, { once: true });
    const ended = (): void => {
      clearTimeout(timer);
      call.signal?.removeEventListener("abort", stop);
    };
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.stdin.on("error", () => undefined); // git may close its input early; the exit code tells
    child.on("error", (error: NodeJS.ErrnoException) => {
      ended();
      reject(cannotStart(place, error));
    });
    child.on("close", (code, signal) => {
      ended();
      const stderr = Buffer.concat(err).toString().trim();
      if (code === null) reject(gitFailed(args, `ended by ${signal}`, stderr));
      else resolve({ code, stdout: Buffer.concat(out), stderr });
    });
    child.stdin.end(call.input);
  });
  if (!(call.accept ?? [0]).includes(result.code)) throw gitFailed(args, `exit code ${result.code}`, result.stderr);
  return result;
}

/** The output of `git` as trimmed text. */
export const gitText = async (place: GitPlace, args: readonly string[], call: GitCall = {}): Promise<string> =>
  (await git(place, args, call)).stdout.toString().trimEnd();

function cannotStart(place: GitPlace, error: NodeJS.ErrnoException): Failure {
  // spawn also reports ENOENT if the working folder is missing.
  return new Failure("UPSTREAM_UNAVAILABLE", {
    en: `git could not be started (${error.code ?? error.message})`,
    uk: `не вдалося запустити git (${error.code ?? error.message})`,
    hint: {
      en: "Install git 2.39 or newer and make sure that it is on the PATH.",
      uk: "Встановіть git 2.39 або новіший і перевірте, що він є у PATH.",
    },
    details: { part: "git", folder: place.dir },
    cause: error,
  });
}

/** The failure of a git command, with its error output and without our arguments. */
export function gitFailed(args: readonly string[], how: string, stderr: string): Failure {
  // `-c name=value` may come before the verb.
  const verb = args.find((arg, i) => !arg.startsWith("-") && args[i - 1] !== "-c") ?? "git";
  const said = stderr.replace(/^(fatal|error): /gm, "").slice(0, 2000);
  const disk = /No space left on device|Disk quota exceeded|couldn't write/.test(stderr);
  return new Failure("UPSTREAM_UNAVAILABLE", {
    en: `git ${verb} failed (${how})${said && `: ${said}`}`,
    uk: `git ${verb} не вдався (${how})${said && `: ${said}`}`,
    ...(disk && {
      hint: {
        en: "The disk is full: free some space and try again.",
        uk: "Диск заповнено: звільніть місце і повторіть.",
      },
    }),
    details: { part: "git", verb },
  });
}
