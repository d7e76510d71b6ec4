import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { RefMove } from "../../../../ports/repo.ts";
import { repoCrashPoint } from "../crash-points.ts";
import { repoClosed } from "../objects/failures.ts";
import { byteQueue } from "../process/byte-queue.ts";
import { type GitPlace, startGit } from "../process/git-process.ts";

/**
 * Ref transactions under git's own locks through a resident `git update-ref --stdin`, one at a time. Git exits when it refuses
 * one; the next call restarts it.
 */
export interface RefTransactions {
  /**
   * Calls `whenPrepared` while git holds the locks of all refs and has compared their values, right before they move. If it
   * throws, nothing moves, and the error is thrown.
   */
  run(moves: readonly RefMove[], whenPrepared?: () => Promise<void>): Promise<RefOutcome>;
  /** Waits for the transaction under way. Later calls throw. */
  close(): Promise<void>;
}

export type RefOutcome =
  | { readonly kind: "done" }
  /** Nothing moved: a value differed, or a lock was held. Only the refs tell which. */
  | { readonly kind: "refused"; readonly said: string }
  /** Git exited after the commit command was sent. */
  | { readonly kind: "unknown"; readonly said: string };

const NOTHING = "0".repeat(40);
/** A git process reads the clock once for all its reflog lines, so it is replaced after this time. */
const MAX_AGE_MS = 20_000;
/** Half the age at which another process may take a ref's lock for abandoned (stale-locks.ts). */
const MAX_PREPARED_MS = 1_000;

/** The reason of a move that names none. */
const NO_REASON = "bloom";

interface Resident {
  readonly child: ChildProcessWithoutNullStreams;
  readonly since: number;
  /** The next line of output; undefined when git has exited. */
  line(): Promise<string | undefined>;
  said(): string;
}

export function refTransactions(place: GitPlace): RefTransactions {
  /** By reason: git takes the text of the reflog on its command line, so each reason has a process of its own. */
  const residents = new Map<string, Resident>();
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;

  function current(reason: string): Resident {
    for (const [known, { child, since }] of residents) {
      if (performance.now() - since <= MAX_AGE_MS) continue;
      child.stdin.end();
      residents.delete(known);
    }
    const resident = residents.get(reason) ?? start(place, reason);
    residents.set(reason, resident);
    return resident;
  }

  async function transact(moves: readonly RefMove[], whenPrepared?: () => Promise<void>): Promise<RefOutcome> {
    const reason = moves[0]?.reason ?? NO_REASON;
    const git = current(reason);
    const ended = (kind: "refused" | "unknown"): RefOutcome => {
      residents.delete(reason);
      return { kind, said: git.said() };
    };
    git.child.stdin.write(`start\0${moves.map(command).join("")}prepare\0`);
    if ((await git.line()) !== "start: ok" || (await git.line()) !== "prepare: ok") return ended("refused");
    const prepared = performance.now();
    const abort = async (): Promise<void> => {
      git.child.stdin.write("abort\0");
      if ((await git.line()) !== "abort: ok") residents.delete(reason);
    };
    repoCrashPoint("repo.move.prepared");
    try {
      await whenPrepared?.();
    } catch (error) {
      await abort();
      throw error;
    }
    if (performance.now() - prepared > MAX_PREPARED_MS) {
      await abort();
      return { kind: "refused", said: "the lock was held for too long" };
    }
    git.child.stdin.write("commit\0");
    return (await git.line()) === "commit: ok" ? { kind: "done" } : ended("unknown");
  }

  return {
    run(moves, whenPrepared) {
      if (closed) return Promise.reject(repoClosed());
      const outcome = queue.then(() => transact(moves, whenPrepared));
      queue = outcome.catch(() => undefined);
      return outcome;
    },
    async close() {
      closed = true;
      await queue;
      for (const { child } of residents.values()) child.stdin.end();
      residents.clear();
    },
  };
}

/** Fields end with NUL. Zeros stand for a ref that must not exist yet. */
const command = ({ ref, from, to }: RefMove): string =>
  to === undefined ? `delete ${ref}\0${from ?? NOTHING}\0` : `update ${ref}\0${to}\0${from ?? NOTHING}\0`;

function start(place: GitPlace, reason: string): Resident {
  const child = startGit(place, ["update-ref", "-m", reason, "--no-deref", "--stdin", "-z"], {
    variables: { GIT_COMMITTER_NAME: "bloom", GIT_COMMITTER_EMAIL: "bloom@garden.invalid" },
  });
  const queue = byteQueue();
  let waiting: ((line: string | undefined) => void) | undefined;
  let ended = false;
  let said = "";
  const give = (): void => {
    if (!waiting) return;
    const line = queue.takeLine();
    if (line === undefined && !ended) return;
    const answer = waiting;
    waiting = undefined;
    answer(line);
  };
  child.stdout.on("data", (chunk: Buffer) => {
    queue.push(chunk);
    give();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000);
  });
  child.stdin.on("error", () => undefined); // reported by `close`
  const end = (error?: Error): void => {
    if (error) said ||= error.message;
    ended = true;
    give();
  };
  child.on("error", end);
  child.on("close", () => end());
  return {
    child,
    since: performance.now(),
    line: () =>
      new Promise((resolve) => {
        waiting = resolve;
        give();
      }),
    said: () => said.trim(),
  };
}
