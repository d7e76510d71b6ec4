import { asFailure } from "../base/failure.ts";
import type { Text } from "../base/text.ts";
import { isWorkerRole, type ProcessRole } from "../domain/peer.ts";
import { agentTroubles } from "../garden/agents/lifecycle/agent-troubles.ts";
import type { Garden } from "../garden/core/garden.ts";
import { gitHealth } from "../garden/core/main-head.ts";
import { keyRemarks, type SeenPeer, seenPeers } from "../garden/core/peers.ts";
import { remoteReport } from "../garden/core/remote-report.ts";
import type { RepoHealth } from "../ports/repo-health.ts";
import type { Gateway, GatewayRuns, PartReport } from "./route.ts";

/**
 * health of each part. A part that does not answer within `PATIENCE_MS` is slow: a busy machine is no failure. One whose answer is
 * missing for `AWAY_MS` is degraded.
 */
export interface Health {
  readonly status: "ok" | "slow" | "degraded";
  /** Store and git work, or are slow. Without them no request can be answered; other parts only disable what needs them (O-8). */
  readonly serving: boolean;
  readonly parts: Readonly<
    Record<"store" | "git" | "remote" | "engine" | "workers" | "models" | "reader" | "agents" | "settings", PartHealth>
  >;
  /** O-10: the processes that serve this garden, this one included. Empty if the store does not answer. */
  readonly peers: readonly SeenPeer[];
}

export interface PartHealth {
  /** `off`: not started in this process. */
  readonly status: "ok" | "slow" | "degraded" | "off";
  /** For people: the role of the store's process, the version of git. */
  readonly about: string;
  readonly remarks: readonly Text[];
}

const PATIENCE_MS = 3000;
const AWAY_MS = 30_000;

export async function gardenHealth(
  garden: Garden,
  { runs, role }: Pick<Gateway, "runs" | "role">,
  patienceMs = PATIENCE_MS,
): Promise<Health> {
  const { store, repo, world, config } = garden;
  const asked = openAsks.get(store) ?? new Map<string, OpenAsk>();
  openAsks.set(store, asked);
  const part = (name: keyof Health["parts"], ask: () => Promise<PartReport>): Promise<PartHealth> =>
    partHealth(asked, name, ask, { world, patienceMs });
  let peers: readonly SeenPeer[] = [];
  const [storeHealth, git, remote, engine, workers, models, reader, agents, settings] = await Promise.all([
    part("store", async () => {
      const { ok, role: about, remarks } = await store.health();
      return { ok, about, remarks };
    }),
    part("git", async () => {
      const { ok, version, remarks } = await gitAnswer(repo);
      return { ok, about: version, remarks };
    }),
    config.repo
      ? part("remote", async () => {
          const { remote: found } = await gitAnswer(repo);
          return found ? remoteReport(found) : { ok: true, about: "", remarks: [] };
        })
      : OFF,
    runs ? part("engine", () => engineReport(runs)) : OFF,
    runs
      ? part("workers", async () => {
          peers = await seenPeers(garden);
          return workersReport(peers, role);
        })
      : OFF,
    runs ? part("models", runs.parts.models) : OFF,
    runs ? part("reader", runs.parts.reader) : OFF,
    part("agents", () => agentsReport(garden)),
    part("settings", () => settingsReport(garden)),
  ]);
  const parts = { store: storeHealth, git, remote, engine, workers, models, reader, agents, settings };
  const serving = storeHealth.status !== "degraded" && git.status !== "degraded";
  const worst = (["degraded", "slow"] as const).find((each) =>
    Object.values(parts).some(({ status }) => status === each),
  );
  return { status: worst ?? "ok", serving, parts, peers };
}

const OFF: PartHealth = { status: "off", about: "", remarks: [] };

async function engineReport(runs: GatewayRuns): Promise<PartReport> {
  const { ok, running, waiting, remarks = [] } = await runs.health();
  return { ok, about: `${runs.engine}: running ${running}, waiting ${waiting}`, remarks };
}

/** O-8: without a worker, runs stay queued and everything else works. */
function workersReport(peers: readonly SeenPeer[], role: ProcessRole): PartReport {
  const others = peers.filter((peer) => peer.present && peer.role === "worker").length;
  const both = peers.filter((peer) => peer.present && peer.role === "all").length;
  const count = Math.max(others + both, isWorkerRole(role) ? 1 : 0);
  const remarks = [...(count > 0 ? [] : [NO_WORKER]), ...keyRemarks(peers)];
  return { ok: remarks.length === 0, about: `${count}`, remarks };
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

/**
 * The health of git. All callers share one question until it is answered, so that requests never add up to many git processes. It is
 * asked inside of a part only: a question that no part waits for would end the process when it fails.
 */
function gitAnswer(repo: Garden["repo"]): Promise<RepoHealth> {
  const open = openGitAnswers.get(repo);
  if (open) return open;
  const answer = gitHealth(repo);
  openGitAnswers.set(repo, answer);
  const close = (): void => void openGitAnswers.delete(repo);
  answer.then(close, close);
  return answer;
}
const openGitAnswers = new WeakMap<Garden["repo"], Promise<RepoHealth>>();

/** A question to a part that was not answered in time. The part is not asked again until it answers. */
interface OpenAsk {
  readonly since: number;
  readonly answer: Promise<PartReport>;
}
const openAsks = new WeakMap<Garden["store"], Map<string, OpenAsk>>();

async function partHealth(
  asked: Map<string, OpenAsk>,
  name: string,
  ask: () => Promise<PartReport>,
  { world, patienceMs }: { readonly world: Garden["world"]; readonly patienceMs: number },
): Promise<PartHealth> {
  const open = asked.get(name) ?? { since: world.now(), answer: ask() };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), patienceMs);
  });
  try {
    const report = await Promise.race([open.answer, late]);
    if (report !== "late")
      return { status: report.ok ? "ok" : "degraded", about: report.about, remarks: report.remarks };
    asked.set(name, open);
    const close = (): void => void (asked.get(name) === open && asked.delete(name));
    open.answer.then(close, close);
    const seconds = Math.round(Math.abs(world.now() - open.since) / 1000);
    return { status: seconds * 1000 >= AWAY_MS ? "degraded" : "slow", about: "", remarks: [unanswered(seconds)] };
  } catch (error) {
    return { status: "degraded", about: "", remarks: [asFailure(error).text] };
  } finally {
    clearTimeout(timer);
  }
}

const unanswered = (seconds: number): Text => ({
  en: `no answer for ${seconds} s`,
  uk: `немає відповіді ${seconds} с`,
});
