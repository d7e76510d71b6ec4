import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { seeded } from "../../../../base/testing/seeded.ts";
import { testProgram } from "../../../../base/testing/test-program.ts";
import { realWorld } from "../../../../base/world.ts";
import { everyKey } from "../../../../ports/store.ts";
import { openDirStore } from "../dir-store.ts";

/** Part of the message if neither lock nor socket of a garden is available for a while. */
const NO_OWNER = "holds this garden and does not answer";
const DRIVER = testProgram(fileURLToPath(new URL("./store-driver.ts", import.meta.url)));

export interface KillReport {
  readonly kills: number;
  readonly created: number;
  readonly counted: number;
  readonly removed: number;
  /** Answers lost with their owner, resolved by operation id. */
  readonly unknown: number;
  /** Processes that timed out waiting for an owner: a busy machine, no loss. */
  readonly gaveUp: number;
  readonly wrong: readonly string[];
}

/** Processes that write to one store and are killed, with everything they claimed to have written. */
class Crowd {
  readonly garden = fs.mkdtempSync(join(tmpdir(), "bloom-kills-"));
  readonly created = new Set<string>();
  readonly counted = new Set<string>();
  readonly removed = new Set<string>();
  readonly wrong: string[] = [];
  unknown = 0;
  kills = 0;
  gaveUp = 0;
  #number = 0;

  start(...more: string[]): Driver {
    const child = spawn(process.execPath, [DRIVER, this.garden, `p${this.#number++}`, ...more], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let rest = "";
    let errors = "";
    let answers = 0;
    const waiting: { readonly answers: number; readonly resolve: () => void }[] = [];
    const reached = (wanted: number): Promise<void> =>
      new Promise((resolve) => {
        waiting.push({ answers: wanted, resolve });
        notify();
      });
    let isOver = false;
    const notify = (): void => {
      for (const each of waiting) if (isOver || answers >= each.answers) each.resolve();
    };
    child.stdout.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.#record(line);
      answers += lines.length;
      notify();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const ended = new Promise<void>((done) => {
      child.on("close", (_, signal) => {
        isOver = true;
        notify();
        if (signal !== "SIGKILL" && errors.includes(NO_OWNER)) this.gaveUp++;
        else if (signal !== "SIGKILL") this.wrong.push(`a process ended by itself: ${errors.slice(0, 500)}`);
        done();
      });
    });
    return { child, reached, ended };
  }

  async kill(driver: Driver): Promise<void> {
    driver.child.kill("SIGKILL");
    this.kills++;
    await driver.ended;
  }

  #record(line: string): void {
    const [what, value = ""] = line.split(" ");
    if (what === "created") this.created.add(value);
    else if (what === "counted") this.counted.add(value);
    else if (what === "removed") this.removed.add(value);
    else if (what === "unknown") this.unknown++;
  }

  /** Reopens the store and compares it with every claim. */
  async #compare(): Promise<void> {
    const { wrong } = this;
    const store = await openDirStore({ garden: this.garden, world: realWorld });
    for (const key of this.created) {
      const found = await store.get(key);
      if (!found) wrong.push(`${key} was answered and is lost`);
    }
    for (const key of this.removed) {
      if (await store.get(key)) wrong.push(`${key} was removed and is back`);
      if (fs.existsSync(join(this.garden, ".bloom/store", key, ".."))) wrong.push(`the folder of ${key} is left`);
    }
    for await (const { key } of everyKey(store, "")) {
      const found = await store.get(key);
      try {
        JSON.parse(Buffer.from(found!.bytes).toString());
      } catch {
        wrong.push(`${key} is torn`);
      }
      if (key.endsWith("-b.json") && !(await store.get(key.replace(/-b\.json$/, "-a.json"))))
        wrong.push(`${key} is there without what was written before it`);
    }
    const counter = await store.get("agents/counter/_agent.md");
    const ops: string[] = counter ? (JSON.parse(Buffer.from(counter.bytes).toString()) as { ops: string[] }).ops : [];
    if (new Set(ops).size !== ops.length) wrong.push("a count was doubled");
    for (const op of this.counted) if (!ops.includes(op)) wrong.push(`the count ${op} was answered and is lost`);
    await store.close();
  }

  async report(): Promise<KillReport> {
    await this.#compare();
    fs.rmSync(this.garden, { recursive: true, force: true });
    return {
      kills: this.kills,
      created: this.created.size,
      counted: this.counted.size,
      removed: this.removed.size,
      unknown: this.unknown,
      gaveUp: this.gaveUp,
      wrong: this.wrong,
    };
  }
}

interface Driver {
  readonly child: ChildProcess;
  /** Resolves after so many lines of output (the first says that it is ready), or at its end. */
  reached(lines: number): Promise<void>;
  readonly ended: Promise<void>;
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** One writer at a time on the same garden, killed at random moments. */
export async function randomKills(seed: number, kills: number): Promise<KillReport> {
  const chance = seeded(seed);
  const crowd = new Crowd();
  for (let i = 0; i < kills; i++) {
    const driver = crowd.start();
    // Sometimes during opening. Counted in answers, not in time: on a busy machine it would die before its first write.
    if (chance() < 0.9) await driver.reached(Math.ceil(chance() * 150));
    await pause(chance() * 10);
    await crowd.kill(driver);
  }
  return await crowd.report();
}

/** Several processes on one garden; a killed one, often the owner, is replaced. */
export async function race(seed: number, processes: number, kills: number): Promise<KillReport> {
  const chance = seeded(seed);
  const crowd = new Crowd();
  const drivers = Array.from({ length: processes }, () => crowd.start());
  await Promise.all(drivers.map((driver) => driver.reached(1)));
  for (let i = 0; i < kills; i++) {
    await pause(150 + chance() * 250);
    const owner = drivers.findIndex((driver) => driver.child.pid === ownerPid(crowd.garden));
    const victim = chance() < 0.7 && owner >= 0 ? owner : Math.floor(chance() * drivers.length);
    await crowd.kill(drivers[victim]!);
    drivers[victim] = crowd.start();
  }
  await pause(200);
  for (const driver of drivers) await crowd.kill(driver);
  return await crowd.report();
}

/** Kills a process at the nth passing of a crash point, twice on the same garden. */
export async function crashAt(point: string, nth: number): Promise<KillReport> {
  const crowd = new Crowd();
  for (let round = 0; round < 2; round++) {
    const driver = crowd.start(point, String(nth));
    const gaveUp = pause(40_000).then(() => "late" as const);
    if ((await Promise.race([driver.ended, gaveUp])) === "late")
      crowd.wrong.push(`${point} was not passed ${nth} times`);
    await crowd.kill(driver);
  }
  return await crowd.report();
}

function ownerPid(garden: string): number | undefined {
  try {
    return (JSON.parse(fs.readFileSync(join(garden, ".bloom/owner.json"), "utf8")) as { pid: number }).pid;
  } catch {
    return undefined;
  }
}
