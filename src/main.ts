import { spawn } from "node:child_process";
import { hostname, networkInterfaces } from "node:os";
import { createInterface } from "node:readline";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isProcessAlive } from "./adapters/process-mark.ts";
import { runProgram } from "./adapters/program/run-program.ts";
import { localReader } from "./adapters/reader/local/local-reader.ts";
import { Failure } from "./base/failure.ts";
import type { LogLine } from "./base/log-line.ts";
import type { World } from "./base/world.ts";
import { runCommandLine } from "./cli/run-command-line.ts";
import { builtWebApp, composePorts, examplesFolder, packageVersion } from "./compose.ts";
import { readProcessSettings } from "./config.ts";
import { isGatewayRole, isWorkerRole } from "./domain/peer.ts";
import { signingKeyId } from "./garden/agents/access/signing-key.ts";
import { shareRateLimits } from "./garden/changes/inbox/shared-rate.ts";
import type { Garden } from "./garden/core/garden.ts";
import { type Announced, announcePeer } from "./garden/core/peers.ts";
import type { TelemetryExport } from "./garden/insight/telemetry/export-telemetry.ts";
import type { TelemetrySource } from "./garden/insight/telemetry/otlp-documents.ts";
import { forgetKnownGarden, knownGardens } from "./garden/life/known-gardens.ts";
import type { Serving } from "./gateway/serve.ts";

/** Entry point of the process. */
const settings = readProcessSettings();
const ports = composePorts(settings);

// Loaded when used: most commands neither serve nor run agents, and would start half as quickly with both.
const loadRuns = () => import("./compose-runs.ts");
const loadGateway = () => import("./gateway/serve.ts");

/** Resolves on the first SIGINT or SIGTERM and removes the listeners, so that a second signal ends the process. */
const stopRequested = (): Promise<void> =>
  new Promise((resolve) => {
    const signals = ["SIGINT", "SIGTERM"] as const;
    const stop = (): void => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });

// `bloom help | head -1` closes our output early, which is not an error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

const MAX_INPUT = 128 * 1024 * 1024;

async function input(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_INPUT) break; // above every parser's limit: the parser reports it
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const LOOK_MS = 2000;
/** Timers of an idle server allocate less than this between two looks. */
const REST_BYTES = 2 * 1024 * 1024;
/** More than this much memory above what was left by the last collection is worth another one. */
const WORTH_BYTES = 24 * 1024 * 1024;

/**
 * Collects garbage whenever the process has come to rest after work that left much of it: startup leaves about 30 MB, indexing a
 * hundred thousand notes 300 MB, and V8 would keep them until memory is short. Node exposes the collector only through a flag. While
 * the process works, the heap may grow by 30 % between two collections; by default V8 lets it grow to a multiple.
 */
function returnMemoryAtRest(): void {
  setFlagsFromString("--heap-growing-percent=30");
  let [left, before] = [0, 0];
  const look = (): void => {
    const used = memoryInUse();
    const isAtRest = Math.abs(used - before) < REST_BYTES;
    before = used;
    if (!isAtRest || used < left + WORTH_BYTES) return;
    setFlagsFromString("--expose-gc");
    (runInNewContext("gc") as (how: object) => void)({ type: "major", execution: "sync", flavor: "last-resort" });
    setFlagsFromString("--no-expose-gc");
    [left, before] = [memoryInUse(), 0];
  };
  setInterval(look, LOOK_MS).unref();
}

/** Memory that V8 has for its heap and for buffers, in use or not. */
function memoryInUse(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory;
}

const TYPED_AHEAD_MS = 200;

/** Discards keys that were pressed before the question was shown, with those that arrive within a moment (auto-repeat). */
async function discardTypedAhead(): Promise<void> {
  const { stdin } = process;
  const discard = (): void => undefined;
  stdin.setRawMode(true);
  stdin.on("data", discard);
  stdin.resume();
  await new Promise((resolve) => setTimeout(resolve, TYPED_AHEAD_MS));
  stdin.pause();
  stdin.off("data", discard);
  stdin.setRawMode(false);
}

/** Reads one line from the terminal; empty at the end of input. `fresh` discards what was typed before. */
async function ask(question: string, { fresh = false }: { readonly fresh?: boolean } = {}): Promise<string> {
  if (fresh) await discardTypedAhead();
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await new Promise((resolve) => {
      lines.on("close", () => resolve(""));
      lines.question(question, resolve);
    });
  } finally {
    lines.close();
  }
}

/** Runs the editor as git does: a command of the shell, with the file as its argument. */
async function editFile(editor: string, path: string): Promise<void> {
  const child = spawn("/bin/sh", ["-c", `${editor} "$@"`, editor, path], { stdio: "inherit" });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code === 0) return;
  throw new Failure("VALIDATION_FAILED", {
    en: `the editor ended with code ${code}: ${editor}`,
    uk: `редактор завершився з кодом ${code}: ${editor}`,
    hint: {
      en: "Nothing was changed. Set VISUAL or EDITOR to an editor that works.",
      uk: "Нічого не змінено. Вкажіть у VISUAL або EDITOR редактор, який працює.",
    },
  });
}

/** Lines of JSON on standard output. */
const jsonLog =
  (world: World) =>
  (line: LogLine): void =>
    void process.stdout.write(`${JSON.stringify({ at: new Date(world.now()).toISOString(), ...line })}\n`);

/** A line for each event of this process: requests and ends of runs, decisions, applies. */
function logAudit({ signals }: Pick<Garden, "signals">, write: (line: LogLine) => void): void {
  signals.subscribe(({ record: { kind, subject, by } }) => write({ event: kind, subject, by }));
}

/** nothing is loaded or sent unless garden.yaml names a collector. Read at the start, as the engine is. */
async function startTelemetry(
  garden: Garden,
  source: TelemetrySource,
  report: (failure: Failure) => void,
): Promise<TelemetryExport | undefined> {
  const { telemetry } = garden.config;
  if (!telemetry) return undefined;
  const { exportTelemetry } = await import("./garden/insight/telemetry/export-telemetry.ts");
  const collector = (await loadRuns()).composeCollector(telemetry, settings.environment);
  return exportTelemetry(garden, { collector, source, everySeconds: telemetry.every_seconds, report });
}

const { editor } = settings;
const version = await packageVersion(ports);
const atTerminal = process.stdin.isTTY && process.stdout.isTTY;

process.exitCode = await runCommandLine(process.argv.slice(2), {
  ground: ports,
  garden: settings.garden,
  language: settings.language,
  systemLanguage: settings.systemLanguage,
  debug: settings.debug,
  plain: settings.plain,
  terminal: {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    interactive: process.stderr.isTTY,
    colours: process.stdout.isTTY,
    columns: process.stderr.columns ?? 80,
  },
  machine: {
    cwd: process.cwd(),
    version,
    port: settings.port,
    host: settings.host,
    allowedHosts: settings.allowedHosts,
    addresses: () =>
      Object.values(networkInterfaces())
        .flatMap((all) => all ?? [])
        .filter(({ internal, scopeid }) => !internal && !scopeid)
        .map(({ address }) => address),
    input,
    ...(atTerminal && { ask }),
    ...(atTerminal && editor !== undefined && { editFile: (path: string) => editFile(editor, path) }),
    examples: examplesFolder(ports),
    program: {
      run: (call) =>
        runProgram(
          { environment: settings.environment, show: (stream, bytes) => void process[stream].write(bytes) },
          call,
        ),
      isAlive: isProcessAlive,
    },
    async serve(garden, at, tell) {
      const [{ composeRuns }, { serveGarden }] = await Promise.all([loadRuns(), loadGateway()]);
      const secretOf = (variable: string): string | undefined => settings.environment[variable];
      const web = isGatewayRole(at.role) ? await builtWebApp(ports) : undefined;
      const program = async () => ({ running: version, installed: await packageVersion(ports) });
      const gardens = {
        list: () => knownGardens(ports),
        forget: (id: string) => forgetKnownGarden(ports, id),
      };
      const writeLog = at.log === "json" ? jsonLog(ports.world) : undefined;
      if (writeLog) logAudit(garden, writeLog);
      const keyId = await signingKeyId(garden); // before anything starts: a damaged key ends the program
      let serving: Serving | undefined;
      let runs: Awaited<ReturnType<typeof composeRuns>> | undefined;
      let peer: Announced | undefined;
      try {
        runs = await composeRuns(garden, settings.environment, {
          tell,
          carriesOut: isWorkerRole(at.role),
          address: () => serving?.url,
          isFirstFor: (slug) => peer?.isFirstFor(slug) ?? true,
          before: async (gatewayRuns) =>
            void (serving = await serveGarden(garden, {
              ...at,
              secretOf,
              runs: gatewayRuns,
              web,
              gardens,
              program,
              writeLog,
            })),
        });
        const [gateway, engine] = [serving!, runs];
        const self = {
          role: at.role,
          version,
          url: gateway.url,
          host: hostname(),
          keyId,
          workingOn: () => engine.workingOn(),
        };
        const announced = await announcePeer(garden, self, tell);
        peer = announced;
        shareRateLimits(garden, announced.hasOthers);
        const telemetry = await startTelemetry(garden, { role: at.role, version, instance: announced.id }, tell);
        returnMemoryAtRest();
        return {
          url: gateway.url,
          async stop() {
            await Promise.all([gateway.stop(), engine.close()]);
            await telemetry?.close();
            await announced.close();
          },
        };
      } catch (error) {
        await Promise.all([serving?.stop(), runs?.close()]);
        throw error;
      }
    },
    token: settings.token,
    launcher: [process.execPath, process.argv[1]!],
    serveMcp: async (garden, token) =>
      (await import("./compose-mcp.ts")).serveMcpHere(garden, ports, settings, {
        version,
        token,
        stopped: stopRequested(),
      }),
    // Questions about notes are answered locally: a NotebookLM proxy answers from notebooks, which belong to agents.
    reader: localReader(),
    startRuns: async (garden, only) => (await loadRuns()).composeRuns(garden, settings.environment, { only }),
    messenger: async (garden) => (await loadRuns()).composeMessenger(garden, settings.environment),
    sendNews: async (url, body) => (await loadRuns()).sendNews(url, body),
    trial: async (garden) => (await loadRuns()).composeTrial(garden, settings.environment),
    engineHealth: async (garden) => (await import("./compose-engine.ts")).engineHealth(garden, settings.environment),
    models: async (garden) => (await loadRuns()).composeModels(garden, settings.environment),
    stopRequested,
  },
});
