import { type ParseArgsConfig, parseArgs } from "node:util";
import { didYouMean } from "../base/did-you-mean.ts";
import type { Failure } from "../base/failure.ts";
import type { Text } from "../base/text.ts";
import type { Command, OptionSpec, OptionValue } from "./command.ts";
import { checkCount, suggestion, unknownCommand, usageError } from "./failures.ts";
import { globalOptions } from "./help.ts";

export interface ParsedCommandLine {
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

/** Parses the command line into command, arguments and options. Throws on unknown commands and options. */
export function parseCommandLine(typed: readonly string[], commands: readonly Command[]): ParsedCommandLine {
  const args = typed.length === 1 && typed[0] === "--version" ? ["version"] : typed;
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
  for (const token of parsed.tokens as Token[]) if (token.kind === "option") checkOption(token, known, command);
  const values = parsed.values as Record<string, OptionValue>;
  const words = command ? parsed.positionals.slice(1) : parsed.positionals;
  if (command && !values["help"]) checkCount(command.name, command, words);
  return { command, words, options: values };
}

/** The first argument that is neither an option nor the value of a global one. */
function commandName(args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === "--garden" || arg === "--lang") at++;
    else if (!arg.startsWith("-")) return arg;
  }
  return undefined;
}

type KnownOptions = Readonly<Record<string, Pick<OptionSpec, "type" | "short">>>;

function checkOption(token: Token, known: KnownOptions, command: Command | undefined): void {
  const help = seeHelp(command);
  const spec = Object.hasOwn(known, token.name!) ? known[token.name!] : undefined;
  if (!spec) {
    const meant = didYouMean(token.name!, Object.keys(known));
    throw usageError(
      { en: `unknown option ${token.rawName}`, uk: `невідомий параметр ${token.rawName}` },
      meant === undefined ? help : suggestion(`--${meant}`),
    );
  }
  const given = token.value !== undefined;
  if (spec.type === "string" && !given) {
    throw usageError({ en: `${token.rawName} needs a value`, uk: `для ${token.rawName} потрібне значення` }, help);
  }
  if (spec.type === "string" && !token.inlineValue && isWrittenOption(token.value!, known))
    throw optionAsValue(token.name!, token.rawName!, token.value!);
  if (spec.type === "boolean" && given) {
    throw usageError({ en: `${token.rawName} takes no value`, uk: `${token.rawName} не приймає значення` }, help);
  }
}

/** True for `--name` and `-n` of a known option. Every other text may be a value: `- item`, `---`, `-3`, `-` (standard input). */
const isWrittenOption = (text: string, known: KnownOptions): boolean =>
  Object.entries(known).some(([name, { short }]) => text === `--${name}` || text === `-${short}`);

const optionAsValue = (name: string, rawName: string, value: string): Failure =>
  usageError(
    {
      en: `${rawName} needs a value, and ${value} is an option of this command`,
      uk: `для ${rawName} потрібне значення, а ${value} — параметр цієї команди`,
    },
    {
      en: `If ${value} is the value, write \`--${name}=${value}\`.`,
      uk: `Якщо ${value} — саме значення, пишіть \`--${name}=${value}\`.`,
    },
  );

const seeHelp = (command: Command | undefined): Text => ({
  en: `\`bloom help ${command?.name ?? "COMMAND"}\` lists its options.`,
  uk: `Перелік параметрів: \`bloom help ${command?.name ?? "КОМАНДА"}\`.`,
});
