import { basename, dirname, resolve } from "node:path";
import { asFailure, failureTable } from "../base/failure.ts";
import { type Language, languages } from "../base/text.ts";
import { tree } from "../domain/layout.ts";
import { type GardenPorts, noGarden, readConfig } from "../garden/core/garden.ts";
import type { Command, CommandContext, HostProcess } from "./command.ts";
import { commands } from "./commands.ts";
import { usageError } from "./failures.ts";
import { commandHelp, helpJson, helpPage, subcommandPage } from "./help.ts";
import { failureJson, failureLines, progressOn, type Terminal } from "./output.ts";
import { type ParsedCommandLine, parseCommandLine } from "./parse.ts";
import { styleFor } from "./style.ts";

export interface CommandLineEnv {
  readonly ground: GardenPorts;
  readonly machine: HostProcess;
  readonly terminal: Terminal;
  readonly garden: string | undefined;
  readonly language: Language | undefined;
  readonly systemLanguage: Language | undefined;
  readonly debug: boolean;
  readonly plain: boolean;
}

/** Runs one command line and returns its exit code. Never throws. */
export async function runCommandLine(args: readonly string[], around: CommandLineEnv): Promise<number> {
  const { terminal } = around;
  const asked = languageOption(args);
  let language: Language = asked ?? around.language ?? around.systemLanguage ?? "en";
  const json = args.includes("--json");
  const style = styleFor(terminal.interactive && !around.plain && !args.includes("--no-color"));
  const outStyle = styleFor(terminal.colours === true && !around.plain && !args.includes("--no-color"));
  const quiet = args.includes("--quiet") || args.includes("-q");
  try {
    const parsed = parseCommandLine(args, commands);
    checkLanguage(parsed);
    const found = gardenFinder(parsed, around);
    language = asked ?? around.language ?? (await gardenLanguage(around, found)) ?? language;
    const help = helpFor(parsed);
    if (help !== undefined) {
      if (json) terminal.out(`${JSON.stringify(helpJson(help === "all" ? commands : [help], language), null, 2)}\n`);
      else terminal.out(help === "all" ? helpPage(commands, language, style) : commandHelp(help, language, style));
      return 0;
    }
    const progress = progressOn(terminal, language, quiet || json, () => around.ground.world.now());
    const context: CommandContext = {
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

function helpFor({ command, options, words }: ParsedCommandLine): "all" | Command | undefined {
  if (command?.name === "help") {
    const [name, word] = words;
    if (name === undefined) return options["help"] ? command : "all";
    const named = parseCommandLine([name, "--help"], commands).command!;
    return word === undefined ? named : subcommandPage(named, word);
  }
  if (!command) return "all";
  if (!options["help"]) return undefined;
  return command.subcommands?.some(({ word }) => word === words[0]) ? subcommandPage(command, words[0]!) : command;
}

/** Precedence: option, environment, then the nearest parent folder with a `garden.yaml`. */
function gardenFinder(
  { options }: ParsedCommandLine,
  { garden, machine, ground }: CommandLineEnv,
): () => Promise<string | undefined> {
  const named = typeof options["garden"] === "string" ? options["garden"] : garden;
  if (named !== undefined) return async () => resolve(machine.cwd, named);
  return async () => {
    for (let dir = machine.cwd; ; dir = dirname(dir)) {
      if ((await ground.folders.at(dir).stat(tree.config)).kind === "file") return dir;
      if (basename(dir) === "" || dirname(dir) === dir) return undefined;
    }
  };
}

const notFound = ({ machine }: CommandLineEnv): never => {
  throw noGarden(machine.cwd);
};

async function gardenLanguage(
  { ground }: CommandLineEnv,
  found: () => Promise<string | undefined>,
): Promise<Language | undefined> {
  try {
    const dir = await found();
    const config = dir === undefined ? undefined : await readConfig(ground.folders.at(dir));
    return config?.kind === "value" ? config.value.language : undefined;
  } catch {
    return undefined; // no garden, or an unreadable one: the command reports it
  }
}

function languageOption(args: readonly string[]): Language | undefined {
  const at = args.findIndex((arg) => arg === "--lang" || arg.startsWith("--lang="));
  const value = at < 0 ? undefined : (args[at]!.split("=")[1] ?? args[at + 1]);
  return languages.find((language) => language === value);
}

function checkLanguage({ options }: ParsedCommandLine): void {
  const value = options["lang"];
  if (value === undefined || languages.some((language) => language === value)) return;
  throw usageError(
    { en: `unknown language: ${String(value)}`, uk: `невідома мова: ${String(value)}` },
    { en: "Use --lang uk or --lang en.", uk: "Вкажіть --lang uk або --lang en." },
  );
}
