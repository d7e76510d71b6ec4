import type { Json } from "../../../base/canonical.ts";
import { group } from "../../../domain/text/checked-yaml.ts";
import { gardenTool } from "./tool.ts";

const DAY_MS = 86_400_000;

/**
 * The date where the agent works: `timezone` of its contract, else the garden's. The journal keeps the answer, so that a run that is
 * resumed tomorrow, or replayed, has the day on which it asked.
 */
export const todayTool = gardenTool({
  name: "today",
  description: {
    en: "The date here: date (2026-02-14), weekday, week (2026-W07), month (2026-02), time (08:30), yesterday, tomorrow, week_ago.",
    uk: "Яке тут число: date (2026-02-14), weekday, week (2026-W07), month (2026-02), time (08:30), yesterday, tomorrow, week_ago.",
  },
  input: group({}),
  idempotent: true,
  async call(_, { garden, contract, language }) {
    const timeZone = contract.timezone ?? garden.config.schedule.timezone;
    const now = garden.world.now();
    const date = dateIn(timeZone, now);
    const midday = Date.parse(`${date}T12:00:00Z`);
    const day = (from: number): string => new Date(midday + from * DAY_MS).toISOString().slice(0, 10);
    const locale = language === "en" ? "en-GB" : "uk-UA";
    const answer: Json = {
      date,
      weekday: new Intl.DateTimeFormat(locale, { timeZone, weekday: "long" }).format(now),
      week: weekOf(midday),
      month: date.slice(0, 7),
      time: new Intl.DateTimeFormat("en-GB", {
        timeZone,
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
      }).format(now),
      yesterday: day(-1),
      tomorrow: day(1),
      week_ago: day(-7),
    };
    return answer;
  },
});

const dateIn = (timeZone: string, now: number): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(now);

/** The week of ISO 8601: it belongs to the year that has its Thursday. */
function weekOf(midday: number): string {
  const thursday = midday + (3 - ((new Date(midday).getUTCDay() + 6) % 7)) * DAY_MS;
  const year = new Date(thursday).getUTCFullYear();
  const week = Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * DAY_MS)) + 1;
  return `${year}-W${String(week).padStart(2, "0")}`;
}
