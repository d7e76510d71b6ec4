import { inBatches } from "../../src/adapters/repo/git/disk/in-batches.ts";
import { seeded } from "../../src/base/testing/seeded.ts";
import { git } from "../../src/garden/testing/scratch.ts";
import { type Cluster, type Member, type RunCard, until, writerAgent } from "./cluster.ts";
import type { Ground } from "./ground.ts";

export interface ChaosReport {
  readonly kills: number;
  /** Links of a process that were cut or silent for a while. */
  readonly partitions: number;
  /** Processes that were stopped by SIGSTOP for longer than a lease, and woken. */
  readonly pauses: number;
  readonly engineKills: number;
  readonly runs: number;
  /** Runs that asked a person because their process died twice before a record; answered with "again". */
  readonly asked: number;
  readonly seconds: number;
  readonly problems: readonly string[];
}

export interface ChaosOptions {
  readonly seed: number;
  readonly kills: number;
  readonly partitions?: number;
  readonly pauses?: number;
  readonly gateways: number;
  readonly workers: number;
  /** Pause between two rounds; in each one half of the processes is killed and started again. */
  readonly roundMs: number;
  /** More than this many runs are not open at once: the work must not fall behind the requests. */
  readonly mostOpen?: number;
  readonly engine?: Ground["engine"];
  readonly tell?: (line: string) => void;
}

const ASKED_AT_ONCE = 8;
const AGENTS = ["ash", "birch", "cedar", "elm", "fir", "gorse"];

/** The agents and the rule of the garden that `chaos` needs. */
export const chaosGarden = {
  agents: AGENTS.map(writerAgent),
  settings: "auto_approve: [{ source: agent, actions: [propose-note] }]",
};

/**
 * Gateways and workers that are killed by SIGKILL all the time, cut off and paused, while runs are requested, carried out, approved by
 * a rule and applied. Every request is repeated with its correlation id until it is answered. At the end every request has one run,
 * every run one proposal, and every proposal one commit.
 */
export async function chaos(cluster: Cluster, options: ChaosOptions): Promise<ChaosReport> {
  const began = performance.now();
  const roles = [
    ...Array.from({ length: options.gateways }, () => "gateway" as const),
    ...Array.from({ length: options.workers }, () => "worker" as const),
  ];
  const members: Member[] = [];
  for (const role of roles) members.push(await cluster.up(role));
  const requests = requestAll(members, options.mostOpen ?? 24);
  const disturbed = await disturb(cluster, members, options);
  const found = await requests.stop();
  options.tell?.(`${found.size} runs requested; waiting for their ends`);
  const asked = await settle(cluster, members, found);
  const problems = await inspect(cluster, members[0]!, found);
  const seconds = Math.round((performance.now() - began) / 1000);
  return { ...disturbed, runs: found.size, asked, seconds, problems };
}

/** Requests runs one after the other, each with a note of its own, until `stop`. Returns the run of each request. */
function requestAll(members: readonly Member[], mostOpen: number): { stop(): Promise<Map<number, string>> } {
  const found = new Map<number, string>();
  const open = new Set<string>();
  const over = new AbortController();
  const loop = (async (): Promise<void> => {
    for (let n = 0; !over.signal.aborted; n++) {
      const run = await requestOnce(members, n);
      found.set(n, run);
      open.add(run);
      while (open.size >= mostOpen && !over.signal.aborted) await removeEnded(members, open);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return {
    async stop() {
      over.abort();
      await loop;
      return found;
    },
  };
}

async function removeEnded(members: readonly Member[], open: Set<string>): Promise<void> {
  const gateways = members.filter(({ role }) => role === "gateway");
  let asked = 0;
  await inBatches([...open], ASKED_AT_ONCE, async (run) => {
    const card = await gateways[asked++ % gateways.length]!.ask<{ run?: RunCard }>("GET", `/runs/${run}`).catch(
      () => undefined,
    );
    if (["completed", "failed", "cancelled"].includes(card?.body.run?.state ?? "")) open.delete(run);
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
}

/** Repeats the request at any gateway until one answers: a killed one may have carried it out. */
const requestOnce = (members: readonly Member[], n: number): Promise<string> => {
  let tries = 0;
  return until(
    `an answer to request ${n}`,
    async () => {
      const up = members.filter(({ role }) => role === "gateway");
      const member = up[(n + tries++) % up.length]!;
      const body = { input: { path: `notes/out/n${n}.md` } };
      const path = `/agents/${AGENTS[n % AGENTS.length]}/run`;
      const answer = await member.ask<{ run?: RunCard }>("POST", path, body, `chaos-${n}`).catch(() => undefined);
      return answer?.body.run?.run_id;
    },
    180_000,
  );
};

type Disturbed = Pick<ChaosReport, "kills" | "partitions" | "pauses" | "engineKills">;

/** Longer than the lease of a run (15 s) and the difference of clocks that is allowed for. */
const BEYOND_LEASE_MS = 19_000;

/** Kills half of the processes in every round. Partitions and pauses are spread over the rounds and go on beside the kills. */
async function disturb(cluster: Cluster, members: Member[], options: ChaosOptions): Promise<Disturbed> {
  const { kills, partitions = 0, pauses = 0, roundMs, engine, tell } = options;
  const draw = seeded(options.seed);
  const done = { kills: 0, partitions: 0, pauses: 0, engineKills: 0 };
  const busy = new Map<number, Promise<void>>();
  const aside = (i: number, work: Promise<void>): void =>
    void busy.set(
      i,
      work.finally(() => busy.delete(i)),
    );
  const due = (wanted: number): number => Math.ceil((wanted * (done.kills + 1)) / kills);
  while (done.kills < kills) {
    await new Promise((resolve) => setTimeout(resolve, roundMs * (0.5 + draw())));
    const free = members
      .map((_, i) => i)
      .filter((i) => !busy.has(i))
      .toSorted(() => draw() - 0.5);
    if (done.partitions < Math.min(partitions, due(partitions)) && free.length > 1 && members[free[0]!]!.machine) {
      done.partitions++;
      aside(free[0]!, partition(members[free.shift()!]!, draw));
    }
    if (done.pauses < Math.min(pauses, due(pauses)) && free.length > 1) {
      done.pauses++;
      aside(free[0]!, pause(members[free.shift()!]!));
    }
    if (engine && engine.kind !== "embedded" && draw() < 0.05) {
      await engine.kill(draw() < 0.3 ? "wipe" : undefined);
      await engine.start();
      done.engineKills++;
    }
    const victims = free.slice(0, Math.min(Math.ceil(members.length / 2), kills - done.kills));
    for (const i of victims) members[i]!.running.process.kill("SIGKILL");
    await Promise.all(victims.map((i) => members[i]!.running.ended));
    done.kills += victims.length;
    await Promise.all(victims.map(async (i) => (members[i] = await cluster.again(members[i]!))));
    tell?.(JSON.stringify(done));
  }
  await Promise.all(busy.values());
  return done;
}

/** Cuts a process off from one server or from all, with an error or in silence, for up to half a minute. */
async function partition({ machine }: Member, draw: () => number): Promise<void> {
  const { store, git: toGit, engine } = machine!.links;
  const parts = [store, toGit, engine, [...store, ...toGit, ...engine]];
  const links = parts[Math.floor(draw() * parts.length)]!;
  const how = draw() < 0.5 ? "hush" : "cut";
  for (const link of links) link[how]();
  await new Promise((resolve) => setTimeout(resolve, 2000 + draw() * 28_000));
  for (const link of links) link.heal();
}

async function pause({ running }: Member): Promise<void> {
  running.process.kill("SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, BEYOND_LEASE_MS));
  running.process.kill("SIGCONT");
}

/** Waits until every run is over; answers the questions of runs that were interrupted too often. Returns their number. */
async function settle(
  cluster: Cluster,
  members: readonly Member[],
  found: ReadonlyMap<number, string>,
): Promise<number> {
  const gateway = members.find(({ role }) => role === "gateway")!;
  const asked = new Set<string>();
  const open = new Set(found.values());
  await until(
    `the end of ${found.size} runs`,
    async () => {
      const { requests } = (await gateway.ask<{ requests: readonly { id: string }[] }>("GET", "/requests")).body;
      for (const { id } of requests) {
        asked.add(id);
        await gateway.ask("POST", `/requests/${id}/answer`, { value: { choice: "again" } });
      }
      await removeEnded([gateway], open);
      return open.size === 0;
    },
    300_000,
  );
  await until("the last applies", async () => notesIn(cluster).length === found.size, 60_000).catch(() => undefined);
  return asked.size;
}

const notesIn = ({ history }: Cluster): string[] =>
  git(history, "ls-tree", "--name-only", "main", "notes/out/").split("\n").filter(Boolean);

async function inspect(cluster: Cluster, gateway: Member, found: ReadonlyMap<number, string>): Promise<string[]> {
  const problems: string[] = [];
  await inBatches([...found], ASKED_AT_ONCE, async ([n, run]) => {
    const again = await requestOnce([gateway], n);
    const told = (await gateway.ask<{ run: RunCard }>("GET", `/runs/${run}`)).body;
    if (again !== run) problems.push(`request ${n} has two runs: ${run}, ${again}`);
    if (told.run.state !== "completed") problems.push(`${run} of request ${n}: ${JSON.stringify(told)}`);
  });
  const commits = git(cluster.history, "log", "--format=%H", "main", "--", "notes/out/").split("\n").filter(Boolean);
  const notes = notesIn(cluster);
  if (new Set(found.values()).size !== found.size) problems.push("two requests have one run");
  if (notes.length !== found.size) problems.push(`${notes.length} notes of ${found.size} runs`);
  if (commits.length !== found.size) problems.push(`${commits.length} commits of ${found.size} runs`);
  const verified = await cluster.bloom(["verify"]);
  if (verified.exit !== 0) problems.push(`verify: ${verified.out}${verified.err}`);
  return problems;
}
