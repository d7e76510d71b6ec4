import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { assert } from "../../../../base/assert.ts";
import type { Failure } from "../../../../base/failure.ts";
import { isOid, type Oid } from "../../../../domain/git/git-names.ts";
import { byteQueue } from "../process/byte-queue.ts";
import { type GitPlace, startGit } from "../process/git-process.ts";
import { objectUnreadable, repoClosed } from "./failures.ts";
import type { ObjectType } from "./object-format.ts";

export interface CatFileAnswer {
  readonly type: ObjectType;
  readonly size: number;
  /** Undefined if only the type was asked for. */
  readonly bytes: Buffer | undefined;
}

interface Request {
  readonly line: string;
  readonly oid: Oid;
  readonly withBytes: boolean;
  resolve(answer: CatFileAnswer | undefined): void;
  reject(failure: Failure): void;
  /** Number of processes that died with this request at the front. */
  deaths: number;
}

/** A damaged object kills git. It is requested once more, in case something else did. */
const MAX_DEATHS = 2;
/** Without `--buffer` git writes every answer by itself: a thousand wake-ups for a thousand small commits. */
const FLUSH = "flush\n";

/**
 * A resident `git cat-file --batch-command` with pipelined requests. Git finds new packs and loose objects by itself, so
 * it needs no notice of writes. A process that dies is restarted with the requests still open.
 */
export class CatFile {
  readonly #place: GitPlace;
  #requests: Request[] = [];
  #child: ChildProcessWithoutNullStreams | undefined;
  #closed = false;
  #unsent = "";

  constructor(place: GitPlace) {
    this.#place = place;
  }

  /** Resolves with undefined if the repository has no such object. */
  ask(oid: Oid, withBytes: boolean): Promise<CatFileAnswer | undefined> {
    assert(isOid(oid), `an object id was expected, not ${JSON.stringify(oid)}`);
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(repoClosed());
      const line = `${withBytes ? "contents" : "info"} ${oid}\n`;
      this.#requests.push({ line, oid, withBytes, resolve, reject, deaths: 0 });
      if (this.#child) this.#send(line);
      else this.#start();
    });
  }

  /** Requests that are made together are written together: a thousand writes take longer than their answers. */
  #send(line: string): void {
    if (this.#unsent === "") queueMicrotask(() => this.#flush());
    this.#unsent += line;
  }

  #flush(): void {
    const lines = this.#unsent;
    this.#unsent = "";
    if (lines !== "") this.#child?.stdin.write(lines + FLUSH);
  }

  close(): void {
    this.#closed = true;
    this.#child?.stdin.end();
    if (this.#requests.length > 0) this.#child?.kill();
    for (const request of this.#requests.splice(0)) request.reject(repoClosed());
  }

  #start(): void {
    const child = startGit(this.#place, ["cat-file", "--batch-command", "--buffer"], {
      variables: { GIT_NO_REPLACE_OBJECTS: "1" },
    });
    this.#child = child;
    this.#unsent = ""; // all open requests are written below
    const parse = this.#parser();
    let said = "";
    let isOver = false;
    let isOutOfStep = false;
    child.stdout.on("data", (chunk: Buffer) => {
      if (isOutOfStep || parse(chunk)) return;
      // A damaged object made git print more bytes than it announced. The open requests are sent again.
      isOutOfStep = true;
      child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-2000);
    });
    child.stdin.on("error", () => undefined); // reported by `close` below
    const end = (error?: Error): void => {
      if (isOver) return;
      isOver = true;
      this.#child = undefined;
      this.#restart(isOutOfStep, error?.message ?? said);
    };
    child.on("error", end);
    child.on("close", () => end());
    child.stdin.write(this.#requests.map(({ line }) => line).join("") + FLUSH);
  }

  /** Resolves requests as answers arrive. Returns false if the output does not fit the first open request. */
  #parser(): (chunk: Buffer) => boolean {
    const queue = byteQueue();
    let head: CatFileAnswer | undefined;
    return (chunk) => {
      queue.push(chunk);
      for (;;) {
        if (!head) {
          const line = queue.takeLine();
          if (line === undefined) return true;
          const [request] = this.#requests;
          if (!request || !line.startsWith(request.oid)) return false;
          head = parseHead(line);
          if (!head || !request.withBytes) {
            this.#requests.shift()!.resolve(head);
            head = undefined;
            continue;
          }
        }
        const bytes = queue.take(head.size + 1);
        if (!bytes) return true;
        this.#requests.shift()!.resolve({ ...head, bytes: bytes.subarray(0, head.size) });
        head = undefined;
      }
    };
  }

  #restart(wasOutOfStep: boolean, said: string): void {
    const [front] = this.#requests;
    if (!front) return;
    if (!wasOutOfStep) front.deaths++;
    if (front.deaths >= MAX_DEATHS) {
      this.#requests.shift();
      front.reject(objectUnreadable(front.oid, said));
    }
    if (this.#requests.length > 0 && !this.#closed) this.#start();
    else for (const request of this.#requests.splice(0)) request.reject(repoClosed());
  }
}

/** `<oid> <type> <size>`, or `<oid> missing`. */
function parseHead(line: string): CatFileAnswer | undefined {
  const [, type, size] = line.split(" ");
  return size === undefined ? undefined : { type: type as ObjectType, size: Number(size), bytes: undefined };
}
