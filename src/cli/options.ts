import { didYouMean } from "../base/did-you-mean.ts";
import type { Command, CommandContext, OptionSpec } from "./command.ts";
import { suggestion, usageError } from "./failures.ts";

/** An option with a value: `--port N`. */
export const option = (value: string, en: string, uk: string) =>
  ({ type: "string", value, about: { en, uk } }) as const satisfies OptionSpec;

/** An option without a value: `--wait`. */
export const flag = (en: string, uk: string) => ({ type: "boolean", about: { en, uk } }) as const satisfies OptionSpec;

/** A line for the help page, and what it does. */
export const example = (line: string, en: string, uk: string): Command["examples"][number] => ({
  line,
  does: { en, uk },
});

export const textOption = (context: CommandContext, name: string): string | undefined => {
  const value = context.options[name];
  return typeof value === "string" ? value : undefined;
};

/** All values of an option that may be repeated. */
export const textsOption = (context: CommandContext, name: string): readonly string[] => {
  const value = context.options[name];
  return Array.isArray(value) ? (value as readonly string[]) : typeof value === "string" ? [value] : [];
};

/** The parts of a comma-separated value. */
export function listOption(context: CommandContext, name: string): string[] | undefined {
  return textOption(context, name)
    ?.split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

export function numberOption(context: CommandContext, name: string): number | undefined {
  const text = textOption(context, name);
  if (text === undefined || /^\d{1,9}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw usageError(
    { en: `--${name}: not a number: ${text}`, uk: `--${name}: не число: ${text}` },
    { en: "Use a whole number.", uk: "Вкажіть ціле число." },
  );
}

/** One of a fixed set of values; throws for any other. */
export function choiceOption<T extends string>(
  context: CommandContext,
  name: string,
  choices: readonly T[],
): T | undefined {
  const given = textOption(context, name);
  const choice = choices.find((each) => each === given);
  if (given === undefined || choice !== undefined) return choice;
  const meant = didYouMean(given, choices);
  throw usageError(
    {
      en: `--${name}: unknown value ${JSON.stringify(given)}`,
      uk: `--${name}: невідоме значення ${JSON.stringify(given)}`,
    },
    meant === undefined
      ? { en: `One of: ${choices.join(", ")}.`, uk: `Одне з: ${choices.join(", ")}.` }
      : suggestion(`--${name} ${meant}`),
  );
}

export function monthOption(context: CommandContext): string | undefined {
  const month = textOption(context, "month");
  if (month === undefined || /^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return month;
  throw usageError(
    { en: `--month: not a month: ${month}`, uk: `--month: це не місяць: ${month}` },
    { en: "Write it as 2026-02.", uk: "Запишіть як 2026-02." },
  );
}
