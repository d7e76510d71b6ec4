import { seeded } from "../../src/base/testing/seeded.ts";
import { git } from "../../src/garden/testing/scratch.ts";
import { bloom } from "../bloom.ts";
import { type Cluster, type Member, newCluster, type RunCard, until, writerAgent } from "./cluster.ts";

export interface ChaosReport {
  readonly kills: number;
  readonly runs: number;
  readonly completed: number;
  /** Runs that asked a person because their process died twice before a record; answered with "again". */
  readonly asked: number;
  readonly seconds: number;
  readonly problems: readonly string[];
}

export interface ChaosOptions {
  readonly seed: number;
  readonly kills: number;
  readonly gateways: number;
  readonly workers: number;
  /** Pause between two rounds; in each one half of the processes is killed and started again. */
  readonly roundMs: number;
}

const AGENTS = ["ash", "birch", "cedar", "elm", "fir", "gorse"];

/**
 * Gateways and workers that are killed by SIGKILL all the time while runs are requested, carried out, approved by a rule and applied.
 * Every request is repeated with its correlation id until it is answered. At the end every request has one run, every run one
 * proposal, and every proposal one commit.
 */
export async function chaos({ seed, kills, gateways, workers, roundMs }: ChaosOptions): Promise<ChaosReport> {
  const began = performance.now();
  const cluster = await newCluster({
    agents: AGENTS.map(writerAgent),
    settings: "auto_approve: [{ source: agent, actions: [propose-note] }]",
  });
  try {
    const roles = [
      ...Array.from({ length: gateways }, () => "gateway" as const),
      ...Array.from({ length: workers }, () => "worker" as const),
    ];
    const members: Member[] = [];
    for (const role of roles) members.push(await cluster.up(role));
    const requests = requestAll(members);
    const killed = await killHalves(cluster, members, { draw: seeded(seed), kills, roundMs });
    const found = await requests.stop();
    const asked = await settle(cluster, members, found);
    const problems = await inspect(cluster, members[0]!, found);
    const seconds = Math.round((performance.now() - began) / 1000);
    return { kills: killed, runs: found.size, completed: found.size - problems.length, asked, seconds, problems };
  } finally {
    await cluster.close();
  }
}

/** Requests runs one after the other, each with a note of its own, until `stop`. Returns the run of each request. */
function requestAll(members: readonly Member[]): { stop(): Promise<Map<number, string>> } {
  const found = new Map<number, string>();
  const over = new AbortController();
  const loop = (async (): Promise<void> => {
    for (let n = 0; !over.signal.aborted; n++) {
      found.set(n, await requestOnce(members, n));
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

/** Repeats the request at any gateway until one answers: a killed one may have carried it out. */
const requestOnce = (members: readonly Member[], n: number): Promise<string> =>
  until(`an answer to request ${n}`, async () => {
    const up = members.filter(({ role }) => role === "gateway");
    const member = up[n % up.length]!;
    const body = { input: { path: `notes/out/n${n}.md` } };
    try {
      const answer = await member.ask<{ run?: RunCard }>(
        "POST",
        `/agents/${AGENTS[n % AGENTS.length]}/run`,
        body,
        `chaos-${n}`,
      );
      return answer.body.run?.run_id;
    } catch {
      return undefined;
    }
  });

async function killHalves(
  cluster: Cluster,
  members: Member[],
  { draw, kills, roundMs }: { readonly draw: () => number; readonly kills: number; readonly roundMs: number },
): Promise<number> {
  let killed = 0;
  while (killed < kills) {
    await new Promise((resolve) => setTimeout(resolve, roundMs * (0.5 + draw())));
    const victims = members
      .map((_, i) => i)
      .toSorted(() => draw() - 0.5)
      .slice(0, Math.min(Math.ceil(members.length / 2), kills - killed));
    for (const i of victims) members[i]!.running.process.kill("SIGKILL");
    await Promise.all(victims.map((i) => members[i]!.running.ended));
    killed += victims.length;
    await Promise.all(victims.map(async (i) => (members[i] = await cluster.up(members[i]!.role))));
  }
  return killed;
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
      for (const run of open) {
        const { state } = (await gateway.ask<{ run: RunCard }>("GET", `/runs/${run}`)).body.run;
        if (["completed", "failed", "cancelled"].includes(state)) open.delete(run);
      }
      return open.size === 0;
    },
    240_000,
  );
  await until("the last applies", async () => notesIn(cluster).length === found.size, 60_000).catch(() => undefined);
  return asked.size;
}

const notesIn = ({ dir }: Cluster): string[] =>
  git(dir, "ls-tree", "--name-only", "main", "notes/out/").split("\n").filter(Boolean);

async function inspect(cluster: Cluster, gateway: Member, found: ReadonlyMap<number, string>): Promise<string[]> {
  const problems: string[] = [];
  for (const [n, run] of found) {
    const again = await requestOnce([gateway], n);
    const { state } = (await gateway.ask<{ run: RunCard }>("GET", `/runs/${run}`)).body.run;
    if (again !== run) problems.push(`request ${n} has two runs: ${run}, ${again}`);
    if (state !== "completed") problems.push(`${run} of request ${n} is ${state}`);
  }
  const subjects = git(cluster.dir, "log", "--format=%H", "main", "--", "notes/out/").split("\n").filter(Boolean);
  const notes = notesIn(cluster);
  if (new Set(found.values()).size !== found.size) problems.push("two requests have one run");
  if (notes.length !== found.size) problems.push(`${notes.length} notes of ${found.size} runs`);
  if (subjects.length !== found.size) problems.push(`${subjects.length} commits of ${found.size} runs`);
  const verified = await bloom(cluster.dir, ["verify"]);
  if (verified.exit !== 0) problems.push(`verify: ${verified.out}${verified.err}`);
  return problems;
}
