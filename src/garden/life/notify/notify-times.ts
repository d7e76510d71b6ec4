import type { NotifyDestination } from "../../../domain/config/garden-config.ts";
import { readCron } from "../../../domain/contract/cron.ts";
import { slotAfter } from "../../../domain/contract/cron-slots.ts";

/** True in the quiet hours of a destination, in the garden's time zone. Equal times mean no quiet hours. */
export function isQuiet({ quiet }: Pick<NotifyDestination, "quiet">, timeZone: string, now: number): boolean {
  if (!quiet || quiet.from === quiet.to) return false;
  const at = timeIn(timeZone, now);
  return quiet.from < quiet.to ? at >= quiet.from && at < quiet.to : at >= quiet.from || at < quiet.to;
}

/** The last time of the daily digest after `since`, if it has come. */
export function digestSlot(digest: string, timeZone: string, since: number, now: number): number | undefined {
  const [hour, minute] = digest.split(":").map(Number);
  const cron = readCron(`${minute} ${hour} * * *`)!;
  let last: number | undefined;
  // Days without a server count once: at most one step per day.
  for (let slot = slotAfter(cron, timeZone, Math.max(since, now - MAX_DAYS_MS)); slot !== undefined && slot <= now; ) {
    last = slot;
    slot = slotAfter(cron, timeZone, slot);
  }
  return last;
}

const MAX_DAYS_MS = 3 * 86_400_000;

/** `08:05` */
const timeIn = (timeZone: string, now: number): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(now);
