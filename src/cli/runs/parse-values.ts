import type { Json } from "../../base/canonical.ts";
import type { CommandContext } from "../command.ts";
import { usageError } from "../failures.ts";
import { textsOption } from "../options.ts";

/**
 * Parses `--input name=value …` into one record. A value is parsed as JSON if possible (`3`, `true`, `["a"]`, `"3"`), else taken
 * as text. `name=@FILE` does not read a file: files belong into the garden.
 */
export function parseValues(context: CommandContext, option: string): { readonly [name: string]: Json } | undefined {
  const written = textsOption(context, option);
  if (written.length === 0) return undefined;
  const values = new Map<string, Json>();
  for (const pair of written) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, at)).trim();
    if (name === "" || name === "__proto__") throw notAPair(option, pair);
    if (values.has(name)) throw twice(option, name);
    values.set(name, parseValue(pair.slice(at + 1)));
  }
  return Object.fromEntries(values);
}

export function parseValue(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

const notAPair = (option: string, pair: string) =>
  usageError(
    { en: `--${option}: not name=value: ${pair}`, uk: `--${option}: не назва=значення: ${pair}` },
    { en: `For example: --${option} year=2026`, uk: `Наприклад: --${option} year=2026` },
  );

const twice = (option: string, name: string) =>
  usageError(
    { en: `--${option}: ${name} is given twice`, uk: `--${option}: ${name} вказано двічі` },
    { en: `A list is written as JSON: ${name}=["a","b"]`, uk: `Список пишуть як JSON: ${name}=["a","b"]` },
  );
