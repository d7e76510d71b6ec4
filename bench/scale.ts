import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { composePorts } from "../src/compose.ts";
import { storeConfig } from "../src/domain/config/store-config.ts";
import { keys } from "../src/domain/layout.ts";
import { PEER_PUT_MS } from "../src/domain/peer.ts";
import { listPending } from "../src/garden/changes/proposals/list-proposals.ts";
import { closeGarden, type Garden, openGarden } from "../src/garden/core/garden.ts";
import { initGarden } from "../src/garden/life/init.ts";
import { requestRun } from "../src/garden/runs/request-run.ts";
import { type PlantedAgent, plant } from "../src/garden/runs/testing/planted-agent.ts";
import { approvedInto, proposed } from "./ours-garden.ts";
import { git } from "./rivals/git-rival.ts";
import { type SimulatedS3, simulatedS3, type Traffic } from "./s3-simulator.ts";

/** One line of the report. */
export interface ScaleRow {
  readonly name: string;
  readonly requests: number;
  readonly kilobytes: number;
  readonly ms: number;
  readonly perSecond?: number;
}

export interface ScaleSize {
  /** Numbers of worker processes. */
  readonly workers: readonly number[];
  /** Runs of each measurement, one of each agent. */
  readonly runs: number;
  /** Latency of the simulated store in milliseconds. */
  readonly delay: readonly [shortest: number, longest: number];
}

const ENVIRONMENT = {
  ...process.env,
  S3_ACCESS_KEY: "bench",
  S3_SECRET_KEY: "bench",
  BLOOM_SIGNING_KEY: "5".repeat(64),
};
const ground = composePorts({ environment: ENVIRONMENT });
const launcher = join(import.meta.dirname, "../bin/bloom.js");

/** A run of five steps: the four of every run, and one tool call. It proposes nothing. */
const reader = (slug: string): PlantedAgent => ({
  slug,
  contract: {
    model: "bloom/follower",
    execution: "flow",
    tools: "[read-notes, create-proposal]",
    safe_outputs: "[propose-note]",
  },
  procedure: 'BEGIN "Read"\n  all ← read-notes()\nEND\n',
});

/**
 * Unit costs of a run, a proposal and a page of the pending list on a store whose requests take as long as those of S3, and the runs
 * per second of one, two and more worker processes.
 */
export async function measureScale(
  scratch: string,
  size: ScaleSize,
  tell: (line: string) => void,
): Promise<ScaleRow[]> {
  const server = await simulatedS3();
  const dir = join(scratch, "scale");
  try {
    const slugs = Array.from({ length: size.runs }, (_, i) => `agent-${i}`);
    tell(`scale: preparing a garden with ${slugs.length} agents`);
    const garden = await sharedGarden(dir, server, slugs);
    try {
      server.delay(...size.delay);
      const rows = await unitCosts(garden, server, tell);
      for (const workers of size.workers)
        rows.push(await measureWorkers(garden, { dir, server, slugs, workers, tell }));
      return rows;
    } finally {
      await closeGarden(garden);
    }
  } finally {
    await server.close();
  }
}

async function sharedGarden(dir: string, server: SimulatedS3, slugs: readonly string[]): Promise<Garden> {
  await mkdir(join(dir, "notes"), { recursive: true });
  await writeFile(join(dir, "notes/a.md"), "# A\n");
  const store = storeConfig.parse({ kind: "s3", endpoint: server.url, bucket: "bench" });
  await initGarden(ground, dir, { language: "en", name: "Scale", nested: true, store });
  const lines = [
    "limits: { owner_per_minute: 100000, agent_per_minute: 100000 }",
    `repo: { remote: "${dir}.git", fetch_seconds: 30 }`,
  ];
  await git(".", ["init", "--quiet", "--bare", "-b", "main", `${dir}.git`]);
  await appendFile(join(dir, "garden.yaml"), `\n${lines.join("\n")}\n`);
  await git(dir, ["commit", "--quiet", "-m", "Share it", "garden.yaml"]);
  const garden = await openGarden(ground, dir);
  for (const slug of slugs) await plant(ground, garden, reader(slug));
  return garden;
}

async function unitCosts(garden: Garden, server: SimulatedS3, tell: (line: string) => void): Promise<ScaleRow[]> {
  tell("scale: unit costs of proposals");
  const [count, page] = [20, 50];
  let n = 0;
  const made: Awaited<ReturnType<typeof proposed>>[] = [];
  const propose = async (): Promise<void> =>
    void made.push(await proposed(garden, "notes/a.md", `# A\n\nVersion ${n++}.\n`));
  const rows = [
    await measured("a proposal, from the wish to the pending list", count, server, propose),
    await measured("a decision, from the approval to the commit at the remote", 1, server, async () => {
      await approvedInto(garden, made[0]!);
    }),
  ];
  for (let left = page + 1 - n; left > 0; left--) await propose();
  rows.push(
    await measured(`a page of ${page} pending proposals, again`, 5, server, async () => {
      await listPending(garden, { limit: page });
    }),
  );
  return rows;
}

interface Workers {
  readonly dir: string;
  readonly server: SimulatedS3;
  readonly slugs: readonly string[];
  readonly workers: number;
  readonly tell: (line: string) => void;
}

/** Lets worker processes carry out one run of every agent. The time counts from the first request to the last end. */
async function measureWorkers(garden: Garden, { dir, server, slugs, workers, tell }: Workers): Promise<ScaleRow> {
  tell(`scale: ${slugs.length} runs with ${workers} worker process${workers === 1 ? "" : "es"}`);
  const children = await Promise.all(Array.from({ length: workers }, (_, i) => startWorker(dir, i)));
  try {
    // Schedules and the first look are over, and every worker knows the others, before the runs are requested.
    await sleep(workers === 1 ? 2000 : PEER_PUT_MS + 2000);
    const open = new Set<string>();
    const began = performance.now();
    const before = server.traffic();
    await Promise.all(
      slugs.map(async (slug) => {
        const { run_id } = await requestRun(garden, { slug, trigger: "manual", by: "owner" });
        open.add(`${keys.runs(slug)}${run_id}/manifest.json`);
      }),
    );
    while (open.size > 0) {
      for (const key of open) if (server.has(key)) open.delete(key);
      await sleep(10);
    }
    const ms = performance.now() - began;
    const name = `runs of five steps, ${workers} worker process${workers === 1 ? "" : "es"}`;
    return row(name, slugs.length, before, server.traffic(), ms, true);
  } finally {
    for (const child of children) child.kill("SIGKILL");
    for (const child of children) if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
}

async function startWorker(dir: string, i: number) {
  const clone = `${dir}-worker-${i}`;
  await git(".", ["clone", "--quiet", `${dir}.git`, clone]).catch(() => undefined); // there already: used by the measurement before
  const child = spawn(process.execPath, [launcher, "up", "--json", "--role", "worker", "--port", "0"], {
    cwd: clone,
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

async function measured(
  name: string,
  count: number,
  server: SimulatedS3,
  work: () => Promise<void>,
): Promise<ScaleRow> {
  const [began, before] = [performance.now(), server.traffic()];
  for (let i = 0; i < count; i++) await work();
  return row(name, count, before, server.traffic(), performance.now() - began, false);
}

function row(name: string, count: number, before: Traffic, after: Traffic, ms: number, isRate: boolean): ScaleRow {
  const sum = ({ reads, writes, lists }: Traffic): number => reads + writes + lists;
  const bytes = ({ bytesIn, bytesOut }: Traffic): number => bytesIn + bytesOut;
  return {
    name,
    requests: rounded((sum(after) - sum(before)) / count),
    kilobytes: rounded((bytes(after) - bytes(before)) / count / 1000),
    ms: rounded(ms / count),
    ...(isRate && { perSecond: rounded((count * 1000) / ms) }),
  };
}

const rounded = (value: number): number => Number(value.toPrecision(3));

export function scaleTable(rows: readonly ScaleRow[], [shortest, longest]: ScaleSize["delay"]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return [
    `scale: a simulated S3 store with ${shortest} to ${longest} ms per request; for each one`,
    ...rows.map(({ name, requests, kilobytes, ms, perSecond }) =>
      [
        `  ${name.padEnd(width)}`,
        `${String(requests).padStart(6)} requests`,
        `${String(kilobytes).padStart(6)} kB`,
        perSecond === undefined ? `${String(ms).padStart(6)} ms` : `${String(perSecond).padStart(6)} runs/s`,
      ].join("  "),
    ),
  ].join("\n");
}
