import { readFile } from "node:fs/promises";

/**
 * Names a process so that it cannot be taken for a later one with the same number: in a container every restart may
 * get the same. Where the system tells no start time, the number alone must do.
 */
export async function ownProcessMark(): Promise<string> {
  mark ??= `${process.pid} ${(await startOf(process.pid)) ?? "-"}`;
  return mark;
}
let mark: string | undefined;

/** Whether the process that called itself so still runs. */
export async function isProcessAlive(named: string): Promise<boolean> {
  const [pid, start] = named.split(" ");
  const number = Number(pid);
  if (!Number.isSafeInteger(number) || number <= 0) return false;
  try {
    process.kill(number, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // there, and somebody else's
  }
  const now = await startOf(number);
  return start === "-" || now === undefined || start === now;
}

/** When it started, in ticks since the machine did. A process that has ended and is not collected yet does not count. */
async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" "); // the name before may hold anything
  return fields[0] === "Z" || fields[0] === "X" ? "ended" : fields[19];
}
