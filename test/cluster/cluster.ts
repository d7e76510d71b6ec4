import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { patient } from "../../src/base/testing/patience.ts";
import { composePorts } from "../../src/compose.ts";
import { keys } from "../../src/domain/layout.ts";
import type { ProcessRole } from "../../src/domain/peer.ts";
import { makeToken } from "../../src/garden/agents/access/tokens.ts";
import { closeGarden, openGarden } from "../../src/garden/core/garden.ts";
import { initGarden } from "../../src/garden/life/init.ts";
import { findRun } from "../../src/garden/runs/read-runs.ts";
import { type PlantedAgent, plant } from "../../src/garden/runs/testing/planted-agent.ts";
import { files, scratch } from "../../src/garden/testing/scratch.ts";
import { everyKey } from "../../src/ports/store.ts";
import { bloom, plainEnvironment, type Running, sources, started } from "../bloom.ts";
import type { Machine } from "./ground.ts";

/** A garden in a folder that real processes serve, and calls to them as its owner. */
export interface Cluster {
  readonly dir: string;
  readonly token: string;
  /** The repository whose main counts. */
  readonly history: string;
  /** Starts `bloom up` with a role and waits until it serves. */
  up(role: ProcessRole, more?: Readonly<Record<string, string>>): Promise<Member>;
  /** Starts a process that was killed again, in the same folder. */
  again(member: Member): Promise<Member>;
  /** A command beside the processes. */
  bloom(args: readonly string[]): Promise<{ readonly exit: number | null; readonly out: string; readonly err: string }>;
  /** Ends every process that still runs. */
  close(): Promise<void>;
}

export interface Member {
  readonly role: ProcessRole;
  readonly url: string;
  readonly running: Running;
  /** Its links to the servers, where it has links of its own. */
  readonly machine?: Machine;
  /** Its clone, where it has one of its own. */
  readonly place?: string;
  /** A correlation id makes the request idempotent. */
  ask<T>(method: string, path: string, body?: unknown, correlation?: string): Promise<Answer<T>>;
}

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** In `flow`, with the path as its input: each run proposes one note of its own. */
export const writerAgent = (slug: string): PlantedAgent => ({
  slug,
  contract: {
    model: "bloom/follower",
    execution: "flow",
    tools: "[read-notes, create-proposal]",
    safe_outputs: "[propose-note]",
    proposes: "anywhere",
  },
  procedure:
    'BEGIN "Write"\n  all ← read-notes()\n  create-proposal(type: "propose-note", path: path, content: "# N")\nEND\n',
});

export async function newCluster(options: {
  readonly agents: readonly PlantedAgent[];
  readonly settings?: string;
  readonly environment?: Readonly<Record<string, string>>;
}): Promise<Cluster> {
  const dir = join(scratch(), "rose");
  const environment = plainEnvironment(options.environment);
  const ground = composePorts({ environment });
  files(dir, { "notes/a.md": "# A\n" });
  await initGarden(ground, dir, { language: "en", name: "Rose" });
  const limits = "limits: { owner_per_minute: 100000, agent_per_minute: 100000 }";
  appendFileSync(join(dir, "garden.yaml"), `\n${limits}\n${options.settings ?? ""}\n`);
  const garden = await openGarden(ground, dir);
  for (const agent of options.agents) await plant(ground, garden, agent);
  const { token } = await makeToken(garden, { kind: "owner", name: "test" }, "owner");
  await closeGarden(garden);
  const members: Member[] = [];
  const up = async (role: ProcessRole, more: Readonly<Record<string, string>> = {}): Promise<Member> => {
    const member = await joined(dir, token, role, { ...options.environment, ...more }, sources);
    members.push(member);
    return member;
  };
  return {
    dir,
    token,
    history: dir,
    up,
    again: ({ role }) => up(role),
    bloom: (args) => bloom(dir, args),
    close: () => endAll(members),
  };
}

/** Starts `bloom up` and waits for its address. */
export async function joined(
  dir: string,
  token: string,
  role: ProcessRole,
  environment: Readonly<Record<string, string>>,
  program: string,
): Promise<Member> {
  const running = await started(dir, ["up", "--json", "--role", role, "--port", "0"], environment, program);
  if (!running.line.startsWith("{")) throw new Error(`${role}: ${(await running.ended).err}`);
  const { url } = JSON.parse(running.line) as { url: string };
  return { role, url, running, ask: (...call) => ask(url, token, ...call) };
}

export async function endAll(members: readonly Member[]): Promise<void> {
  for (const { running } of members) running.process.kill("SIGCONT");
  for (const { running } of members) running.process.kill("SIGKILL");
  await Promise.all(members.map(({ running }) => running.ended));
}

async function ask<T>(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
  correlation?: string,
): Promise<Answer<T>> {
  const answer = await fetch(new URL(path, url), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(correlation !== undefined && { "x-correlation-id": correlation }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patient(ANSWER_MS)),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text.startsWith("{") ? JSON.parse(text) : text) as T };
}

/** A process may be paused or cut off from its store. */
const ANSWER_MS = 10_000;

/** Asks again until there is an answer; throws if that takes far too long. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>, ms = 60_000): Promise<T> {
  const end = performance.now() + patient(ms);
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > end) throw new Error(`waited too long for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

export interface RunCard {
  readonly run_id: string;
  readonly state: string;
}

export interface ToldHealth {
  readonly status: string;
  readonly role: string;
  readonly parts: Readonly<
    Record<string, { readonly status: string; readonly remarks: readonly { readonly en: string }[] }>
  >;
  readonly peers: readonly { readonly role: string; readonly running: number }[];
}

/** Requests a run and returns its id. */
export async function requestedRun(
  member: Member,
  slug: string,
  input: Readonly<Record<string, string>>,
): Promise<string> {
  return (await member.ask<{ run: RunCard }>("POST", `/agents/${slug}/run`, { input })).body.run.run_id;
}

export const runStateOf = async (member: Member, run: string): Promise<string> =>
  (await member.ask<{ run: RunCard }>("GET", `/runs/${run}`)).body.run.state;

export const healthOf = async (member: Member): Promise<ToldHealth> =>
  (await member.ask<ToldHealth>("GET", "/health")).body;

/** Waits until a run is over and returns its state. */
export const ended = (member: Member, run: string): Promise<string> =>
  until(`the end of ${run}`, async () => {
    const state = await runStateOf(member, run);
    return ["completed", "failed", "cancelled"].includes(state) && state;
  });

/** Every object of a run, with the fencing number of a step's record. Reads through the owner of the store. */
export async function recordsOf(
  { dir }: Pick<Cluster, "dir">,
  run: string,
): Promise<readonly { readonly key: string; readonly hash: string; readonly epoch: number | undefined }[]> {
  const garden = await openGarden(composePorts({ environment: plainEnvironment() }), dir);
  try {
    const { slug } = await findRun(garden, run);
    const found = [];
    for await (const { key } of everyKey(garden.store, `${keys.runs(slug)}${run}/`)) {
      const stored = await garden.store.get(key);
      const epoch = /"epoch": (\d+)/.exec(Buffer.from(stored?.bytes ?? []).toString())?.[1];
      found.push({ key, hash: stored?.hash ?? "", epoch: epoch === undefined ? undefined : Number(epoch) });
    }
    return found;
  } finally {
    await closeGarden(garden);
  }
}
