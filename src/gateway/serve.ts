import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import type { LogLine } from "../base/log-line.ts";
import type { ProcessRole } from "../domain/peer.ts";
import type { Garden } from "../garden/core/garden.ts";
import { type GatewayOptions, gatewayApp } from "./app.ts";
import { cannotListen } from "./failures.ts";
import type { GatewayRuns, KnownGardensOf } from "./route.ts";
import type { WebFiles } from "./web-app.ts";

export interface ServeAt {
  /** A worker serves only its health and its metrics. */
  readonly role: ProcessRole;
  readonly host: string;
  readonly port: number;
  /** Try the next ports if this one is in use. */
  readonly findFree: boolean;
  readonly allowedHosts: readonly string[];
  /** Reads an environment variable that `garden.yaml` names: the secret of a webhook. */
  readonly secretOf?: (variable: string) => string | undefined;
  /** The engine of this process, if it has one. */
  readonly runs?: GatewayRuns | undefined;
  /** The version of this process, and the one that is installed now. */
  readonly program?: GatewayOptions["program"];
  /** The gardens of this machine. */
  readonly gardens?: KnownGardensOf | undefined;
  /** The built web app, if there is one. */
  readonly web?: WebFiles | undefined;
  readonly writeLog?: ((line: LogLine) => void) | undefined;
}

const PORTS_TO_TRY = 10;
const GRACE_MS = 2000;

/** Longer than the 60 s for which proxies and browsers usually keep an idle connection. */
const KEEP_ALIVE_MS = 75_000;

export interface Serving {
  readonly url: string;
  stop(): Promise<void>;
}

export async function serveGarden(garden: Garden, at: ServeAt): Promise<Serving> {
  const ending = new AbortController();
  const app = gatewayApp(garden, { ...at, ended: ending.signal });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  // Node closes an idle connection after 5 s: a client that sends its next request at that moment gets ECONNRESET.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const port = await listen(server, at);
  return {
    url: urlOf(localHost(at.host), port),
    stop: () => {
      ending.abort();
      return stop(server);
    },
  };
}

/** A browser cannot open a wildcard address; this machine can be reached by its loopback address. */
const localHost = (host: string): string => (host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host);

const urlOf = (host: string, port: number | string): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;

async function listen(server: Server, { host, port, findFree }: ServeAt): Promise<number> {
  const last = findFree ? port + PORTS_TO_TRY - 1 : port;
  for (let attempt = port; ; attempt++) {
    try {
      return await listenAt(server, host, attempt);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "EADDRINUSE" && attempt < last) continue;
      throw cannotListen(host, attempt, code ?? "", error);
    }
  }
}

const listenAt = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });

/** Stops accepting connections; open requests have `GRACE_MS` to end. */
const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
