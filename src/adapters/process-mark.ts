import { readFile } from "node:fs/promises";

/**
 * Identifies this process by pid, start time and boot, because a container may give every restart the same pid, and a process may
 * start at the same tick of the next boot. Without `/proc` the pid alone is used.
 */
export async function ownProcessMark(): Promise<string> {
  mark ??= await processMark(process.pid);
  return mark;
}
let mark: string | undefined;

export const processMark = async (pid: number): Promise<string> =>
  [pid, (await startOf(pid)) ?? "-", (await bootId()) ?? ""].join(" ").trimEnd();

/** True if the process with this mark still runs. Marks of older versions have no boot id. */
export async function isProcessAlive(named: string): Promise<boolean> {
  const [pid, start, boot] = named.split(" ");
  const number = Number(pid);
  if (!Number.isSafeInteger(number) || number <= 0) return false;
  const presentBoot = await bootId();
  if (presentBoot !== undefined && BOOT_ID.test(boot ?? "") && boot !== presentBoot) return false;
  try {
    process.kill(number, 0);
  } catch (error) {
    // EPERM: the pid belongs to a process of another user, which may have got it after the marked one ended.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
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

const BOOT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
let bootText: string | undefined;

/** Changes with every start of the machine. Undefined without `/proc`. */
async function bootId(): Promise<string | undefined> {
  bootText ??= (await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "")).trim();
  return BOOT_ID.test(bootText) ? bootText : undefined;
}
