import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { Failure } from "../base/failure.ts";
import type { Garden } from "../garden/core/garden.ts";
import { gatewayApp } from "./app.ts";
import type { RunsFace } from "./route.ts";
import type { WebFiles } from "./web-app.ts";

export interface ServeAt {
  readonly host: string;
  readonly port: number;
  /** Tries the next ports if this one is taken. */
  readonly findFree: boolean;
  readonly allowedHosts: readonly string[];
  /** The value of an environment variable that `garden.yaml` names: secrets of webhooks. */
  readonly secretOf?: (variable: string) => string | undefined;
  /** What works on runs, where something does. */
  readonly runs?: RunsFace | undefined;
  /** The web app, where it was built. */
  readonly web?: WebFiles | undefined;
}

const PORTS_TO_TRY = 10;
const GRACE_MS = 2000;

export async function serveGarden(garden: Garden, at: ServeAt): Promise<{ url: string; stop(): Promise<void> }> {
  const ending = new AbortController();
  const app = gatewayApp(garden, { ...at, ended: ending.signal });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const port = await listen(server, at);
  const host = at.host.includes(":") ? `[${at.host}]` : at.host;
  return {
    url: `http://${host}:${port}/`,
    stop: () => {
      ending.abort();
      return stop(server);
    },
  };
}

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

/** No new connections; requests under way get a moment. */
const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });

function cannotListen(host: string, port: number, code: string, cause: unknown): Failure {
  const why = {
    EADDRINUSE: { en: "it is in use", uk: "він зайнятий" },
    EACCES: { en: "this user may not use it", uk: "цьому користувачеві він недоступний" },
    EADDRNOTAVAIL: { en: "this machine has no such address", uk: "ця машина не має такої адреси" },
  }[code] ?? { en: code, uk: code };
  return new Failure(
    code === "EADDRINUSE" ? "DUPLICATE_ENTRY" : "VALIDATION_FAILED",
    {
      en: `cannot listen at ${host}, port ${port}: ${why.en}`,
      uk: `не вдається слухати ${host}, порт ${port}: ${why.uk}`,
    },
    {
      hint: {
        en: "Choose another one with `--port N` or `--host H`.",
        uk: "Виберіть інший: `--port N` або `--host H`.",
      },
      details: { host, port },
      cause,
    },
  );
}
