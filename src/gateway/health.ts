import { asFailure } from "../base/failure.ts";
import type { Text } from "../base/text.ts";
import { isWorkerRole, type ProcessRole } from "../domain/peer.ts";
import { agentTroubles } from "../garden/agents/lifecycle/agent-troubles.ts";
import type { Garden } from "../garden/core/garden.ts";
import { gitHealth } from "../garden/core/main-head.ts";
import { type SeenPeer, seenPeers } from "../garden/core/peers.ts";
import type { Gateway, GatewayRuns, PartReport } from "./route.ts";

/** health of each part. A part that does not answer within `PATIENCE_MS` is degraded. */
export interface Health {
  readonly status: "ok" | "degraded";
  /** Store and git work. Without them no request can be answered; other parts only disable what needs them (O-8). */
  readonly serving: boolean;
  readonly parts: Readonly<
    Record<"store" | "git" | "engine" | "workers" | "models" | "reader" | "agents" | "settings", PartHealth>
  >;
  /** O-10: the processes that serve this garden, this one included. Empty if the store does not answer. */
  readonly peers: readonly SeenPeer[];
}

export interface PartHealth {
  /** `off`: not started in this process. */
  readonly status: "ok" | "degraded" | "off";
  /** For people: the role of the store's process, the version of git. */
  readonly about: string;
  readonly remarks: readonly Text[];
}

const PATIENCE_MS = 3000;

export async function gardenHealth(garden: Garden, { runs, role }: Pick<Gateway, "runs" | "role">): Promise<Health> {
  const { store, repo } = garden;
  let peers: readonly SeenPeer[] = [];
  const [storeHealth, git, engine, workers, models, reader, agents, settings] = await Promise.all([
    part(async () => {
      const { ok, role: about, remarks } = await store.health();
      return { ok, about, remarks };
    }),
    part(async () => {
      const { ok, version, remarks } = await gitHealth(repo);
      return { ok, about: version, remarks };
    }),
    runs ? part(() => engineReport(runs)) : OFF,
    runs
      ? part(async () => {
          peers = await seenPeers(garden);
          return workersReport(peers, role);
        })
      : OFF,
    runs ? part(runs.parts.models) : OFF,
    runs ? part(runs.parts.reader) : OFF,
    part(() => agentsReport(garden)),
    part(() => settingsReport(garden)),
  ]);
  const parts = { store: storeHealth, git, engine, workers, models, reader, agents, settings };
  const serving = storeHealth.status === "ok" && git.status === "ok";
  const well = Object.values(parts).every(({ status }) => status !== "degraded");
  return { status: well ? "ok" : "degraded", serving, parts, peers };
}

const OFF: PartHealth = { status: "off", about: "", remarks: [] };

async function engineReport(runs: GatewayRuns): Promise<PartReport> {
  const { ok, running, waiting } = await runs.health();
  return { ok, about: `running ${running}, waiting ${waiting}`, remarks: [] };
}

/** O-8: without a worker, runs stay queued and everything else works. */
function workersReport(peers: readonly SeenPeer[], role: ProcessRole): PartReport {
  const others = peers.filter((peer) => peer.present && peer.role === "worker").length;
  const both = peers.filter((peer) => peer.present && peer.role === "all").length;
  const count = Math.max(others + both, isWorkerRole(role) ? 1 : 0);
  return { ok: count > 0, about: `${count}`, remarks: count > 0 ? [] : [NO_WORKER] };
}

const NO_WORKER: Text = {
  en: "No worker is running: requested runs stay queued. Start one with `bloom up --role worker`.",
  uk: "Жоден виконавець не працює: замовлені запуски чекають у черзі. Запустіть його: `bloom up --role worker`.",
};

/** Names the agents that stopped (C-7). The reasons are for the owner: `GET /agents`. */
async function agentsReport(garden: Garden): Promise<PartReport> {
  const troubled = (await agentTroubles(garden)).map(({ slug }) => slug);
  const remarks = troubled.map((slug) => ({
    en: `${slug} is in error and does not run; \`bloom agent check ${slug}\` says why`,
    uk: `${slug} має стан error і не запускається; причину скаже \`bloom agent check ${slug}\``,
  }));
  return { ok: troubled.length === 0, about: "", remarks };
}

/** A file that is refused: what is wrong with it and where, and that the settings from before stay in force (G-7). */
async function settingsReport({ settings }: Garden): Promise<PartReport> {
  await settings.reload();
  const { trouble } = settings;
  return { ok: trouble === undefined, about: "", remarks: trouble ? [trouble.text, SETTINGS_FROM_BEFORE] : [] };
}

const SETTINGS_FROM_BEFORE: Text = {
  en: "Until the file is corrected, the settings from before stay in force.",
  uk: "Доки файл не виправлено, діють попередні налаштування.",
};

async function part(ask: () => Promise<PartReport>): Promise<PartHealth> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("no answer in time")), PATIENCE_MS);
    });
    const { ok, about, remarks } = await Promise.race([ask(), late]);
    return { status: ok ? "ok" : "degraded", about, remarks };
  } catch (error) {
    return { status: "degraded", about: "", remarks: [asFailure(error).text] };
  } finally {
    clearTimeout(timer);
  }
}
