import type { Language, Text } from "../base/text.ts";
import type { Command, OptionSpec, SubcommandPage } from "./command.ts";
import { checkCount, unknownSubcommand } from "./failures.ts";
import { flag, option } from "./options.ts";
import type { Style } from "./style.ts";
import { alignColumns } from "./text-layout.ts";

export const globalOptions = {
  garden: option(
    "DIR",
    "the garden's folder (default: BLOOM_GARDEN, or the nearest parent folder with a garden.yaml)",
    "тека саду (інакше BLOOM_GARDEN, інакше найближча тека вгору, де є garden.yaml)",
  ),
  lang: option(
    "uk|en",
    "language of the output (default: BLOOM_LANG, the garden's, or the system's)",
    "мова виводу (інакше BLOOM_LANG, мова саду чи системи)",
  ),
  json: flag("print one JSON document, for programs", "один документ JSON для програм"),
  quiet: { ...flag("print only the requested output", "без зайвих слів"), short: "q" },
  "no-color": flag("no colours (also NO_COLOR)", "без кольорів (також NO_COLOR)"),
  help: { ...flag("help for a command", "довідка про команду"), short: "h" },
} as const satisfies Record<string, OptionSpec>;

const words = {
  usage: { en: "Usage", uk: "Використання" },
  commands: { en: "Commands", uk: "Команди" },
  subcommands: { en: "Subcommands", uk: "Підкоманди" },
  options: { en: "Options", uk: "Параметри" },
  everywhere: { en: "Options of all commands", uk: "Для всіх команд" },
  examples: { en: "Examples", uk: "Приклади" },
  command: { en: "COMMAND", uk: "КОМАНДА" },
  about: {
    en: "Garden Bloom: version control for the behaviour of agents. A garden is an ordinary folder with git inside.",
    uk: "Garden Bloom: керування версіями поведінки агентів. Сад — звичайна тека з git усередині.",
  },
  debug: {
    en: "With BLOOM_DEBUG=1, failures are printed with their stack.",
    uk: "З BLOOM_DEBUG=1 помилки друкуються разом зі стеком.",
  },
  more: { en: "Details of a command: `bloom help COMMAND`.", uk: "Докладніше: `bloom help КОМАНДА`." },
  exits: {
    en: "Exit codes: 0 success, 1 verify or why found problems or a run failed, 2 invalid usage or content, 3 not found, 4 not allowed, 5 conflict, 6 rate limit, 7 a service is unavailable, 8 too late, 9 a run waits for a person, 70 a bug.",
    uk: "Коди завершення: 0 зроблено, 1 verify чи why щось знайшли або запуск не вдався, 2 хибне використання чи вміст, 3 не знайдено, 4 заборонено, 5 конфлікт, 6 зачасто, 7 частина недоступна, 8 запізно, 9 запуск чекає на людину, 70 помилка програми.",
  },
} as const satisfies Record<string, Text>;

const SHORT = 20;

/** Long usages and subcommands are left to the command's own page. */
const shortForm = ({ name, usage, subcommands }: Command): string =>
  `${name} ${subcommands || usage.length > SHORT ? "…" : usage}`.trim();

export function helpPage(commands: readonly Command[], language: Language, style: Style): string {
  const listed = commands.filter(({ hidden }) => !hidden);
  return [
    words.about[language],
    "",
    `${style.bold(words.usage[language])}: bloom ${words.command[language]} …`,
    "",
    style.bold(words.commands[language]),
    ...columns(listed.map((command) => [shortForm(command), command.summary[language]])),
    "",
    style.bold(words.everywhere[language]),
    ...optionLines(globalOptions, language),
    "",
    words.more[language],
    words.exits[language],
    words.debug[language],
    "",
  ].join("\n");
}

/** The help pages as JSON. */
export const helpJson = (commands: readonly Command[], language: Language): unknown => ({
  commands: commands
    .filter(({ hidden }) => !hidden)
    .map(({ name, summary, usage, options, subcommands = [], examples }) => ({
      name,
      summary: summary[language],
      usage: `bloom ${name} ${usage}`.trimEnd(),
      options: Object.entries(options).map(([key, { type, value, about }]) => ({
        name: key,
        type,
        ...(value !== undefined && { value }),
        about: about[language],
      })),
      examples: [...subcommandLines(name, subcommands), ...examples].map(({ line, does }) => ({
        line,
        does: does[language],
      })),
    })),
});

export function commandHelp(command: Command, language: Language, style: Style): string {
  const section = (title: Text, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ["", style.bold(title[language]), ...lines];
  const exampleLines = (examples: Command["examples"]): string[] =>
    columns(examples.map(({ line, does }) => [line, does[language]]));
  return [
    command.summary[language],
    "",
    `${style.bold(words.usage[language])}: bloom ${command.name} ${command.usage}`.trimEnd(),
    ...section(words.subcommands, exampleLines(subcommandLines(command.name, command.subcommands ?? []))),
    ...section(words.options, optionLines(command.options, language)),
    ...section(words.everywhere, optionLines(globalOptions, language)),
    ...section(words.examples, exampleLines(command.examples)),
    "",
  ].join("\n");
}

const subcommandLines = (name: string, pages: readonly SubcommandPage[]): Command["examples"] =>
  pages.map(({ word, usage, does }) => ({ line: `bloom ${name} ${word} ${usage}`.trimEnd(), does }));

/** The help page of `bloom NAME WORD`: that subcommand with its own options and examples. Throws for an unknown word. */
export function subcommandPage(command: Command, word: string): Command {
  const { name, subcommands, options, examples } = command;
  if (!subcommands) checkCount(`help ${name}`, { words: [0, 0], usage: "" }, [word]);
  const page = subcommands?.find((each) => each.word === word);
  if (!page)
    throw unknownSubcommand(
      name,
      (subcommands ?? []).map((each) => each.word),
      word,
    );
  return {
    name: `${name} ${word}`,
    summary: page.does,
    usage: page.usage,
    words: page.words,
    options: Object.fromEntries(Object.entries(options).filter(([, spec]) => isOptionOf(spec, command, word))),
    examples: examples.filter(({ line }) => line.includes(`bloom ${name} ${word}`)),
    run: (context) => command.run(context),
  };
}

/** The description of an option names its subcommands (`new, edit: the title`); one that names none belongs to all. */
export function isOptionOf({ about }: OptionSpec, { subcommands = [] }: Command, word: string): boolean {
  const named = /^([a-z-]+(?:, [a-z-]+)*): /.exec(about.en)?.[1]?.split(", ") ?? [];
  const known = subcommands.map((page) => page.word);
  return !named.every((each) => known.includes(each)) || named.length === 0 || named.includes(word);
}

const optionLines = (options: Readonly<Record<string, OptionSpec>>, language: Language): string[] =>
  columns(
    Object.entries(options).map(([name, { short, value, about }]) => [
      `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`,
      about[language],
    ]),
  );

const columns = (rows: readonly (readonly [string, string])[]): string[] =>
  alignColumns(rows).map((line) => `  ${line}`);
