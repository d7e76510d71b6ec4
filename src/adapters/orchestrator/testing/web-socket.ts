import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** The server's end of a web socket, for binary messages. */
export interface Socket {
  send(message: Uint8Array): void;
  /** Breaks the connection without a word. */
  destroy(): void;
}

/** Accepts the upgrade of a request to a web socket (RFC 6455), with the first protocol that the client offers. */
export function acceptSocket(
  request: IncomingMessage,
  stream: Duplex,
  on: { readonly message: (message: Uint8Array) => void; readonly close: () => void },
): Socket {
  const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${GUID}`).digest("base64");
  const protocol = request.headers["sec-websocket-protocol"]?.split(",")[0]?.trim();
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n` +
      `${protocol === undefined ? "" : `Sec-WebSocket-Protocol: ${protocol}\r\n`}\r\n`,
  );
  let rest = Buffer.alloc(0);
  stream.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let frame = frameOf(rest); frame; frame = frameOf(rest)) {
      rest = rest.subarray(frame.length);
      if (frame.kind === CLOSE) stream.end(framed(CLOSE, frame.payload));
      else if (frame.kind === BINARY) on.message(frame.payload);
    }
  });
  stream.on("error", () => undefined);
  stream.on("close", on.close);
  return { send: (message) => void stream.write(framed(BINARY, message)), destroy: () => stream.destroy() };
}

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const [BINARY, CLOSE] = [2, 8];

/** The first frame of the bytes, which clients mask. Undefined: not whole yet. Messages here are never in several frames. */
function frameOf(bytes: Buffer): { kind: number; payload: Buffer; length: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes[1]! & 127;
  const head = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < head + 4) return undefined;
  const size = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const length = head + 4 + size;
  if (bytes.length < length) return undefined;
  const mask = bytes.subarray(head, head + 4);
  const payload = Buffer.from(bytes.subarray(head + 4, length).map((byte, at) => byte ^ mask[at % 4]!));
  return { kind: bytes[0]! & 15, payload, length };
}

function framed(kind: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(payload.length < 126 ? 2 : 10);
  head[0] = 128 | kind;
  head[1] = payload.length < 126 ? payload.length : 127;
  if (payload.length >= 126) head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}
