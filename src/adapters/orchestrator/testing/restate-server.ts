import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { patient } from "../../../base/testing/patience.ts";
import type { RestateSdk } from "../restate/restate-package.ts";
import { onDemand, onDemandFile } from "./on-demand.ts";

/** The real server of Restate, from its npm package, with its state in a temporary folder. */
export interface RestateServer {
  readonly url: string;
  readonly admin: string;
  readonly pid: number;
  /** SIGKILL. `wipe` deletes its state too. */
  kill(wipe?: "wipe"): Promise<void>;
  /** Starts it again at the same addresses. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function restateServer(): Promise<RestateServer> {
  const packages = await onDemand("restate-server");
  const { platform, arch } = process;
  const binary = join(packages, `node_modules/@restatedev/restate-server-${platform}-${arch}/bin/restate-server`);
  const folder = await mkdtemp(join(tmpdir(), "bloom-restate-"));
  const [admin, ingress, node] = await Promise.all([freePort(), freePort(), freePort()]);
  let child: ChildProcess | undefined;
  const server: RestateServer = {
    url: `http://127.0.0.1:${ingress}`,
    admin: `http://127.0.0.1:${admin}`,
    get pid() {
      return child!.pid!;
    },
    async start() {
      child = spawn(binary, ["--node-name", "test", "--base-dir", join(folder, "data")], {
        cwd: folder,
        stdio: "ignore",
        env: {
          ...process.env,
          RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
          RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
          RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
          RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}/`,
          RESTATE_DISABLE_TELEMETRY: "true",
          RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: "64MiB",
          DO_NOT_TRACK: "1",
        },
      });
      await ready(child, `${server.admin}/health`);
      await ready(child, `${server.url}/restate/health`);
    },
    async kill(wipe) {
      const ended = child && child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
      child?.kill("SIGKILL");
      await ended;
      if (wipe) await rm(join(folder, "data"), { recursive: true, force: true });
    },
    async close() {
      await server.kill();
      process.off("exit", onExit);
      await rm(folder, { recursive: true, force: true });
    },
  };
  const onExit = (): void => void child?.kill("SIGKILL");
  process.on("exit", onExit);
  await server.start();
  return server;
}

/** The SDK, loaded from where the tests have it. */
export const restateSdk = async (): Promise<RestateSdk> =>
  (await import(await onDemandFile("restate-sdk", "@restatedev/restate-sdk/dist/fetch.js"))) as RestateSdk;

async function ready(child: ChildProcess, address: string): Promise<void> {
  const until = performance.now() + patient(60_000);
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server of Restate ended with code ${child.exitCode}`);
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok) return;
    if (performance.now() > until) throw new Error(`the server of Restate does not answer at ${address}`);
    await sleep(50);
  }
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
