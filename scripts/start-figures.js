/**
 * `node scripts/start-figures.js [ROUNDS]`: how long `bloom up` takes until its first run is over, and how much memory it has when
 * it rests, with real processes on the demo garden. The first round is not counted: it warms the caches of the machine.
 * Wall time says what a person waits, processor time what it costs where the machine is busy with something else.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "./setup.js";

const bloom = join(root, "bin", "bloom.js");
const rounds = Number(process.argv[2] ?? 5);
const REST_MS = 3000;

const folder = mkdtempSync(join(tmpdir(), "bloom-start-"));
const garden = join(folder, "garden");
const run = (...args) => execFileSync(process.execPath, [bloom, "--garden", garden, ...args], { encoding: "utf8" });

/** An old Node starts the packaged one: that is the process that counts. */
function worker(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  const child = children.find((one) => one !== "" && readFileSync(`/proc/${one}/cmdline`, "utf8").includes(bloom));
  return child === undefined ? pid : Number(child);
}

/** Processor seconds and memory in megabytes of a live process. */
function figuresOf(pid) {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ").slice(11, 13).map(Number);
  const rss = Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]);
  return { cpu: (user + system) / 100, mb: rss / 1024 };
}

async function round() {
  const { run_id: id } = JSON.parse(run("run", "test-echo", "--json")).run;
  const began = performance.now();
  const up = spawn(process.execPath, [bloom, "--garden", garden, "up", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => up.on("close", resolve));
  try {
    let told = "";
    for await (const chunk of up.stdout) {
      told += chunk;
      if (/sign-in\?code=\S+/.test(told)) break;
    }
    const served = performance.now() - began;
    const link = /http:\S+sign-in\?code=\S+/.exec(told)[0];
    const entered = await fetch(link, { redirect: "manual" });
    const cookie = entered.headers.getSetCookie()[0].split(";")[0];
    for (;;) {
      const answer = await fetch(new URL(`/runs/${id}`, link), { headers: { cookie } });
      const { run: card } = await answer.json();
      if (card.state === "completed") break;
      if (card.state === "failed") throw new Error(`the run failed: ${JSON.stringify(card)}`);
      await pause(5);
    }
    const first = performance.now() - began;
    const { cpu } = figuresOf(worker(up.pid));
    await pause(REST_MS);
    return { served, first, cpu: cpu * 1000, idle: figuresOf(worker(up.pid)).mb };
  } finally {
    up.kill("SIGTERM");
    await ended;
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

try {
  execFileSync(process.execPath, [bloom, "demo", garden], { stdio: "ignore" });
  await round();
  const seen = [];
  for (let n = 0; n < rounds; n++) seen.push(await round());
  const row = (name, of, unit) => {
    const values = seen.map(of);
    const said = [median(values), Math.min(...values), Math.max(...values)].map((value) => Math.round(value));
    process.stdout.write(`${name.padEnd(42)} ${String(said[0]).padStart(6)} ${unit}  (${said[1]}–${said[2]})\n`);
  };
  row("`bloom up` until it serves", ({ served }) => served, "ms");
  row("`bloom up` until its first run is over", ({ first }) => first, "ms");
  row("  processor time of that", ({ cpu }) => cpu, "ms");
  row(`memory after ${REST_MS / 1000} s of rest, Mastra not loaded`, ({ idle }) => idle, "MB");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
