import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { machine } from "../../../../domain/layout.ts";

/** Numbers of processes and threads are given in turn: a command of a few seconds ago is among the last ones. */
const LAST_NUMBERS = 256;
const YOUNG_TICKS = 500; // 5 s: an older command waits for its editor, and has read and written the index before

/**
 * True if a git command that another process started a few seconds ago is still running in this folder. False without `/proc`.
 * Synchronous: it is asked while a lock is held, and takes about half a millisecond.
 */
export function foreignGitRuns(folder: string): boolean {
  const last = Number(readProc("loadavg")?.trim().split(" ")[4]);
  if (!Number.isSafeInteger(last)) return false;
  const at = performance.now();
  if (newest.last !== last) newest = { last, since: at, clear: undefined };
  if (newest.clear === folder) return false;
  const isRunning = isGitAmong(last, folder);
  // A process that is older than this has become the command that it was started for.
  if (!isRunning && at - newest.since > STARTED_MS) newest.clear = folder;
  return isRunning;
}

const STARTED_MS = 250;

/** The last number given, when it was first seen, and the folder without git commands then: they need a process of their own. */
let newest: { readonly last: number; readonly since: number; clear: string | undefined } = {
  last: 0,
  since: 0,
  clear: undefined,
};

function isGitAmong(last: number, folder: string): boolean {
  const now = readProc("uptime");
  if (now === undefined) return false;
  const uptime = Number(now.split(" ")[0]) * 100;
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!(pid > last - LAST_NUMBERS) || !isNamedGit(name)) continue;
    const stat = readProc(`${name}/stat`);
    if (stat === undefined) continue;
    const [state, parent, ...more] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isOurs = Number(parent) === process.pid;
    const isOver = state === "Z" || state === "X";
    if (!isOurs && !isOver && uptime - Number(more[17]) < YOUNG_TICKS && isWithin(pid, folder)) return true;
  }
  return false;
}

const command = Buffer.alloc(16);

/** Three system calls: this is asked of every young process while a person's git waits. */
function isNamedGit(process: string): boolean {
  try {
    const file = openSync(`/proc/${process}/comm`, "r");
    try {
      return /^git[\s-]/.test(command.toString("latin1", 0, readSync(file, command)));
    } finally {
      closeSync(file);
    }
  } catch {
    return false; // the process has ended
  }
}

/** Git changes into the top folder of its work tree. In the program's own folder there are copies, each with an index of its own. */
function isWithin(pid: number, folder: string): boolean {
  try {
    const place = readlinkSync(`/proc/${pid}/cwd`);
    return place === folder || (place.startsWith(`${folder}/`) && !place.startsWith(`${folder}/${machine.folder}/`));
  } catch {
    return false; // the process has ended, or belongs to another user
  }
}

function readProc(name: string): string | undefined {
  try {
    return readFileSync(`/proc/${name}`, "latin1");
  } catch {
    return undefined; // the process has ended
  }
}
