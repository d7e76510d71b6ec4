import type { Json } from "../../base/canonical.ts";
import { type Text, verbatim } from "../../base/text.ts";
import type { MemoryOperation } from "../proposal/operation.ts";
import type { MemoryValues } from "./memory-meta.ts";

const MAX_QUOTE = 160;
const MAX_NAMED = 5;

/** The operations of a memory update as sentences for a person, computed from the operations and the present values (P-10a). */
export function memorySentences(operations: readonly MemoryOperation[], before: MemoryValues): Text[] {
  return operations.flatMap((operation): Text[] => {
    switch (operation.op) {
      case "append":
        return itemsOf(operation.text).map((item) => ({
          en: `Adds to ${operation.file}: ${item}`,
          uk: `Додає до ${operation.file}: ${item}`,
        }));
      case "replace": {
        const place = operation.section === undefined ? operation.file : `${operation.file}, ${operation.section}`;
        const text = quote(operation.text);
        return [{ en: `Replaces ${place} by: ${text}`, uk: `Замінює ${place} на: ${text}` }];
      }
      case "close-loop": {
        const how = operation.resolution === undefined ? "" : `: ${quote(operation.resolution)}`;
        return [
          {
            en: `Closes the question “${quote(operation.loop)}”${how}`,
            uk: `Закриває питання «${quote(operation.loop)}»${how}`,
          },
        ];
      }
      case "observe":
        return [
          ...(operation.text.trim() === ""
            ? []
            : [{ en: `Observes: ${quote(operation.text)}`, uk: `Зауважує: ${quote(operation.text)}` }]),
          ...Object.entries(operation.values ?? {}).map(([name, value]) => valueSentence(name, before[name], value)),
        ];
      case "restore":
        return [
          { en: `Restores the memory of ${operation.from}`, uk: `Повертає пам'ять такою, як була: ${operation.from}` },
        ];
    }
  });
}

/** `processed: 9 → 12 items, new: a, b, c`; `last_run: 15 Nov 2026, 07:00 UTC → 16 Nov 2026, 07:00 UTC`. */
function valueSentence(name: string, before: Json | undefined, after: Json): Text {
  if (Array.isArray(after) && (before === undefined || Array.isArray(before))) return listSentence(name, before, after);
  const [old, now] = [before === undefined ? undefined : shown(name, before), shown(name, after)];
  return {
    en: old === undefined ? `Sets ${name} to ${now.en}` : `${name}: ${old.en} → ${now.en}`,
    uk: old === undefined ? `Установлює ${name}: ${now.uk}` : `${name}: ${old.uk} → ${now.uk}`,
  };
}

function listSentence(name: string, before: readonly Json[] | undefined, after: readonly Json[]): Text {
  const known = new Set((before ?? []).map((item) => JSON.stringify(item)));
  const added = after.filter((item) => !known.has(JSON.stringify(item)));
  const named = added.slice(0, MAX_NAMED).map((item) => shown(name, item));
  const count = before === undefined ? `${after.length}` : `${before.length} → ${after.length}`;
  const more = added.length > MAX_NAMED ? ` + ${added.length - MAX_NAMED}` : "";
  const list = (language: "en" | "uk"): string => named.map((item) => item[language]).join(", ");
  return {
    en: `${name}: ${count} ${after.length === 1 ? "item" : "items"}${added.length === 0 ? "" : `, new: ${list("en")}${more}`}`,
    uk: `${name}: ${count} елем.${added.length === 0 ? "" : `, нові: ${list("uk")}${more}`}`,
  };
}

/** A value for a person: a time as a date, an object by the number of its fields. */
function shown(name: string, value: Json): Text {
  const time = timeIn(name, value);
  if (time !== undefined) return time;
  if (typeof value === "string") return verbatim(quote(value));
  if (typeof value === "boolean") return value ? { en: "yes", uk: "так" } : { en: "no", uk: "ні" };
  if (value === null) return { en: "nothing", uk: "нічого" };
  if (Array.isArray(value)) return { en: `${value.length} items`, uk: `${value.length} елем.` };
  if (typeof value === "object") {
    const size = Object.keys(value).length;
    return { en: `${size} entries`, uk: `записів: ${size}` };
  }
  return verbatim(String(value));
}

/** A number is taken for a time only if its name says so: other large numbers are counts or ids. */
const NAMED_TIME = /(?:^|[_\s-])(?:at|time|date|since|until|run|seen|час|дата|запуск)$|last|останн/i;

function timeIn(name: string, value: Json): Text | undefined {
  const isIso = typeof value === "string" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value);
  const ms =
    typeof value === "number" && NAMED_TIME.test(name)
      ? value > 1e11
        ? value
        : value > 1e9
          ? value * 1000
          : Number.NaN
      : isIso
        ? Date.parse(value)
        : Number.NaN;
  if (!(ms < 4e12)) return undefined;
  const format = (locale: string): string =>
    `${new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(ms)} UTC`;
  return { en: format("en-GB"), uk: format("uk-UA") };
}

const itemsOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => quote(line.replace(/^\s*[-*]\s+/, "")))
    .filter((line) => line !== "");

function quote(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= MAX_QUOTE ? line : `${line.slice(0, MAX_QUOTE - 1).toWellFormed()}…`;
}
