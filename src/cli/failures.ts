import { didYouMean } from "../base/did-you-mean.ts";
import { Failure } from "../base/failure.ts";
import type { Text } from "../base/text.ts";
import type { Command } from "./command.ts";

/** The command line is wrong: the hint says how to write it. */
export const usageError = (text: Text, hint: Text): Failure => new Failure("VALIDATION_FAILED", { ...text, hint });

export const suggestion = (meant: string): Text => ({ en: `Did you mean \`${meant}\`?`, uk: `Можливо, \`${meant}\`?` });

export function unknownCommand(name: string, commands: readonly Command[]): Failure {
  const meant = didYouMean(
    name,
    commands.filter(({ hidden }) => !hidden).map((command) => command.name),
  );
  return usageError(
    { en: `unknown command ${JSON.stringify(name)}`, uk: `невідома команда ${JSON.stringify(name)}` },
    meant === undefined
      ? { en: "All commands: `bloom help`.", uk: "Перелік команд: `bloom help`." }
      : suggestion(`bloom ${meant}`),
  );
}

/** A missing or unknown subcommand of a command that has `all` of these. */
export function unknownSubcommand(command: string, all: readonly string[], word: string | undefined): Failure {
  const meant = word === undefined ? undefined : didYouMean(word, all);
  return usageError(
    word === undefined
      ? { en: `${command}: missing subcommand`, uk: `${command}: бракує підкоманди` }
      : { en: `unknown subcommand ${JSON.stringify(word)}`, uk: `невідома підкоманда ${JSON.stringify(word)}` },
    meant === undefined
      ? { en: `One of: ${all.join(", ")}.`, uk: `Одна з: ${all.join(", ")}.` }
      : suggestion(`bloom ${command} ${meant}`),
  );
}

/** Throws if a command or subcommand has too few or too many arguments. */
export function checkCount(
  name: string,
  { words: [min, max], usage }: Pick<Command, "words" | "usage">,
  words: readonly string[],
): void {
  if (words.length >= min && words.length <= max) return;
  const line = `bloom ${name} ${usage}`.trimEnd();
  const extra = JSON.stringify(words[max]);
  throw usageError(
    words.length < min
      ? { en: `${name}: missing argument`, uk: `${name}: бракує аргументу` }
      : { en: `${name}: unexpected argument ${extra}`, uk: `${name}: зайвий аргумент ${extra}` },
    { en: `Usage: ${line}`, uk: `Використання: ${line}` },
  );
}
