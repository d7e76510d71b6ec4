import type { Language } from "../../../src/base/text.ts";

/** A simple cron expression in words: `0 7 * * 1` is "Every Monday at 07:00". Any other expression is shown as it is. */
export function scheduleText(cron: string, language: Language): string {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.trim().split(/\s+/);
  const isPlain = /^\d+$/.test(minute) && /^\d+$/.test(hour) && month === "*";
  const days = isPlain ? daysText(day, weekday, language) : undefined;
  if (days === undefined) return language === "en" ? `Schedule: ${cron}` : `за розкладом: ${cron}`;
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  return language === "en" ? `${days} at ${time}` : `${days} о ${time}`;
}

function daysText(day: string, weekday: string, language: Language): string | undefined {
  const isEnglish = language === "en";
  if (day === "*" && weekday === "*") return isEnglish ? "Every day" : "щодня";
  if (weekday === "*" && /^\d+$/.test(day))
    return isEnglish ? `On day ${day} of every month` : `щомісяця, ${day} числа,`;
  if (day !== "*" || !/^[0-7](?:[-,][0-7])*$/.test(weekday)) return undefined;
  const names = weekday.replaceAll(/\d/g, (number) => weekdayName(Number(number), language));
  const list = names.replaceAll("-", isEnglish ? " to " : " – ").replaceAll(",", ", ");
  return isEnglish ? `Every ${list}` : `щотижня (${list})`;
}

/** Cron counts from Sunday as 0 or 7. The third of January 2021 was a Sunday. */
const weekdayName = (number: number, language: Language): string =>
  new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2021, 0, 3 + number));
