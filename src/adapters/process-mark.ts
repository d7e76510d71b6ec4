import { readFile } from "node:fs/promises";

/**
 * Identifies this process by pid and start time, because a container may give every restart the same pid. Without `/proc`
 * the pid alone is used.
 */
export async function ownProcessMark(): Promise<string> {
  mark ??= await processMark(process.pid);
  return mark;
}
let mark: string | undefined;

export const processMark = async (pid: number): Promise<string> => `${pid} ${(await startOf(pid)) ?? "-"}`;

/** True if the process with this mark still runs. */
export async function isProcessAlive(named: string): Promise<boolean> {
  const [pid, start] = named.split(" ");
  const number = Number(pid);
  if (!Number.isSafeInteger(number) || number <= 0) return false;
  try {
    process.kill(number, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // it exists and belongs to another user
  }
  const now = await startOf(number);
  return start === "-" || now === undefined || start === now;
}

/** Start time in ticks since boot. A zombie counts as ended. */
async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" "); // the name before it may contain anything
  return fields[0] === "Z" || fields[0] === "X" ? "ended" : fields[19];
}
