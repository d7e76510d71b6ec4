import type { Language, Text } from "../base/text.ts";
import type { Command, OptionSpec } from "./command.ts";
import type { Style } from "./style.ts";

export const globalOptions = {
  garden: {
    type: "string",
    value: "DIR",
    about: {
      en: "the garden's folder (else BLOOM_GARDEN, else the nearest folder upwards with a garden.yaml)",
      uk: "тека саду (інакше BLOOM_GARDEN, інакше найближча тека вгору, де є garden.yaml)",
    },
  },
  lang: { type: "string", value: "uk|en", about: { en: "language of the output", uk: "мова виводу" } },
  json: {
    type: "boolean",
    about: { en: "one JSON document for programs", uk: "один документ JSON для програм" },
  },
  quiet: { type: "boolean", short: "q", about: { en: "say nothing that is not asked for", uk: "без зайвих слів" } },
  "no-color": { type: "boolean", about: { en: "no colours (also NO_COLOR)", uk: "без кольорів (також NO_COLOR)" } },
  help: { type: "boolean", short: "h", about: { en: "help for a command", uk: "довідка про команду" } },
} as const satisfies Record<string, OptionSpec>;

const words = {
  usage: { en: "Usage", uk: "Використання" },
  commands: { en: "Commands", uk: "Команди" },
  options: { en: "Options", uk: "Параметри" },
  everywhere: { en: "Everywhere", uk: "Для всіх команд" },
  examples: { en: "Examples", uk: "Приклади" },
  command: { en: "COMMAND", uk: "КОМАНДА" },
  about: {
    en: "Garden Bloom: version control for the behaviour of agents. A garden is an ordinary folder with git inside.",
    uk: "Garden Bloom: керування версіями поведінки агентів. Сад — звичайна тека з git усередині.",
  },
  more: {
    en: "`bloom help COMMAND` tells more.",
    uk: "Докладніше: `bloom help КОМАНДА`.",
  },
  exits: {
    en: "Exit codes: 0 done, 1 verify or why found something or a run failed, 2 wrong use or content, 3 not found, 4 not allowed, 5 conflict, 6 too often, 7 a part is away, 8 too late, 9 a run waits for a person, 70 a bug.",
    uk: "Коди завершення: 0 зроблено, 1 verify чи why щось знайшли або запуск не вдався, 2 хибне використання чи вміст, 3 не знайдено, 4 заборонено, 5 конфлікт, 6 зачасто, 7 частина недоступна, 8 запізно, 9 запуск чекає на людину, 70 помилка програми.",
  },
} as const satisfies Record<string, Text>;

const SHORT = 20;

/** What follows a name is shown where it is short; the rest is on the command's own page. */
const shortForm = ({ name, usage }: Command): string => `${name} ${usage.length > SHORT ? "…" : usage}`.trim();

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
    "",
  ].join("\n");
}

/** The same for programs: a command, what it takes and what each option means. */
export const helpJson = (commands: readonly Command[], language: Language): unknown => ({
  commands: commands
    .filter(({ hidden }) => !hidden)
    .map(({ name, summary, usage, options, examples }) => ({
      name,
      summary: summary[language],
      usage: `bloom ${name} ${usage}`.trimEnd(),
      options: Object.entries(options).map(([option, { type, value, about }]) => ({
        name: option,
        type,
        ...(value !== undefined && { value }),
        about: about[language],
      })),
      examples: examples.map(({ line, does }) => ({ line, does: does[language] })),
    })),
});

export function commandHelp(command: Command, language: Language, style: Style): string {
  const own = Object.keys(command.options).length > 0;
  return [
    command.summary[language],
    "",
    `${style.bold(words.usage[language])}: bloom ${command.name} ${command.usage}`.trimEnd(),
    ...(own ? ["", style.bold(words.options[language]), ...optionLines(command.options, language)] : []),
    "",
    style.bold(words.everywhere[language]),
    ...optionLines(globalOptions, language),
    "",
    style.bold(words.examples[language]),
    ...columns(command.examples.map(({ line, does }) => [line, does[language]])),
    "",
  ].join("\n");
}

const optionLines = (options: Readonly<Record<string, OptionSpec>>, language: Language): string[] =>
  columns(
    Object.entries(options).map(([name, { short, value, about }]) => [
      `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`,
      about[language],
    ]),
  );

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
