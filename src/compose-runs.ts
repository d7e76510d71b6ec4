import { otlpCollector } from "./adapters/collector/otlp-collector.ts";
import { allowListEgress } from "./adapters/egress/allow-list.ts";
import { listedHosts, shownHost } from "./adapters/egress/hosts.ts";
import { mcpTools } from "./adapters/mcp/mcp-tools.ts";
import { messenger } from "./adapters/messenger/messenger.ts";
import { localReader } from "./adapters/reader/local/local-reader.ts";
import { notebooklmReader } from "./adapters/reader/notebooklm/notebooklm-reader.ts";
import { aiSdkRuntime } from "./adapters/runtime/ai-sdk/ai-sdk-runtime.ts";
import { isMastraInstalled, mastraMissing } from "./adapters/runtime/mastra/mastra-package.ts";
import { mastraRuntime } from "./adapters/runtime/mastra/mastra-runtime.ts";
import { languageModel } from "./adapters/runtime/models.ts";
import type { Failure } from "./base/failure.ts";
import { asFailure } from "./base/failure.ts";
import { composeEngine, healthOfStarted } from "./compose-engine.ts";
import type { EngineConfig } from "./domain/config/engine-config.ts";
import type { GardenConfig } from "./domain/config/garden-config.ts";
import { FOLLOWER, isOfflineModel } from "./domain/config/model-registry.ts";
import type { TelemetryConfig } from "./domain/config/telemetry-config.ts";
import type { Contract } from "./domain/contract/contract.ts";
import type { RunPlace } from "./garden/core/flow/journal.ts";
import type { Garden } from "./garden/core/garden.ts";
import { inspectWithPeers } from "./garden/federation/library/optimizer-candidates.ts";
import type { SendNews } from "./garden/federation/send-news.ts";
import { logicPerformance } from "./garden/insight/learning/logic-performance.ts";
import { pushDevices, pushKey, removePushDevice } from "./garden/life/push/push-devices.ts";
import { readAgentFile } from "./garden/records/agents/read-agent.ts";
import { agentSlugs } from "./garden/records/status.ts";
import { type RunPorts, runAgent } from "./garden/runs/run-agent.ts";
import { type RunsEngine, runsEngine } from "./garden/runs/runs-engine.ts";
import type { GatewayRuns, PartReport } from "./gateway/route.ts";
import type { Collector } from "./ports/collector.ts";
import type { Egress } from "./ports/egress.ts";
import type { Messenger } from "./ports/messenger.ts";
import type { Models } from "./ports/models.ts";
import type { OutsideTools } from "./ports/outside-tools.ts";
import type { Reader } from "./ports/reader.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const SHORT_LEASE_MS = 5000;

export interface RunsHere extends RunsEngine {
  readonly gatewayRuns: GatewayRuns;
}

/** Starts working on the runs of a garden in this process, with the engine, models, reader and network of its settings. */
export async function composeRuns(
  garden: Garden,
  environment: Environment,
  options: {
    readonly only?: RunPlace | undefined;
    /** False: requests runs and leaves the work to the workers of the garden (O-10). */
    readonly carriesOut?: boolean;
    readonly tell?: (failure: Failure) => void;
    /** Called before the first run is taken up, so that a gateway answers whatever the runs do. */
    readonly before?: (gatewayRuns: GatewayRuns) => Promise<void>;
    /** The address where this process listens, once it does. */
    readonly address?: () => string | undefined;
    /** True if this process comes first of the workers for runs of this agent. */
    readonly isFirstFor?: (slug: string) => boolean;
  } = {},
): Promise<RunsHere> {
  // A command in a terminal works on its one run itself: an engine could not call it.
  const settings: EngineConfig = options.only ? { kind: "embedded" } : garden.config.engine;
  const { world } = garden;
  const { carriesOut = true } = options;
  const orchestrator = await composeEngine(settings, {
    world,
    environment,
    carriesOut,
    address: options.address ?? (() => undefined),
  });
  const ways = waysOf(garden, environment);
  const ports = portsOf(garden, environment, ways);
  const engine = runsEngine(garden, {
    orchestrator,
    carriesOut,
    flow: runAgent(ports),
    // A command in a terminal: if it is killed, the next command should not wait long for its lease.
    ...(options.only && { only: options.only, leaseMs: SHORT_LEASE_MS }),
    ...(options.tell && { tell: options.tell }),
    ...(options.isFirstFor && { isFirstFor: options.isFirstFor }),
  });
  const gatewayRuns: GatewayRuns = {
    offer: (place) => engine.offer(place),
    cancel: (place, by, why) => engine.cancel(place, by, why),
    health: () => healthOfStarted(engine, settings, garden),
    engine: orchestrator.name,
    endpoint: orchestrator.endpoint,
    parts: {
      models: () => modelsReport(garden, (contract) => void modelFor(garden, environment, contract)),
      reader: async () => {
        const { ok, place } = await ways().reader.health();
        return { ok, about: place, remarks: [] };
      },
    },
    reader: localReader(),
    ports,
    messenger: composeMessenger(garden, environment),
    models: composeModels(garden, environment),
  };
  try {
    await options.before?.(gatewayRuns);
    await engine.start();
    const { offer, cancel, health } = gatewayRuns;
    const [settled, workingOn] = [() => engine.settled(), () => engine.workingOn()];
    return { offer, cancel, health, settled, workingOn, close: () => engine.close(), gatewayRuns };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** The dependencies of a trial in a terminal, without an engine. */
export const composeTrial = (garden: Garden, environment: Environment): RunPorts =>
  portsOf(garden, environment, waysOf(garden, environment));

/** Each destination gets an egress that allows its own host only. */
export const composeMessenger = (
  garden: Pick<Garden, "world" | "folder" | "repos" | "dir">,
  environment: Environment,
): Messenger =>
  messenger({
    push: {
      key: () => pushKey(garden),
      email: async () => (await garden.repos.person(garden.dir))?.email,
      devices: () => pushDevices(garden),
      remove: (id) => removePushDevice(garden, id),
    },
    secretOf: (variable) => environment[variable],
    egressTo: (url) => allowListEgress({ allow: [shownHost(url)] }),
    environment,
    world: garden.world,
  });

/** S-10: sends to the host of the address only, and follows no redirect. */
export const sendNews: SendNews = async (url, body) => {
  const headers = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(NEWS_MS);
  const way = hostEgress(shownHost(new URL(url)));
  const answer = await way.fetch(url, { method: "POST", headers, body, redirect: "error", signal });
  await answer.body?.cancel();
  return answer.status;
};

const NEWS_MS = 10_000;

/** Sends to the host of its address only. */
export const composeCollector = ({ url, headers_env }: TelemetryConfig, environment: Environment): Collector =>
  otlpCollector({
    url,
    headers: headers_env === undefined ? undefined : environment[headers_env],
    egress: hostEgress(shownHost(new URL(url))),
  });

interface Ways {
  readonly egress: Egress;
  readonly reader: Reader;
  readonly outside: OutsideTools;
}

/** Network, reader and outside tools of the settings in force; made anew when garden.yaml has changed. */
function waysOf(garden: Garden, environment: Environment): () => Ways {
  let made: (Ways & { readonly of: GardenConfig }) | undefined;
  return () => {
    const of = garden.config;
    if (made?.of === of) return made;
    const egress = allowListEgress({ allow: listedHosts(of) });
    made = { of, egress, reader: readerOf(of, environment, egress), outside: mcpTools({ egress }) };
    return made;
  };
}

function portsOf(garden: Garden, environment: Environment, ways: () => Ways): RunPorts {
  return {
    insight: { inspectLogic: inspectWithPeers, logicPerformance },
    secrets: () => garden.secrets(),
    async equip(contract, signal, pinned) {
      const { reader, outside, egress: all } = ways();
      const models = (id: string) => modelFor(garden, environment, { ...contract, model: id });
      const runtime = usesMastra(garden.config, contract.model) ? mastraRuntime({ models }) : aiSdkRuntime({ models });
      const { mcp: servers, network, timeouts } = contract;
      const stepMs = timeouts.step_s === undefined ? undefined : timeouts.step_s * 1000;
      const egress = network.allow.length > 0 ? all.within(network.allow) : all;
      if (servers.length === 0) return { runtime, reader, egress, outsideTools: [], close: () => Promise.resolve() };
      const opened = await outside.open({ servers, allow: network.allow, stepMs }, signal, (list) =>
        pinned("outside-tools", { servers }, list),
      );
      return { runtime, reader, egress, outsideTools: opened.tools, close: () => opened.close() };
    },
  };
}

/**
 * Chooses the loop of a run; both leave the same journal, so a run that one of them began can be finished by the other. Without a
 * setting it is Mastra where Mastra is installed. The follower needs no network: Mastra would only add a second and 120 MB.
 */
const usesMastra = ({ runtime }: GardenConfig, model: string): boolean =>
  model !== FOLLOWER && runtime?.kind !== "ai-sdk" && isMastraInstalled();

/**
 * The language model of a contract; throws the failure that a run with it would end with. The host of a model that is configured in
 * garden.yaml, or built in, is allowed for calls of that model only. A contract may only narrow that.
 */
const modelFor = (
  garden: Garden,
  environment: Environment,
  { model, network }: Pick<Contract, "model"> & { readonly network?: Contract["network"] },
) => {
  const made = languageModel(model, {
    endpoints: garden.config.models,
    keys: (variable) => environment[variable],
    egressTo: (url) => {
      const way = hostEgress(shownHost(url));
      return network && network.allow.length > 0 ? way.within(network.allow) : way;
    },
  });
  if (garden.config.runtime?.kind === "mastra" && model !== FOLLOWER && !isMastraInstalled()) throw mastraMissing();
  return made;
};

/** One per host: connections are reused. */
const hostWays = new Map<string, Egress>();
function hostEgress(host: string): Egress {
  const way = hostWays.get(host) ?? allowListEgress({ allow: [host] });
  hostWays.set(host, way);
  return way;
}

const TEST_CALL_MS = 30_000;

/** Checks and test calls of models, with the settings in force. */
export const composeModels = (garden: Garden, environment: Environment): Models => ({
  trouble(id) {
    try {
      modelFor(garden, environment, { model: id });
      return undefined;
    } catch (error) {
      return asFailure(error);
    }
  },
  async test(id) {
    const model = modelFor(garden, environment, { model: id });
    const began = garden.world.now();
    if (isOfflineModel(id)) return { ms: 0, text: "" };
    const { content } = await model.doGenerate({
      prompt: [{ role: "user", content: [{ type: "text", text: "Reply with the word OK." }] }],
      maxOutputTokens: 200,
      abortSignal: AbortSignal.timeout(TEST_CALL_MS),
    });
    const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    return { ms: garden.world.now() - began, text: text.slice(0, 200).toWellFormed() };
  },
});

function readerOf({ reader }: GardenConfig, environment: Environment, egress: Egress): Reader {
  if (reader.kind === "local") return localReader();
  return notebooklmReader({ url: reader.url, key: valueOf(environment, reader.key_env), egress });
}

const valueOf = (environment: Environment, variable: string | undefined): string | undefined =>
  variable === undefined ? undefined : environment[variable];

/** Checks offline that the models of the active agents have an address, and a key if they need one. */
async function modelsReport(garden: Garden, make: (contract: Contract) => void): Promise<PartReport> {
  const known = new Set<string>();
  const remarks: PartReport["remarks"][number][] = [];
  for (const slug of await agentSlugs(garden.store)) {
    const seen = await readAgentFile(garden.store, slug);
    if (seen.kind !== "agent" || seen.agent.contract.status !== "active") continue;
    const { contract } = seen.agent;
    if (known.has(contract.model)) continue;
    known.add(contract.model);
    try {
      make(contract);
    } catch (error) {
      const { text } = asFailure(error);
      remarks.push({ en: `${slug}: ${text.en}`, uk: `${slug}: ${text.uk}` });
    }
  }
  return { ok: remarks.length === 0, about: [...known].join(", "), remarks };
}
