import { connect, type Socket } from "node:net";
import { type FailureRecord, failureFromRecord } from "../../../base/failure.ts";
import type { StoreKey } from "../../../domain/store-key.ts";
import {
  type Created,
  type Hash,
  type KeyPage,
  MAX_OBJECT_BYTES,
  oneByOne,
  type Removed,
  type Store,
  type Stored,
  type StoreHealth,
  type Swapped,
  type Write,
  type WriteResult,
} from "../../../ports/store.ts";
import { objectTooLarge } from "../store-checks.ts";
import { ownerGone } from "./failures.ts";
import { type Message, onMessages, sendMessage } from "./socket-messages.ts";
import type { StoreCall, WriteOrder } from "./socket-server.ts";

/** The store of another process, through its socket. When that process ends, open calls fail with outcome `unknown`. */
export class ClientStore implements Store {
  readonly #socket: Socket;
  readonly #open = new Map<number, { resolve: (answer: Message) => void; reject: (reason: unknown) => void }>();
  #last = 0;
  #gone = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.unref();
    onMessages(socket, (message) => this.#receive(message));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#hangUp());
  }

  /** Undefined if no process listens there. */
  static async connect(path: string, timeoutMs: number): Promise<ClientStore | undefined> {
    return await new Promise((resolve) => {
      const socket = connect(path);
      const giveUp = (): void => {
        socket.destroy();
        resolve(undefined);
      };
      socket.setTimeout(timeoutMs, giveUp);
      socket.once("error", giveUp);
      socket.once("connect", () => {
        socket.setTimeout(0);
        socket.off("error", giveUp);
        resolve(new ClientStore(socket));
      });
    });
  }

  /** True if the owner hung up: then a new store must be opened. */
  get gone(): boolean {
    return this.#gone;
  }

  async get(key: StoreKey): Promise<Stored | undefined> {
    const { head, body } = await this.#ask({ verb: "get", key });
    return head["result"] ? { hash: (head["result"] as { hash: Hash }).hash, bytes: Uint8Array.from(body) } : undefined;
  }

  async create(key: StoreKey, bytes: Uint8Array): Promise<Created> {
    return (await this.#ask({ verb: "create", key }, bytes)).head["result"] as Created;
  }

  async swap(key: StoreKey, expected: Hash, bytes: Uint8Array): Promise<Swapped> {
    return (await this.#ask({ verb: "swap", key, expected }, bytes)).head["result"] as Swapped;
  }

  async inOrder(writes: readonly Write[]): Promise<readonly WriteResult[]> {
    const parts = writes.map((write) => ("bytes" in write ? write.bytes : EMPTY));
    const large = parts.findIndex(({ length }) => length > MAX_OBJECT_BYTES);
    if (large >= 0) throw objectTooLarge(writes[large]!.key, parts[large]!.length);
    // A message holds at most one object's size; more is sent one by one, with the same promise.
    if (parts.reduce((sum, { length }) => sum + length, 0) > MAX_OBJECT_BYTES) return await oneByOne(this, writes);
    const orders = writes.map(({ verb, key, ...rest }, i): WriteOrder => {
      const must = "must" in rest && rest.must ? { must: true as const } : {};
      return { verb, key, length: parts[i]!.length, ...must };
    });
    const { head } = await this.#ask({ verb: "in-order", writes: orders }, Buffer.concat(parts));
    return head["result"] as readonly WriteResult[];
  }

  async put(key: StoreKey, bytes: Uint8Array): Promise<void> {
    await this.#ask({ verb: "put", key }, bytes);
  }

  async remove(key: StoreKey, expected: Hash): Promise<Removed> {
    return (await this.#ask({ verb: "remove", key, expected })).head["result"] as Removed;
  }

  async delete(key: StoreKey): Promise<void> {
    await this.#ask({ verb: "delete", key });
  }

  async list(prefix: string, page: { after?: StoreKey; limit?: number } = {}): Promise<KeyPage> {
    const result = (await this.#ask({ verb: "list", prefix, page })).head["result"] as KeyPage;
    return { entries: result.entries, next: result.next };
  }

  async health(): Promise<StoreHealth> {
    const result = (await this.#ask({ verb: "health" })).head["result"] as StoreHealth;
    return { ...result, role: "client", shared: true };
  }

  async close(): Promise<void> {
    this.#socket.end();
    this.#hangUp();
  }

  #ask(call: StoreCall, bytes?: Uint8Array): Promise<Message> {
    if (bytes && bytes.length > MAX_OBJECT_BYTES)
      return Promise.reject(objectTooLarge("key" in call ? call.key : "", bytes.length));
    return new Promise((resolve, reject) => {
      if (this.#gone) return reject(ownerGone());
      const id = ++this.#last;
      this.#open.set(id, { resolve, reject });
      this.#socket.ref(); // keeps the process alive during a call
      sendMessage(this.#socket, { id, call }, bytes);
    });
  }

  #receive(message: Message): void {
    const id = message.head["id"] as number;
    const asked = this.#open.get(id);
    this.#open.delete(id);
    if (this.#open.size === 0) this.#socket.unref();
    const failure = message.head["failure"] as FailureRecord | undefined;
    if (failure) asked?.reject(failureFromRecord(failure));
    else asked?.resolve(message);
  }

  #hangUp(): void {
    this.#gone = true;
    for (const { reject } of this.#open.values()) reject(ownerGone());
    this.#open.clear();
  }
}

const EMPTY = new Uint8Array();
