import { type ParseArgsConfig, parseArgs } from "node:util";
import { didYouMean } from "../base/did-you-mean.ts";
import { Failure } from "../base/failure.ts";
import type { Text } from "../base/text.ts";
import type { Command, OptionValue } from "./command.ts";
import { globalOptions } from "./help.ts";

export interface Parsed {
  readonly command: Command | undefined;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, OptionValue>>;
}

type Token = {
  kind: string;
  name?: string;
  rawName?: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
};

/** What was typed, checked: the command, its words and its options. */
export function parse(typed: readonly string[], commands: readonly Command[]): Parsed {
  const args = typed.length === 1 && typed[0] === "--version" ? ["version"] : typed; // what everybody tries first
  const name = commandName(args);
  const command = name === undefined ? undefined : commands.find((each) => each.name === name);
  if (name !== undefined && !command) throw unknownCommand(name, commands);
  const known = { ...globalOptions, ...command?.options };
  const options: NonNullable<ParseArgsConfig["options"]> = Object.fromEntries(
    Object.entries(known).map(([option, spec]) => [
      option,
      {
        type: spec.type,
        ...("short" in spec && spec.short ? { short: spec.short } : {}),
        ...("many" in spec && { multiple: true }),
      },
    ]),
  );
  const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true });
  for (const token of parsed.tokens as Token[])
    if (token.kind === "option") checkOption(token, known, seeHelp(command));
  const values = parsed.values as Record<string, OptionValue>;
  const words = command ? parsed.positionals.slice(1) : parsed.positionals;
  if (command && !values["help"]) checkWords(command, words);
  return { command, words, options: values };
}

/** The first word that is no option, nor the value of a global one. */
function commandName(args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === "--garden" || arg === "--lang") at++;
    else if (!arg.startsWith("-")) return arg;
  }
  return undefined;
}

function checkOption(token: Token, known: Readonly<Record<string, { type: "string" | "boolean" }>>, help: Text): void {
  const spec = Object.hasOwn(known, token.name!) ? known[token.name!] : undefined;
  if (!spec) {
    const meant = didYouMean(token.name!, Object.keys(known));
    throw wrongUse(
      { en: `unknown option ${token.rawName}`, uk: `невідомий параметр ${token.rawName}` },
      meant === undefined ? help : suggestion(`--${meant}`),
    );
  }
  const given = token.value !== undefined;
  // `-` alone stands for the standard input, and is a value like any other.
  const isOption = given && token.value!.startsWith("-") && token.value !== "-" && !token.inlineValue;
  if (spec.type === "string" && (!given || isOption)) {
    throw wrongUse({ en: `${token.rawName} needs a value`, uk: `для ${token.rawName} потрібне значення` }, help);
  }
  if (spec.type === "boolean" && given) {
    throw wrongUse({ en: `${token.rawName} takes no value`, uk: `${token.rawName} не приймає значення` }, help);
  }
}

function checkWords(command: Command, words: readonly string[]): void {
  const [min, max] = command.words;
  if (words.length >= min && words.length <= max) return;
  const line = `bloom ${command.name} ${command.usage}`.trimEnd();
  throw wrongUse(
    words.length < min
      ? { en: "something is missing after the command", uk: "після команди чогось бракує" }
      : { en: `one word too many: ${words[max]}`, uk: `зайве слово: ${words[max]}` },
    { en: `Usage: ${line}`, uk: `Використання: ${line}` },
  );
}

export function unknownCommand(name: string, commands: readonly Command[]): Failure {
  const meant = didYouMean(
    name,
    commands.filter(({ hidden }) => !hidden).map((command) => command.name),
  );
  return wrongUse(
    { en: `unknown command ${JSON.stringify(name)}`, uk: `невідома команда ${JSON.stringify(name)}` },
    meant === undefined
      ? { en: "`bloom help` lists them.", uk: "Перелік команд: `bloom help`." }
      : suggestion(`bloom ${meant}`),
  );
}

export const wrongUse = (text: Text, hint: Text): Failure => new Failure("VALIDATION_FAILED", text, { hint });

const suggestion = (meant: string): Text => ({ en: `Did you mean \`${meant}\`?`, uk: `Можливо, \`${meant}\`?` });
const seeHelp = (command: Command | undefined): Text => ({
  en: `\`bloom help ${command?.name ?? "COMMAND"}\` lists its options.`,
  uk: `Перелік параметрів: \`bloom help ${command?.name ?? "КОМАНДА"}\`.`,
});
