import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Flags that let `workerStates` ask a worker for its JavaScript stack, even while the worker is busy in a loop. */
export const reportFlags = (folder) => [
  "--report-on-signal",
  "--report-signal=SIGUSR2",
  "--report-exclude-network",
  `--report-directory=${folder}`,
];

/**
 * Describes the processes under the test runner: state, processor time, kernel wait, and the JavaScript stack of each worker that
 * answers. A test that hangs shows nothing else, and may not hang a second time.
 */
export async function workerStates(folder) {
  const rows = processRows();
  const under = descendants(rows, process.pid);
  const workers = under.filter(({ args }) => args.includes("vitest/dist/workers"));
  for (const { pid } of workers) askForStack(pid);
  const stacks = await stacksIn(folder, workers.length);
  return under.map(({ pid, ppid, stat, time, wchan, args }) => {
    const stack = stacks.get(pid);
    const words = `${pid} (of ${ppid}) ${stat} ${time} ${wchan} ${args.slice(0, 160)}`;
    return stack === undefined ? words : `${words}\n    ${stack.join("\n    ")}`;
  });
}

/** Empty where there is no `ps` of Linux. */
function processRows() {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,ppid=,stat=,time=,wchan:24=,args="], { encoding: "utf8" });
  return (stdout ?? "").split("\n").flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line);
    if (!match) return [];
    const [, pid, ppid, stat, time, wchan, args] = match;
    return [{ pid: Number(pid), ppid: Number(ppid), stat, time, wchan, args }];
  });
}

function descendants(rows, root) {
  const children = rows.filter(({ ppid }) => ppid === root);
  return children.flatMap((child) => [child, ...descendants(rows, child.pid)]);
}

function askForStack(pid) {
  try {
    process.kill(pid, "SIGUSR2");
  } catch {
    // it has ended since
  }
}

const LONGEST_WAIT_S = 15;

/** The stacks by process, once there are as many as were asked for; a worker that waits in the kernel never answers. */
async function stacksIn(folder, wanted) {
  let reports = [];
  for (let second = 0; second < LONGEST_WAIT_S && reports.length < wanted; second++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    reports = readdirSync(folder).filter((name) => /^report\..*\.json$/.test(name));
  }
  return new Map(reports.flatMap((name) => stackIn(join(folder, name))));
}

function stackIn(file) {
  try {
    const { header, javascriptStack } = JSON.parse(readFileSync(file, "utf8"));
    return [[header.processId, [javascriptStack.message, ...(javascriptStack.stack ?? [])].slice(0, 25)]];
  } catch {
    return []; // half written
  } finally {
    rmSync(file, { force: true });
  }
}
