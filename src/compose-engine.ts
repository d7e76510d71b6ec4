import { embeddedOrchestrator } from "./adapters/orchestrator/embedded/embedded-orchestrator.ts";
import { idleOrchestrator } from "./adapters/orchestrator/embedded/idle-orchestrator.ts";
import { inngestOrchestrator } from "./adapters/orchestrator/inngest/inngest-orchestrator.ts";
import { loadInngestSdk } from "./adapters/orchestrator/inngest/inngest-package.ts";
import { restateOrchestrator } from "./adapters/orchestrator/restate/restate-orchestrator.ts";
import { loadRestateSdk } from "./adapters/orchestrator/restate/restate-package.ts";
import { Failure } from "./base/failure.ts";
import type { Text } from "./base/text.ts";
import type { World } from "./base/world.ts";
import type { EngineConfig } from "./domain/config/engine-config.ts";
import type { Garden } from "./garden/core/garden.ts";
import type { Orchestrator, OrchestratorHealth } from "./ports/orchestrator.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Maximum number of concurrent runs in one process, over all agents. */
const RUNS_AT_ONCE = 8;

export interface EngineWiring {
  readonly world: World;
  readonly environment: Environment;
  /** False: this process offers runs and works on none (O-10). */
  readonly carriesOut: boolean;
  /** The address where this process listens, once it does: engines outside of it call it there. */
  readonly address: () => string | undefined;
}

/** Chooses the engine of `garden.yaml` (O-5, O-11). Its SDK is loaded when it is needed. */
export async function composeEngine(engine: EngineConfig, wiring: EngineWiring): Promise<Orchestrator> {
  const { world, environment, carriesOut, address } = wiring;
  switch (engine.kind) {
    case "embedded":
      return carriesOut ? embeddedOrchestrator({ world, limit: RUNS_AT_ONCE }) : idleOrchestrator;
    case "restate": {
      const sdk = await loadRestateSdk();
      return restateOrchestrator({
        world,
        limit: RUNS_AT_ONCE,
        url: engine.url,
        admin: engine.admin,
        app: engine.app,
        workerUrl: () => engine.worker_url ?? address(),
        identityKey: engine.identity_key,
        token: engine.token_env === undefined ? undefined : keyOf(environment, "restate", engine.token_env),
        sdk: async () => sdk,
      });
    }
    case "inngest":
      return inngestOrchestrator({
        world,
        limit: RUNS_AT_ONCE,
        url: engine.url,
        eventKey: keyOf(environment, "inngest", engine.event_key_env),
        signingKey: keyOf(environment, "inngest", engine.signing_key_env),
        mode: engine.mode,
        carriesOut,
        app: engine.app,
        workerUrl: () => engine.worker_url ?? address(),
        sdk: await loadInngestSdk(engine.mode),
      });
  }
}

function keyOf(environment: Environment, kind: "inngest" | "restate", variable: string): string {
  const value = environment[variable];
  if (value) return value;
  throw new Failure("VALIDATION_FAILED", {
    en: `garden.yaml says \`engine: { kind: ${kind} }\` with ${variable}, and that environment variable is not set`,
    uk: `у garden.yaml записано \`engine: { kind: ${kind} }\` із ${variable}, а цю змінну середовища не встановлено`,
    hint: {
      en: `Set ${variable} to the key of the server (docs/engines.md).`,
      uk: `Вкажіть у ${variable} ключ сервера (docs/engines.md).`,
    },
  });
}

/** Health of the engine for a command in a terminal: asks the engine's server, and starts nothing. */
export async function engineHealth({ config, world }: Garden, environment: Environment): Promise<EngineHealth> {
  const { kind } = config.engine;
  if (kind === "embedded") return { kind, ok: true, remarks: [] };
  const engine = await composeEngine(config.engine, {
    world,
    environment,
    carriesOut: false,
    address: () => undefined,
  });
  try {
    const { ok, remarks = [] } = await engine.health();
    return { kind, ok, remarks };
  } finally {
    await engine.close();
  }
}

interface EngineHealth {
  readonly kind: string;
  readonly ok: boolean;
  readonly remarks: readonly Text[];
}

/** The engine's health, and that a changed setting waits for a restart: an engine is chosen when a process starts. */
export async function healthOfStarted(
  engine: Pick<Orchestrator, "health">,
  started: EngineConfig,
  { config }: Garden,
): Promise<OrchestratorHealth> {
  const health = await engine.health();
  if (JSON.stringify(config.engine) === JSON.stringify(started)) return health;
  return { ...health, remarks: [...(health.remarks ?? []), engineChanged(started.kind, config.engine.kind)] };
}

const engineChanged = (from: string, to: string): Text => ({
  en: `garden.yaml has another \`engine\` (${to}) than this process was started with (${from}): restart it. Open runs go on with the new one.`,
  uk: `у garden.yaml інший \`engine\` (${to}), ніж той, з яким запущено цей процес (${from}): перезапустіть його. Відкриті запуски продовжить новий.`,
});
