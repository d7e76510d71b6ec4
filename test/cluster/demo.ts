/**
 * `npm run demo:cluster`: the demo garden on a bucket (Ceph), a git remote and Restate, served by one gateway and two workers on this
 * machine. Each kind of process is killed by SIGKILL while work is under way. Ends with 1 if anything was lost or done twice.
 * With `--keep` everything stays up for a look until Ctrl-C.
 */
import { execFile } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { startCeph } from "../../scripts/ceph.js";
import { patient } from "../../src/base/testing/patience.ts";
import type { ProcessRole } from "../../src/domain/peer.ts";
import { type Running, started } from "../bloom.ts";
import { type Ground, openGround } from "./ground.ts";

const AGENT = "gardener";
/** Its proposals in the demo garden. */
const PROPOSALS = 3;

const say = (line: string): void => console.log(`\n▸ ${line}`);
const execute = promisify(execFile);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Part {
  readonly role: ProcessRole;
  readonly name: string;
  readonly url: string;
  readonly running: Running;
}

/** The garden and the calls of its owner. */
class Demo {
  readonly #ground: Ground;
  readonly #parts = new Map<string, Part>();
  #token = "";

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  async make(): Promise<void> {
    const { folder, bucket, remote, bare, engineSetting } = this.#ground;
    const dir = join(folder, "garden");
    await this.bloom(["demo", dir, "--quiet"], folder);
    say(`bloom move --to '${bucket}': the objects of the garden go into the bucket.`);
    console.log(await this.bloom(["move", "--to", bucket]));
    say(
      "garden.yaml names the git remote, the engine and a limit (two proposals a minute, so that runs take a while).",
    );
    const settings = [
      `repo: { remote: "${remote}", fetch_seconds: 5 }`,
      engineSetting,
      "limits: { agent_per_minute: 2 }",
    ];
    appendFileSync(join(dir, "garden.yaml"), `${settings.join("\n")}\n`);
    console.log(settings.join("\n"));
    await this.#git(dir, "commit", "-qam", "Share the garden");
    await this.#git(dir, "push", "-q", bare, "main");
    this.#token = (JSON.parse(await this.bloom(["token", "new", "demo", "--json"])) as { token: string }).token;
  }

  /** Runs a command in the first clone and returns its output. */
  async bloom(args: readonly string[], cwd = join(this.#ground.folder, "garden")): Promise<string> {
    const { environment, program } = this.#ground;
    const { stdout } = await execute(process.execPath, [program, ...args], { cwd, env: environment });
    return stdout.trimEnd();
  }

  async show(...args: readonly string[]): Promise<void> {
    console.log(`$ bloom ${args.join(" ")}\n${await this.bloom(args)}`);
  }

  /** Starts a process in a clone of its own; after a kill in the same one. */
  async start(role: ProcessRole, name: string): Promise<void> {
    const { folder, bare, remote, environment, program } = this.#ground;
    if (!this.#parts.has(name)) {
      await this.#git(folder, "clone", "-q", bare, name);
      await this.#git(join(folder, name), "remote", "set-url", "origin", remote);
    }
    const args = ["up", "--json", "--role", role, "--port", "0"];
    const running = await started(join(folder, name), args, environment, program);
    if (!running.line.startsWith("{")) throw new Error(`${name}: ${(await running.ended).err}`);
    const { url } = JSON.parse(running.line) as { url: string };
    this.#parts.set(name, { role, name, url, running });
    console.log(`  ${name} (process ${running.process.pid}) serves ${url}`);
  }

  async kill(name: string): Promise<void> {
    const { running } = this.#parts.get(name)!;
    console.log(`$ kill -9 ${running.process.pid}   # ${name}`);
    running.process.kill("SIGKILL");
    await running.ended;
  }

  /** The worker that the engine calls. */
  async calledWorker(): Promise<string> {
    const { admin } = this.#ground.engine;
    return await until("a registered worker", async () => {
      const answer = await fetch(`${admin}/deployments`).catch(() => undefined);
      const text = (await answer?.text()) ?? "";
      return [...this.#parts.values()].find(({ role, url }) => role === "worker" && text.includes(url))?.name;
    });
  }

  async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { url } = this.#parts.get("gateway")!;
    const answer = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async request(agent: string, input: Readonly<Record<string, string>> = {}): Promise<string> {
    const { run } = await this.ask<{ run: { run_id: string } }>("POST", `/agents/${agent}/run`, { input });
    return run.run_id;
  }

  async state(run: string): Promise<string> {
    return (await this.ask<{ run: { state: string } }>("GET", `/runs/${run}`)).run.state;
  }

  async ended(run: string): Promise<string> {
    return await until(`the end of ${run}`, async () => {
      const state = await this.state(run).catch(() => "");
      return ["completed", "failed", "cancelled", "waiting"].includes(state) && state;
    });
  }

  async proposals(run: string): Promise<number> {
    const path = `/proposals/pending?agent=${AGENT}`;
    const { proposals } = await this.ask<{ proposals: readonly { source: { run_id?: string } }[] }>("GET", path);
    return proposals.filter(({ source }) => source.run_id === run).length;
  }

  async signInLink(): Promise<string> {
    const { url } = this.#parts.get("gateway")!;
    return (await this.bloom(["token", "link", "--url", url, "--quiet"])).split("\n")[0]!;
  }

  async isEveryPeerPresent(): Promise<boolean> {
    const { peers } = JSON.parse(await this.bloom(["status", "--json"])) as { peers: readonly { present: boolean }[] };
    return peers.every(({ present }) => present);
  }

  async close(): Promise<void> {
    for (const { running } of this.#parts.values()) running.process.kill("SIGKILL");
    await Promise.all([...this.#parts.values()].map(({ running }) => running.ended));
  }

  async #git(cwd: string, ...args: string[]): Promise<void> {
    const person = { GIT_AUTHOR_NAME: "Ann", GIT_AUTHOR_EMAIL: "ann@example.org" };
    const committer = { GIT_COMMITTER_NAME: "Ann", GIT_COMMITTER_EMAIL: "ann@example.org" };
    await execute("git", args, { cwd, env: { ...process.env, ...person, ...committer } });
  }
}

async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const end = performance.now() + patient(180_000);
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > end) throw new Error(`waited too long for ${what}`);
    await pause(200);
  }
}

function expectThat(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`NOT SO: ${what}`);
  console.log(`  ✓ ${what}`);
}

async function show(demo: Demo, ground: Ground): Promise<void> {
  await demo.make();
  say("One gateway and two workers start, each in a clone of its own, as on three machines.");
  await demo.start("gateway", "gateway");
  await demo.start("worker", "worker-1");
  await demo.start("worker", "worker-2");
  const first = await demo.calledWorker();
  await demo.show("status");

  say(`A run of the ${AGENT} is requested at the gateway; Restate gives it to ${first}.`);
  const run = await demo.request(AGENT);
  await until("two proposals", async () => (await demo.proposals(run)) >= 2);
  console.log(`  ${run} has made two proposals and waits for the limit.`);
  await demo.kill(first);
  say("The worker is dead. Its lease runs out after 15 s; then the other one goes on after the last recorded step.");
  expectThat((await demo.ended(run)) === "completed", `${run} is completed by the other worker`);
  await demo.show("runs", "show", run);
  expectThat((await demo.proposals(run)) === PROPOSALS, `${PROPOSALS} proposals: none lost, none twice`);
  await demo.start("worker", first);

  say("The gateway is killed while a run is under way. Workers go on without it.");
  const second = await demo.request("librarian", { question: "When does the lime tree bloom?" });
  await demo.kill("gateway");
  await demo.start("gateway", "gateway");
  expectThat((await demo.ended(second)) === "waiting", `${second} asks its question; the new gateway shows it`);
  await demo.show("requests");

  say("Restate is killed, and a run is requested meanwhile. The request is in the store, not in the engine.");
  await ground.engine.kill();
  await demo.show("status");
  const third = await demo.request(AGENT);
  expectThat((await demo.state(third)) !== "completed", `${third} is accepted and waits`);
  await ground.engine.start();
  say("Restate is started again.");
  expectThat((await demo.ended(third)) === "completed", `${third} is completed`);

  say("Everything is where it belongs:");
  await demo.show("runs");
  await demo.show("verify");
  await until("the cards of the killed processes to be forgotten", () => demo.isEveryPeerPresent());
  await demo.show("status");
}

/** Leaves everything running until the person ends it. */
async function keep(demo: Demo, { folder, environment }: Ground): Promise<void> {
  say("All of it stays up until Ctrl-C. Look at it in a browser:");
  console.log(`  ${await demo.signInLink()}`);
  say("or on the command line:");
  for (const name of ["S3_ACCESS_KEY", "S3_SECRET_KEY", "BLOOM_SIGNING_KEY_FILE"])
    console.log(`  export ${name}=${environment[name]}`);
  console.log(`  export BLOOM_GARDEN=${join(folder, "garden")}\n  npm run bloom -- status`);
  await new Promise(() => setInterval(() => undefined, 60_000)); // Ctrl-C closes everything
}

async function main(): Promise<number> {
  say("Starting Ceph (S3), a git remote over HTTP, and Restate on this machine …");
  const ceph = await startCeph();
  if ("missing" in ceph) {
    console.error(ceph.missing);
    return 1;
  }
  const closers: (() => Promise<void>)[] = [ceph.stop];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void closeAll().finally(() => process.exit(1)));
  try {
    const ground = await openGround(ceph, "restate");
    closers.push(() => ground.close());
    const demo = new Demo(ground);
    closers.push(() => demo.close());
    console.log(`  bucket ${ground.bucket}\n  git remote ${ground.remote}\n  ${ground.engine.setting}`);
    await show(demo, ground);
    if (process.argv.includes("--keep")) await keep(demo, ground);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    await closeAll();
    say("All processes are stopped, and their folders are removed.");
  }
}

process.exitCode = await main();
