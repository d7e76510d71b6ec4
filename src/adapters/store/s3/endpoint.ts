import http from "node:http";
import https from "node:https";

/** One request to the endpoint of the bucket, signed already. */
export interface EndpointRequest {
  readonly method: string;
  /** Encoded path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface EndpointAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** Sends requests to one endpoint. Throws `NoAnswer`. */
export interface S3Endpoint {
  send(request: EndpointRequest): Promise<EndpointAnswer>;
  close(): void;
}

/** The request got no whole answer. `sent` is false if it never left this machine: then nothing happened at the server. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  readonly sent: boolean;

  constructor(reason: string, sent: boolean, cause?: unknown) {
    super(reason, { cause });
    this.sent = sent;
  }
}

export interface EndpointLimits {
  /** For an answer without much content. */
  readonly answerMs: number;
  /** For the connection. */
  readonly connectMs: number;
}

export const endpointLimits: EndpointLimits = { answerMs: 20_000, connectMs: 5000 };

const MAX_SOCKETS = 64;
/** Shorter than the idle limit of every known server, so that a request is not sent into a connection that closes. */
const IDLE_MS = 10_000;
const BYTES_PER_MS = 1000;
const MAX_ANSWER_BYTES = 80 * 1024 * 1024;

/**
 * Connects to the endpoint that the owner configured and to no other host: redirects are not followed. Connections are kept
 * alive.
 */
export function openEndpoint(url: URL, limits: EndpointLimits = endpointLimits): S3Endpoint {
  const secure = url.protocol === "https:";
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS, timeout: IDLE_MS };
  const agent = secure ? new https.Agent(options) : new http.Agent(options);
  const { request } = secure ? https : http;
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  const hostname = url.hostname.replaceAll(/^\[|\]$/g, "");

  const send = ({ method, target, headers, body }: EndpointRequest): Promise<EndpointAnswer> =>
    new Promise((resolve, reject) => {
      let sent = false;
      let timer: NodeJS.Timeout | undefined;
      const failed = (reason: string, cause?: unknown): void => {
        clearTimeout(timer);
        reject(new NoAnswer(reason, sent, cause));
      };
      const sending = request({
        agent,
        hostname,
        port,
        method,
        path: target,
        headers: { ...headers, host: url.host, "content-length": body.length },
      });
      const within = (ms: number, reason: string): void => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          failed(reason);
          sending.destroy();
        }, ms);
      };
      const answerMs = limits.answerMs + body.length / BYTES_PER_MS;
      const connected = (): void => {
        sent = true;
        within(answerMs, `no answer within ${Math.round(answerMs)} ms`);
      };
      sending.once("socket", (socket) => {
        if (!socket.connecting) return connected();
        within(limits.connectMs, `no connection within ${limits.connectMs} ms`);
        return socket.once(secure ? "secureConnect" : "connect", connected);
      });
      sending.on("error", (error: NodeJS.ErrnoException) => failed(error.code ?? error.message, error));
      sending.once("response", (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        response.on("data", (part: Buffer) => {
          size += part.length;
          if (size > MAX_ANSWER_BYTES) sending.destroy(new Error("the answer is too large"));
          else parts.push(part);
          within(limits.answerMs, `the answer stopped for ${limits.answerMs} ms`);
        });
        response.on("error", (error: NodeJS.ErrnoException) => failed(error.code ?? error.message, error));
        response.on("end", () => {
          clearTimeout(timer);
          if (!response.complete) return failed("the answer was cut off");
          return resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Record<string, string | undefined>,
            body: Buffer.concat(parts),
          });
        });
      });
      sending.end(body);
    });
  return { send, close: () => agent.destroy() };
}
