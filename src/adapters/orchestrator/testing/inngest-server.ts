import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe } from "vitest";
import { ensureRedis } from "../../../../scripts/redis.js";
import { patient } from "../../../base/testing/patience.ts";
import { EVENT_KEY, SIGNING_KEY } from "./inngest-executor.ts";
import { freePort } from "./restate-server.ts";

/** The real server of Inngest with its queue in Redis (append-only file) and its functions in SQLite, in a temporary folder. */
export interface InngestServer {
  readonly url: string;
  /** Where workers with `mode: connect` are connected. */
  readonly gatewayPort: number;
  readonly pids: readonly number[];
  /** SIGKILL of the server and of Redis. `wipe` deletes their state too. */
  kill(wipe?: "wipe"): Promise<void>;
  /** Starts both again at the same addresses. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const binary = process.env["BLOOM_INNGEST_BIN"];

/** Tests against the real server. Nobody publishes it as a package, so without `BLOOM_INNGEST_BIN` they are skipped, and one line says so. */
export const describeWithInngest = (title: string, tests: () => void): void => {
  if (!binary) process.stderr.write(`skipped: ${title}: BLOOM_INNGEST_BIN does not name a server of Inngest\n`);
  describe.runIf(binary)(title, tests);
};

interface InngestPace {
  /** Pause between two attempts of a call. Unset, the server's own table: 15 s, 30 s, 1 min and so on. */
  readonly retrySeconds?: number;
  /** How often the server looks at its queue. Its own default is 150 ms. */
  readonly tickMs?: number;
}

export async function inngestServer({ retrySeconds, tickMs = 50 }: InngestPace = {}): Promise<InngestServer> {
  const redis = ensureRedis();
  if (!binary) throw new Error("set BLOOM_INNGEST_BIN to the server of Inngest");
  if ("missing" in redis) throw new Error(redis.missing);
  const folder = await mkdtemp(join(tmpdir(), "bloom-inngest-"));
  const state = join(folder, "state");
  const [port, gatewayPort, grpc, executorGrpc, redisPort] = await freePorts(5);
  const children: ChildProcess[] = [];
  const begin = (name: string, program: string, args: readonly string[], env = process.env): ChildProcess => {
    const log = openSync(join(folder, `${name}.log`), "a");
    const child = spawn(program, args, { cwd: folder, stdio: ["ignore", log, log], env, argv0: name });
    children.push(child);
    return child;
  };
  const ready = async (name: string, child: ChildProcess, isReady: () => Promise<boolean>): Promise<void> => {
    const until = performance.now() + patient(60_000);
    while (!(await isReady())) {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      const why = isOver ? "ended" : performance.now() > until ? "does not answer" : undefined;
      if (why) throw new Error(`${name} ${why}: ${await lastWords(join(folder, `${name}.log`))}`);
      await sleep(50);
    }
  };
  const server: InngestServer = {
    url: `http://127.0.0.1:${port}`,
    gatewayPort: gatewayPort!,
    get pids() {
      return children.map(({ pid }) => pid!);
    },
    async start() {
      mkdirSync(join(state, "sqlite"), { recursive: true });
      const libraries = [...redis.libraries, process.env["LD_LIBRARY_PATH"] ?? ""].filter(Boolean).join(delimiter);
      const queue = begin("redis-server", redis.program, redisArguments(redisPort!, state), {
        ...process.env,
        ...(libraries && { LD_LIBRARY_PATH: libraries }),
      });
      await ready("redis-server", queue, () => says(redisPort!, "PING\r\n", "+PONG"));
      const ports = { port, gatewayPort, grpc, executorGrpc, redisPort };
      const main = begin("inngest", binary, serverArguments({ ...ports, tickMs, state, retrySeconds }));
      await ready("inngest", main, () => answers(`${server.url}/health`));
      await ready("inngest", main, () => says(gatewayPort!));
    },
    async kill(wipe) {
      const alive = children.splice(0).filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      const ended = alive.map((child) => once(child, "exit"));
      for (const child of alive) child.kill("SIGKILL");
      await Promise.all(ended);
      if (wipe) await rm(state, { recursive: true, force: true });
    },
    async close() {
      await server.kill();
      process.off("exit", onExit);
      await rm(folder, { recursive: true, force: true });
    },
  };
  const onExit = (): void => children.forEach((child) => void child.kill("SIGKILL"));
  process.on("exit", onExit);
  await server.start();
  return server;
}

const argumentsOf = (options: Readonly<Record<string, string | number | undefined>>): readonly string[] =>
  Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, `${value}`]));

const redisArguments = (port: number, dir: string): readonly string[] =>
  argumentsOf({ port, bind: "127.0.0.1", dir, appendonly: "yes", appendfsync: "everysec", save: "" });

function serverArguments(
  given: Readonly<
    Record<"port" | "gatewayPort" | "grpc" | "executorGrpc" | "redisPort" | "tickMs", number | undefined>
  > & {
    readonly state: string;
    readonly retrySeconds: number | undefined;
  },
): readonly string[] {
  const options = {
    host: "127.0.0.1",
    port: given.port,
    "connect-gateway-port": given.gatewayPort,
    "connect-gateway-grpc-port": given.grpc,
    "connect-executor-grpc-port": given.executorGrpc,
    "redis-uri": `redis://127.0.0.1:${given.redisPort}`,
    "sqlite-dir": join(given.state, "sqlite"),
    "event-key": EVENT_KEY,
    // The server takes the hexadecimal part of the key only.
    "signing-key": SIGNING_KEY.replace(/^signkey-\w+-/, ""),
    tick: given.tickMs,
    "log-level": "warn",
    "retry-interval": given.retrySeconds,
  };
  return ["start", "--no-ui", ...argumentsOf(options)];
}

const answers = (address: string): Promise<boolean> =>
  fetch(address, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** True if the port is open and, after `question`, its first answer begins with `answer`. Redis is open before it has read its file. */
const says = (port: number, question?: string, answer = ""): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (isSo: boolean): void => {
      socket.destroy();
      resolve(isSo);
    };
    const socket = connect(port, "127.0.0.1", () => (question === undefined ? end(true) : socket.write(question)));
    socket.setTimeout(2000, () => end(false));
    socket.once("data", (given) => end(given.toString().startsWith(answer)));
    socket.on("error", () => end(false));
  });

const lastWords = async (log: string): Promise<string> =>
  (await readFile(log, "utf8")).trim().split("\n").slice(-3).join(" ");

async function freePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>();
  while (found.size < count) found.add(await freePort());
  return [...found];
}
