import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { basename, dirname } from "node:path";
import { Readable } from "node:stream";
import type { FetchRequest, ServedFetch, ServeFetch } from "../../../../ports/repos.ts";
import { type Environment, killGit, startGit } from "../process/git-process.ts";
import { fetchFailed, tooManyFetches } from "./failures.ts";

export interface FetchServerLimits {
  /** Processes of git at once, and requests that wait for one. */
  readonly atOnce: number;
  readonly waiting: number;
  /** A request lists what is wanted and what is known, by id. */
  readonly requestBytes: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
  readonly totalMs: number;
}

export const fetchServerLimits: FetchServerLimits = {
  atOnce: 8,
  waiting: 64,
  requestBytes: 4 * 1024 * 1024,
  idleMs: 30_000,
  totalMs: 600_000,
};

const MOST_HEADER_BYTES = 16 * 1024;

/**
 * Answers fetches from a bare repository through `git http-backend`. Only the two requests of the smart protocol that read are passed on,
 * with a path of ours and no variable of this process but PATH: there is no push, and no file is served by its name.
 */
export function fetchServer(environment: Environment, limits: FetchServerLimits = fetchServerLimits): ServeFetch {
  const turns = newTurns(limits);
  return async (dir, request) => {
    const release = await turns();
    if (request.ended?.aborted) {
      release();
      throw fetchFailed();
    }
    try {
      const backend = startBackend(dir, request, environment);
      // Not only on `close`, which waits for a reader of the answer.
      for (const end of ["exit", "error", "close"]) backend.on(end, release);
      if (!hasPipes(backend)) throw fetchFailed();
      return await answerOf(backend, request, limits);
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** At most so many at once; the others wait, and beyond that they are refused. */
function newTurns({ atOnce, waiting }: FetchServerLimits): () => Promise<() => void> {
  const queue: (() => void)[] = [];
  let working = 0;
  return async () => {
    if (working >= atOnce) {
      if (queue.length >= waiting) throw tooManyFetches();
      await new Promise<void>((resolve) => queue.push(resolve));
    } else working++;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = queue.shift();
      if (next) next();
      else working--;
    };
  };
}

const SETTINGS = ["http.receivepack=false", "http.getanyfile=false", "http.uploadpack=true", "uploadpack.keepAlive=5"];

/** Without file descriptors for its pipes, git is not started: an `error` tells it later, and until then the child has no streams. */
const hasPipes = ({ stdin, stdout, stderr }: Partial<ChildProcessWithoutNullStreams>): boolean =>
  stdin !== undefined && stdout !== undefined && stderr !== undefined;

/** `git http-backend` starts others, which would go on without it. */
const GROUP = { inOwnGroup: true } as const;

/** Git gets PATH of our environment and nothing else. */
function startBackend(
  dir: string,
  { step, protocol, encoding }: FetchRequest,
  { PATH }: Environment,
): ChildProcessWithoutNullStreams {
  const isList = step === "list";
  return startGit({ dir, environment: { PATH } }, [...SETTINGS.flatMap((each) => ["-c", each]), "http-backend"], {
    ...GROUP,
    variables: {
      HOME: dir,
      GIT_PROJECT_ROOT: dirname(dir),
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: `/${basename(dir)}/${isList ? "info/refs" : "git-upload-pack"}`,
      REQUEST_METHOD: isList ? "GET" : "POST",
      QUERY_STRING: isList ? "service=git-upload-pack" : "",
      ...(!isList && { CONTENT_TYPE: "application/x-git-upload-pack-request" }),
      ...(protocol !== undefined && /^version=[012]$/.test(protocol) && { GIT_PROTOCOL: protocol }),
      ...(encoding === "gzip" && { HTTP_CONTENT_ENCODING: "gzip" }),
    },
  });
}

/** Resolves with the head of the answer; its body is passed on as git writes it. Git is ended when the reader goes, or by the limits. */
function answerOf(
  backend: ChildProcessWithoutNullStreams,
  { body, ended }: FetchRequest,
  limits: FetchServerLimits,
): Promise<ServedFetch> {
  const { stdin, stdout, stderr } = backend;
  const stop = (): void => {
    const isOver = backend.exitCode !== null || backend.signalCode !== null; // its number may be that of another process by now
    if (!isOver) killGit(backend, GROUP);
    stdout.destroy(fetchFailed()); // an answer that nobody reads would stay in memory
  };
  const total = setTimeout(stop, limits.totalMs);
  let idle = setTimeout(stop, limits.idleMs);
  const alive = (): void => {
    clearTimeout(idle);
    idle = setTimeout(stop, limits.idleMs);
  };
  ended?.addEventListener("abort", stop, { once: true });
  stderr.resume(); // may name folders of this machine
  stdin.on("error", () => undefined); // git may have enough, and its answer tells
  backend.on("close", () => {
    clearTimeout(total);
    clearTimeout(idle);
    ended?.removeEventListener("abort", stop);
  });
  void passOn(body, stdin, limits.requestBytes, alive).catch(stop);
  return new Promise((resolve, reject) => {
    backend.on("error", () => reject(fetchFailed()));
    let head = Buffer.alloc(0);
    const read = (chunk: Buffer): void => {
      alive();
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end === -1 && head.length < MOST_HEADER_BYTES) return;
      stdout.pause().off("data", read).off("end", cut);
      if (end === -1) return stop();
      stdout.unshift(head.subarray(end + 4));
      const passed = Readable.from(watched(backend, alive), { objectMode: false });
      passed.on("close", stop); // the reader has gone, or has all
      resolve({ ...headOf(head.subarray(0, end).toString("latin1")), body: Readable.toWeb(passed) as ReadableStream });
    };
    const cut = (): void => reject(fetchFailed());
    stdout.on("data", read).on("end", cut).on("error", cut);
  });
}

/** Throws if git was ended before it had written all: the answer is then cut off instead of complete. */
async function* watched(backend: ChildProcessWithoutNullStreams, alive: () => void): AsyncGenerator<Buffer> {
  const ended = new Promise<NodeJS.Signals | null>((resolve) => backend.on("exit", (_, signal) => resolve(signal)));
  for await (const chunk of backend.stdout) {
    alive();
    yield chunk as Buffer;
  }
  if ((backend.signalCode ?? (backend.exitCode === null ? await ended : null)) !== null) throw fetchFailed();
}

async function passOn(
  body: ReadableStream<Uint8Array> | undefined,
  stdin: NodeJS.WritableStream,
  limit: number,
  alive: () => void,
): Promise<void> {
  let bytes = 0;
  for await (const chunk of body ?? []) {
    alive();
    bytes += chunk.length;
    if (bytes > limit) throw new RangeError("the request is too large");
    if (!stdin.write(chunk)) await new Promise((resolve) => stdin.once("drain", resolve).once("close", resolve));
  }
  stdin.end();
}

/** The head that a CGI program writes. Only headers of the protocol are passed on. */
function headOf(text: string): Pick<ServedFetch, "status" | "headers"> {
  const lines = text.split("\r\n").map((line) => /^([A-Za-z-]+): *(.*)$/.exec(line));
  const headers = new Map(lines.flatMap((line) => (line ? [[line[1]!.toLowerCase(), line[2]!]] : [])));
  return {
    status: Number.parseInt(headers.get("status") ?? "200", 10),
    headers: Object.fromEntries([...headers].filter(([name]) => PASSED.has(name))),
  };
}

const PASSED = new Set(["content-type", "cache-control", "expires", "pragma"]);
