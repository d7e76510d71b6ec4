import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { onDemandFile } from "./on-demand.ts";
import { acceptSocket, type Socket } from "./web-socket.ts";

/** One message of the protocol, as the SDK encodes it. */
interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
  create(message: Partial<T>): T;
}
interface Protocol {
  readonly ConnectMessage: Codec<{ kind: number; payload: Uint8Array }>;
  readonly StartResponse: Codec<Record<string, string>>;
  readonly WorkerConnectRequestData: Codec<{
    readonly instanceId: string;
    readonly authData?: { readonly sessionToken: string };
    readonly apps: readonly { readonly appName: string; readonly functions: Uint8Array }[];
  }>;
  readonly GatewayConnectionReadyData: Codec<Record<string, string>>;
  readonly GatewayExecutorRequestData: Codec<Record<string, string | Uint8Array>>;
  readonly SDKResponse: Codec<{ requestId: string; status: number; body: Uint8Array }>;
  readonly WorkerReplyAckData: Codec<{ requestId: string }>;
  readonly GatewayMessageType: Readonly<Record<string, number>>;
}

interface Worker {
  readonly socket: Socket;
  readonly instance: string;
  readonly apps: ReadonlySet<string>;
  isReady: boolean;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * The gateway of Inngest's connect protocol, as the SDK speaks it: a worker asks for a session, opens a web socket, names its functions
 * and gets calls. A broken connection fails the calls of its worker at once; the real server needs about two minutes.
 */
export class ConnectGateway {
  readonly #protocol: Protocol;
  readonly #register: (app: string, functions: string) => void;
  readonly #sessions = new Set<string>();
  readonly #workers = new Set<Worker>();
  readonly #calls = new Map<string, { readonly worker: Worker; readonly end: (answer: Answer | undefined) => void }>();

  private constructor(protocol: Protocol, register: (app: string, functions: string) => void) {
    this.#protocol = protocol;
    this.#register = register;
  }

  static async open(register: (app: string, functions: string) => void): Promise<ConnectGateway> {
    const file = await onDemandFile("inngest", "inngest/proto/src/components/connect/protobuf/connect.js");
    return new ConnectGateway((await import(file)) as Protocol, register);
  }

  /** Ids of the processes that are connected. */
  get instances(): readonly string[] {
    return [...this.#workers].map(({ instance }) => instance);
  }

  /** Answers the request for a session; its signing key is checked already. */
  start(endpoint: string): Uint8Array {
    const session = randomBytes(8).toString("hex");
    this.#sessions.add(session);
    const { StartResponse } = this.#protocol;
    const ids = { connectionId: randomBytes(8).toString("hex"), gatewayGroup: "test", syncToken: "sync" };
    return StartResponse.encode(
      StartResponse.create({ ...ids, gatewayEndpoint: endpoint, sessionToken: session }),
    ).finish();
  }

  /** An answer that a worker could not give through its connection. */
  flush(bytes: Uint8Array): void {
    this.#answered(bytes);
  }

  upgrade(request: IncomingMessage, stream: Duplex): void {
    let worker: Worker | undefined;
    const socket = acceptSocket(request, stream, {
      message: (bytes) => {
        const { kind, payload } = this.#protocol.ConnectMessage.decode(bytes);
        if (kind === this.#kind("WORKER_CONNECT")) worker = this.#connected(socket, payload);
        else if (worker) this.#heard(worker, kind, payload);
      },
      close: () => worker && this.#gone(worker),
    });
    this.#send(socket, "GATEWAY_HELLO");
  }

  /** Calls a worker of the app. Undefined: none is connected, or its connection broke. */
  call(app: string, fn: string, run: string, body: string): Promise<Answer | undefined> {
    const worker = [...this.#workers].find(({ apps, isReady }) => isReady && apps.has(app));
    if (!worker) return Promise.resolve(undefined);
    const requestId = randomBytes(8).toString("hex");
    const { GatewayExecutorRequestData: Request } = this.#protocol;
    const ids = { requestId, accountId: "a", envId: "e", appId: "i", leaseId: "l", jobId: "j", runId: run };
    const call = { ...ids, appName: app, functionSlug: fn, stepId: "step", requestPayload: Buffer.from(body) };
    return new Promise((end) => {
      this.#calls.set(requestId, { worker, end });
      this.#send(worker.socket, "GATEWAY_EXECUTOR_REQUEST", Request.encode(Request.create(call)).finish());
    });
  }

  /** Breaks all connections. */
  close(): void {
    for (const { socket } of this.#workers) socket.destroy();
  }

  #connected(socket: Socket, payload: Uint8Array): Worker | undefined {
    const { WorkerConnectRequestData, GatewayConnectionReadyData: Ready } = this.#protocol;
    const { authData, apps, instanceId } = WorkerConnectRequestData.decode(payload);
    if (!authData || !this.#sessions.delete(authData.sessionToken)) {
      socket.destroy();
      return undefined;
    }
    for (const { appName, functions } of apps) this.#register(appName, Buffer.from(functions).toString());
    const names = new Set(apps.map(({ appName }) => appName));
    const worker: Worker = { socket, instance: instanceId, apps: names, isReady: false };
    this.#workers.add(worker);
    const intervals = { heartbeatInterval: "1s", extendLeaseInterval: "1s", statusInterval: "" };
    this.#send(socket, "GATEWAY_CONNECTION_READY", Ready.encode(Ready.create(intervals)).finish());
    return worker;
  }

  #heard(worker: Worker, kind: number, payload: Uint8Array): void {
    if (kind === this.#kind("WORKER_READY")) worker.isReady = true;
    else if (kind === this.#kind("WORKER_PAUSE")) worker.isReady = false;
    else if (kind === this.#kind("WORKER_HEARTBEAT")) this.#send(worker.socket, "GATEWAY_HEARTBEAT");
    else if (kind === this.#kind("WORKER_REPLY")) {
      const requestId = this.#answered(payload);
      const { WorkerReplyAckData: Ack } = this.#protocol;
      this.#send(worker.socket, "WORKER_REPLY_ACK", Ack.encode(Ack.create({ requestId })).finish());
    }
  }

  #answered(bytes: Uint8Array): string {
    const { requestId, status, body } = this.#protocol.SDKResponse.decode(bytes);
    this.#calls.get(requestId)?.end({ status: HTTP_STATUS[status] ?? 500, body: Buffer.from(body).toString() });
    this.#calls.delete(requestId);
    return requestId;
  }

  #gone(worker: Worker): void {
    this.#workers.delete(worker);
    for (const [id, call] of this.#calls) {
      if (call.worker !== worker) continue;
      this.#calls.delete(id);
      call.end(undefined);
    }
  }

  #send(socket: Socket, kind: string, payload: Uint8Array = new Uint8Array()): void {
    const { ConnectMessage } = this.#protocol;
    socket.send(ConnectMessage.encode(ConnectMessage.create({ kind: this.#kind(kind), payload })).finish());
  }

  #kind(name: string): number {
    return this.#protocol.GatewayMessageType[name]!;
  }
}

/** By `SDKResponseStatus`: NOT_COMPLETED, DONE, ERROR. */
const HTTP_STATUS = [206, 200, 500];
