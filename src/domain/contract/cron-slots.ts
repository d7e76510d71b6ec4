import type { Cron } from "./cron.ts";

/**
 * Slots of a schedule in a time zone. Twice a year many zones have an hour that does not exist and one that comes
 * twice:
 * - A schedule for certain hours means that time of day. If it does not exist that day, the slot is the moment at
 *   which the clocks moved on; if it comes twice, the slot is the first one. So a daily run is one run, every day.
 * - A schedule for every hour means so much time in between. It goes on through both days: no slot where the hour is
 *   missing, a slot in each of the two hours that have the same name.
 *
 * `slotAfter` gives the first slot later than `after` (ms since 1970), or undefined if there is none within ten
 * years.
 */
export function slotAfter(cron: Cron, timeZone: string, after: number): number | undefined {
  const zone = zoneOf(timeZone);
  const everyHour = cron.hours.length === 24;
  // Starts one day early: when clocks move on, the slot of a local day that is already over can fall after `after`.
  const firstDay = Math.floor((after + zone.offsetAt(after)) / DAY_MS) - 1;
  for (let day = firstDay; day < firstDay + MAX_DAYS; day++) {
    if (!isDayOf(cron, day)) continue;
    const slot = firstBehind(slotsOf(cron, zone, day, everyHour), after);
    if (slot !== undefined) return slot;
  }
  return undefined;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MAX_DAYS = 3660;

/** `day` counts from 1970-01-01, independently of the zone. */
function isDayOf(cron: Cron, day: number): boolean {
  const date = new Date(day * DAY_MS);
  if (!cron.months.includes(date.getUTCMonth() + 1)) return false;
  const byDate = cron.days.includes(date.getUTCDate());
  const byWeekday = cron.weekdays.includes(date.getUTCDay());
  return cron.eitherDay ? byDate || byWeekday : byDate && byWeekday;
}

/** All slots of one local day; unordered on a day with a repeated hour. */
function* slotsOf({ hours, minutes }: Cron, zone: Zone, day: number, everyHour: boolean): Generator<number> {
  const midnight = day * DAY_MS;
  // Offsets are between -12 and +14 hours, so the local day lies between these two moments.
  const before = zone.offsetAt(midnight - 15 * 3_600_000);
  const behind = zone.offsetAt(midnight + 39 * 3_600_000);
  for (const hour of hours) {
    for (const minute of minutes) {
      const local = midnight + (hour * 60 + minute) * MINUTE_MS;
      if (before === behind) {
        yield local - before;
        continue;
      }
      const moments = [...new Set([local - before, local - behind])]
        .filter((moment) => moment + zone.offsetAt(moment) === local)
        .toSorted((a, b) => a - b);
      if (moments.length === 0 && !everyHour) yield changeBetween(zone, local - behind, local - before);
      else yield* everyHour ? moments : moments.slice(0, 1);
    }
  }
}

function firstBehind(slots: Iterable<number>, after: number): number | undefined {
  let first: number | undefined;
  for (const slot of slots) if (slot > after && (first === undefined || slot < first)) first = slot;
  return first;
}

/** The moment at which the clocks were moved, to the minute. */
function changeBetween(zone: Zone, low: number, high: number): number {
  let [from, to] = low < high ? [low, high] : [high, low];
  const before = zone.offsetAt(from);
  while (to - from > MINUTE_MS) {
    const middle = Math.floor((from + to) / 2 / MINUTE_MS) * MINUTE_MS;
    if (zone.offsetAt(middle) === before) from = middle;
    else to = middle;
  }
  return Math.ceil(to / MINUTE_MS) * MINUTE_MS;
}

interface Zone {
  /** Local time minus UTC, in milliseconds. */
  offsetAt(moment: number): number;
}

const zones = new Map<string, Zone>();

function zoneOf(timeZone: string): Zone {
  const known = zones.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const zone: Zone = {
    offsetAt(moment) {
      const whole = Math.floor(moment / 1000) * 1000;
      const parts = new Map(format.formatToParts(whole).map(({ type, value }) => [type, Number(value)]));
      const [year, month, day] = [parts.get("year")!, parts.get("month")!, parts.get("day")!];
      return Date.UTC(year, month - 1, day, parts.get("hour"), parts.get("minute"), parts.get("second")) - whole;
    },
  };
  zones.set(timeZone, zone);
  return zone;
}
