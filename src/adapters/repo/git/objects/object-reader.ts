import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { assert } from "../../../../base/assert.ts";
import { Failure } from "../../../../base/failure.ts";
import { isOid, type Oid } from "../../../../domain/git/git-names.ts";
import { byteQueue } from "../process/byte-queue.ts";
import { type GitPlace, gitFailed, startGit } from "../process/git-process.ts";
import { type GitObject, objectCache } from "./object-cache.ts";
import { damaged, type ObjectType, objectId, parseCommit, parseTree } from "./object-format.ts";

/**
 * Reads objects through one resident `git cat-file`, many requests on the way at once. Git finds new packs and new
 * loose objects by itself, so the process never has to be told that something was written.
 */
export interface ObjectReader {
  /** What memory holds, without waiting. */
  held(oid: Oid): GitObject | undefined;
  /** Undefined if the repository has no such object. */
  get(oid: Oid): Promise<GitObject | undefined>;
  /** What an object is, without reading it; undefined if there is none. */
  typeOf(oid: Oid): Promise<ObjectType | undefined>;
  /** Hands over an object that was just written. */
  keep(oid: Oid, object: GitObject, size: number): void;
  /** Holds an object that git cannot see yet, until `unpin`; from then on it may be forgotten. */
  pin(oid: Oid, object: GitObject): void;
  unpin(oid: Oid, size: number): void;
  close(): void;
}

interface Request {
  readonly line: string;
  readonly oid: Oid;
  readonly withBytes: boolean;
  resolve(answer: Answer | undefined): void;
  reject(failure: Failure): void;
  /** How often the process died with this request in front. */
  deaths: number;
}

interface Answer {
  readonly type: ObjectType;
  readonly size: number;
  readonly bytes: Buffer | undefined;
}

/** A damaged object ends the process. It is asked for once more, in case something else had ended it. */
const MAX_DEATHS = 2;

export function objectReader(place: GitPlace, cacheBytes: number): ObjectReader {
  const cache = objectCache(cacheBytes);
  const pinned = new Map<Oid, GitObject>();
  const onTheWay = new Map<Oid, Promise<GitObject | undefined>>();
  const inMemory = (oid: Oid): GitObject | undefined => cache.get(oid) ?? pinned.get(oid);
  let waiting: Request[] = [];
  let child: ChildProcessWithoutNullStreams | undefined;
  let closed = false;

  function ask(oid: Oid, withBytes: boolean): Promise<Answer | undefined> {
    assert(isOid(oid), `an object id was expected, not ${JSON.stringify(oid)}`);
    return new Promise((resolve, reject) => {
      if (closed) return reject(closedFailure());
      const line = `${withBytes ? "contents" : "info"} ${oid}\n`;
      waiting.push({ line, oid, withBytes, resolve, reject, deaths: 0 });
      if (child) child.stdin.write(line);
      else start();
    });
  }

  function start(): void {
    const started = startGit(place, ["cat-file", "--batch-command"], { variables: { GIT_NO_REPLACE_OBJECTS: "1" } });
    child = started;
    const queue = byteQueue();
    let head: Answer | undefined;
    let said = "";
    let over = false;
    let outOfStep = false;
    started.stdout.on("data", (chunk: Buffer) => {
      queue.push(chunk);
      for (;;) {
        if (!head) {
          const line = queue.takeLine();
          if (line === undefined || outOfStep) return;
          if (!waiting[0] || !line.startsWith(waiting[0].oid)) {
            // A damaged object made git say more bytes than it announced. Whoever waits is asked for again.
            outOfStep = true;
            started.kill("SIGKILL");
            return;
          }
          head = parseHead(line);
          if (!head || !waiting[0].withBytes) {
            waiting.shift()!.resolve(head);
            head = undefined;
            continue;
          }
        }
        const bytes = queue.take(head.size + 1);
        if (!bytes) return;
        waiting.shift()!.resolve({ ...head, bytes: bytes.subarray(0, head.size) });
        head = undefined;
      }
    });
    started.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-2000);
    });
    started.stdin.on("error", () => undefined); // told by its end, below
    const ended = (error?: Error): void => {
      if (over) return;
      over = true;
      child = undefined;
      const front = waiting[0];
      if (!front) return;
      if (!outOfStep) front.deaths++;
      if (front.deaths >= MAX_DEATHS) {
        waiting.shift();
        front.reject(unreadable(front.oid, error?.message ?? said));
      }
      if (waiting.length > 0 && !closed) start();
      else for (const left of waiting.splice(0)) left.reject(closedFailure());
    };
    started.on("error", ended);
    started.on("close", () => ended());
    started.stdin.write(waiting.map(({ line }) => line).join(""));
  }

  async function read(oid: Oid): Promise<GitObject | undefined> {
    const answer = await ask(oid, true);
    if (!answer) return undefined;
    // Git hands on the bytes of a loose blob without hashing them.
    if (objectId(answer.type, answer.bytes!) !== oid) throw damaged(`the object ${oid}`, oid);
    const object = parsed(oid, answer.type, answer.bytes!);
    cache.set(oid, object, answer.size);
    return object;
  }

  return {
    held: inMemory,
    get(oid) {
      const held = inMemory(oid);
      if (held) return Promise.resolve(held);
      const before = onTheWay.get(oid);
      if (before) return before;
      const reading = read(oid).finally(() => onTheWay.delete(oid));
      onTheWay.set(oid, reading);
      return reading;
    },
    async typeOf(oid) {
      return inMemory(oid)?.type ?? (await ask(oid, false))?.type;
    },
    keep: (oid, object, size) => cache.set(oid, object, size),
    pin: (oid, object) => pinned.set(oid, object),
    unpin(oid, size) {
      const object = pinned.get(oid);
      pinned.delete(oid);
      if (object) cache.set(oid, object, size);
    },
    close() {
      closed = true;
      child?.stdin.end();
      if (waiting.length > 0) child?.kill();
      for (const left of waiting) left.reject(closedFailure());
      waiting = [];
    },
  };
}

/** `<oid> <type> <size>`, or `<oid> missing`. */
function parseHead(line: string): Answer | undefined {
  const [, type, size] = line.split(" ");
  return size === undefined ? undefined : { type: type as ObjectType, size: Number(size), bytes: undefined };
}

export function parsed(oid: Oid, type: ObjectType, bytes: Buffer): GitObject {
  switch (type) {
    case "tree":
      return { type, tree: parseTree(bytes) };
    case "commit":
      return { type, commit: parseCommit(oid, bytes) };
    case "blob":
    case "tag":
      return { type, bytes: Buffer.from(bytes) }; // a copy: a slice would keep its whole chunk in memory
  }
}

const unreadable = (oid: Oid, said: string): Failure => {
  const failure = gitFailed(["cat-file"], `object ${oid}`, said.trim());
  return new Failure(failure.code, failure.text, {
    hint: {
      en: "The object is damaged. Run “git fsck”, and fetch it from a remote or a backup.",
      uk: "Об'єкт пошкоджено. Виконайте «git fsck» і отримайте його з віддаленого репозиторію чи резервної копії.",
    },
    details: { part: "git", object: oid },
  });
};

export const closedFailure = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", { en: "the repository is closed", uk: "репозиторій закрито" });
