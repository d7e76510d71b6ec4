import { basename, dirname, resolve } from "node:path";
import { asFailure, failureTable } from "../base/failure.ts";
import { type Language, languages } from "../base/text.ts";
import { tree } from "../domain/layout.ts";
import { type Ground, noGarden, readConfig } from "../garden/core/garden.ts";
import type { Command, Context, Machine } from "./command.ts";
import { commands } from "./commands.ts";
import { commandHelp, helpJson, helpPage } from "./help.ts";
import { failureJson, failureLines, progressOn, type Terminal } from "./output.ts";
import { type Parsed, parse, wrongUse } from "./parse.ts";
import { styleFor } from "./style.ts";

export interface Surroundings {
  readonly ground: Ground;
  readonly machine: Machine;
  readonly terminal: Terminal;
  readonly garden: string | undefined;
  readonly language: Language | undefined;
  readonly systemLanguage: Language | undefined;
  readonly debug: boolean;
  readonly plain: boolean;
}

/** Runs one command line to its exit code. Never throws. */
export async function runCommandLine(args: readonly string[], around: Surroundings): Promise<number> {
  const { terminal } = around;
  const asked = languageAsked(args);
  let language: Language = asked ?? around.language ?? around.systemLanguage ?? "en";
  const json = args.includes("--json");
  const style = styleFor(terminal.interactive && !around.plain && !args.includes("--no-color"));
  const outStyle = styleFor(terminal.colours === true && !around.plain && !args.includes("--no-color"));
  const quiet = args.includes("--quiet") || args.includes("-q");
  try {
    const parsed = parse(args, commands);
    checkLanguage(parsed);
    const found = finder(parsed, around);
    language = asked ?? around.language ?? (await gardenLanguage(around, found)) ?? language;
    const help = helpFor(parsed);
    if (help !== undefined) {
      if (json) terminal.out(`${JSON.stringify(helpJson(help === "all" ? commands : [help], language), null, 2)}\n`);
      else terminal.out(help === "all" ? helpPage(commands, language, style) : commandHelp(help, language, style));
      return 0;
    }
    const progress = progressOn(terminal, language, quiet || json, () => around.ground.world.now());
    const context: Context = {
      words: parsed.words,
      options: parsed.options,
      language,
      ground: around.ground,
      machine: around.machine,
      gardenDir: async () => (await found()) ?? notFound(around),
      path: (written) => resolve(around.machine.cwd, written),
      style: outStyle,
      progress,
      say: (text, value) => {
        if (json && value !== undefined) terminal.out(`${JSON.stringify(value)}\n`);
        else if (!json && !quiet) terminal.out(`${text[language]}\n`);
      },
    };
    try {
      const report = await parsed.command!.run(context);
      progress.end();
      if (json && report.json !== undefined) terminal.out(`${JSON.stringify(report.json, undefined, 2)}\n`);
      else if (!json && report.text[language] !== "" && (report.asked || !quiet))
        terminal.out(`${report.text[language]}\n`);
      return report.exit ?? 0;
    } finally {
      progress.end();
    }
  } catch (error) {
    const failure = asFailure(error);
    terminal.err(json ? failureJson(failure, language) : failureLines(failure, language, style, around.debug));
    return failureTable[failure.code].exit;
  }
}

function helpFor({ command, options, words }: Parsed): "all" | Command | undefined {
  if (command?.name === "help") {
    if (words[0] === undefined) return options["help"] ? command : "all";
    return parse([words[0], "--help"], commands).command;
  }
  if (!command) return "all";
  return options["help"] ? command : undefined;
}

/** Options come before environment, and the environment before where one stands. */
function finder({ options }: Parsed, { garden, machine, ground }: Surroundings): () => Promise<string | undefined> {
  const named = typeof options["garden"] === "string" ? options["garden"] : garden;
  if (named !== undefined) return async () => resolve(machine.cwd, named);
  return async () => {
    for (let dir = machine.cwd; ; dir = dirname(dir)) {
      if ((await ground.folders.at(dir).look(tree.config)).kind === "file") return dir;
      if (basename(dir) === "" || dirname(dir) === dir) return undefined;
    }
  };
}

const notFound = ({ machine }: Surroundings): never => {
  throw noGarden(machine.cwd);
};

async function gardenLanguage(
  { ground }: Surroundings,
  found: () => Promise<string | undefined>,
): Promise<Language | undefined> {
  try {
    const dir = await found();
    const config = dir === undefined ? undefined : await readConfig(ground.folders.at(dir));
    return config?.kind === "value" ? config.value.language : undefined;
  } catch {
    return undefined; // no garden, or one that cannot be read: the command itself will say so
  }
}

function languageAsked(args: readonly string[]): Language | undefined {
  const at = args.findIndex((arg) => arg === "--lang" || arg.startsWith("--lang="));
  const value = at < 0 ? undefined : (args[at]!.split("=")[1] ?? args[at + 1]);
  return languages.find((language) => language === value);
}

function checkLanguage({ options }: Parsed): void {
  const value = options["lang"];
  if (value === undefined || languages.some((language) => language === value)) return;
  throw wrongUse(
    { en: `no such language: ${String(value)}`, uk: `немає такої мови: ${String(value)}` },
    { en: "Use --lang uk or --lang en.", uk: "Вкажіть --lang uk або --lang en." },
  );
}
