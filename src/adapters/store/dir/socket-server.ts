import { createServer, type Server, type Socket } from "node:net";
import { asFailure, failureToRecord } from "../../../base/failure.ts";
import { MAX_OBJECT_BYTES, type Store, type Write } from "../../../ports/store.ts";
import { objectTooLarge } from "../store-checks.ts";
import { type Message, onMessages, sendMessage } from "./socket-messages.ts";

/** Requests to the owner. Arguments other than bytes are in the head. */
export type StoreCall =
  | { readonly verb: "get"; readonly key: string }
  | { readonly verb: "create"; readonly key: string }
  | { readonly verb: "swap"; readonly key: string; readonly expected: string }
  | { readonly verb: "put"; readonly key: string }
  | { readonly verb: "delete"; readonly key: string }
  | { readonly verb: "remove"; readonly key: string; readonly expected: string }
  | { readonly verb: "in-order"; readonly writes: readonly WriteOrder[] }
  | { readonly verb: "list"; readonly prefix: string; readonly page: { after?: string; limit?: number } }
  | { readonly verb: "health" };

/** One of several writes, whose bytes are concatenated in the body. */
export interface WriteOrder {
  readonly verb: Write["verb"];
  readonly key: string;
  readonly length: number;
  readonly must?: true;
}

export const PROTOCOL = 2;

/** Serves a store to other processes of the same user through a socket. */
export async function serveStore(store: Store, path: string): Promise<{ clients(): number; close(): Promise<void> }> {
  const connections = new Set<Socket>();
  const underWay = new Set<Promise<void>>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
    socket.on("error", () => socket.destroy());
    onMessages(socket, (message) => {
      const work = answer(store, socket, message).finally(() => underWay.delete(work));
      underWay.add(work);
    });
  });
  await listening(server, path);
  return {
    clients: () => connections.size,
    /** Answers open requests, then hangs up. */
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      await Promise.allSettled(underWay);
      for (const socket of connections) socket.end();
      await Promise.race([closed, new Promise((done) => setTimeout(done, HANG_UP_MS).unref())]);
      for (const socket of connections) socket.destroy();
      await closed;
    },
  };
}

const HANG_UP_MS = 500;

async function answer(store: Store, socket: Socket, message: Message): Promise<void> {
  const { id, call } = message.head as { id: number; call: StoreCall };
  try {
    const { result, body } = await perform(store, call, message.body);
    sendMessage(socket, { id, result }, body);
  } catch (error) {
    sendMessage(socket, { id, failure: failureToRecord(asFailure(error)) });
  }
}

async function perform(
  store: Store,
  call: StoreCall,
  bytes: Uint8Array,
): Promise<{ result?: unknown; body?: Uint8Array }> {
  switch (call.verb) {
    case "get": {
      const found = await store.get(call.key);
      if (found && found.bytes.length > MAX_OBJECT_BYTES) throw objectTooLarge(call.key, found.bytes.length);
      return found ? { result: { hash: found.hash }, body: found.bytes } : {};
    }
    case "create":
      return { result: await store.create(call.key, bytes) };
    case "swap":
      return { result: await store.swap(call.key, call.expected, bytes) };
    case "put":
      return { result: await store.put(call.key, bytes) };
    case "delete":
      return { result: await store.delete(call.key) };
    case "remove":
      return { result: await store.remove(call.key, call.expected) };
    case "in-order":
      return { result: await store.inOrder(writesOf(call.writes, bytes)) };
    case "list":
      return { result: await store.list(call.prefix, call.page) };
    case "health":
      return { result: await store.health() };
  }
}

function writesOf(orders: readonly WriteOrder[], bytes: Uint8Array): Write[] {
  let at = 0;
  return orders.map(({ verb, key, length, must }) => {
    const own = bytes.subarray(at, (at += length));
    if (verb === "delete") return { verb, key };
    return verb === "put" ? { verb, key, bytes: own } : { verb, key, bytes: own, ...(must && { must }) };
  });
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
