import type { Socket } from "node:net";
import { Failure } from "../../../base/failure.ts";
import { MAX_OBJECT_BYTES } from "../../../ports/store.ts";

/**
 * Messages between a process and the owner of its garden: a head of JSON and a body of bytes.
 *
 *     4 bytes  length of the head (little-endian, like the next)
 *     4 bytes  length of the body
 *     head, body
 */
export interface Message {
  readonly head: Readonly<Record<string, unknown>>;
  readonly body: Uint8Array;
}

const MAX_HEAD = 4 * 1024 * 1024;
const PREFIX = 8;

export function sendMessage(socket: Socket, head: object, body: Uint8Array = new Uint8Array()): void {
  const text = Buffer.from(JSON.stringify(head));
  const front = Buffer.allocUnsafe(PREFIX + text.length);
  front.writeUInt32LE(text.length, 0);
  front.writeUInt32LE(body.length, 4);
  text.copy(front, PREFIX);
  socket.cork();
  socket.write(front);
  if (body.length > 0) socket.write(body);
  socket.uncork();
}

/** Calls `receive` for every complete message. Destroys the socket of a peer that breaks the protocol. */
export function onMessages(socket: Socket, receive: (message: Message) => void): void {
  let chunks: Buffer[] = [];
  let have = 0;
  let need = PREFIX;
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    have += chunk.length;
    while (have >= need) {
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      const headLength = bytes.readUInt32LE(0);
      const bodyLength = bytes.readUInt32LE(4);
      if (headLength > MAX_HEAD || bodyLength > MAX_OBJECT_BYTES) return void socket.destroy(protocolError());
      const whole = PREFIX + headLength + bodyLength;
      if (have < whole) {
        chunks = [bytes];
        need = whole;
        return;
      }
      const head = parseHead(bytes.toString("utf8", PREFIX, PREFIX + headLength));
      if (!head) return void socket.destroy(protocolError());
      const rest = bytes.subarray(whole);
      chunks = rest.length > 0 ? [rest] : [];
      have = rest.length;
      need = PREFIX;
      receive({ head, body: bytes.subarray(PREFIX + headLength, whole) });
    }
  });
}

function parseHead(text: string): Record<string, unknown> | undefined {
  try {
    const head: unknown = JSON.parse(text);
    return typeof head === "object" && head !== null ? (head as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const protocolError = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: "the process at the garden's socket speaks another protocol",
    uk: "процес на сокеті саду використовує інший протокол",
  });
