import type { Command, OptionSpec } from "../command.ts";
import { globalOptions, subcommandPage } from "../help.ts";

/** Names of the garden that `bloom complete-names` prints. */
export const nameKinds = ["agents", "notes", "proposals", "runs"] as const;
export type NameKind = (typeof nameKinds)[number];

/** Completions of one argument or option value: names, files, fixed words, or nothing. */
export type Completion =
  | { readonly kind: "names"; readonly names: readonly NameKind[] }
  | { readonly kind: "files" }
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "none" };

/** `bloom NAME` or `bloom NAME SUBCOMMAND` with what may follow. */
export interface CompletionRow {
  /** The command, or the command and the subcommand. */
  readonly words: readonly string[];
  readonly about: Command["summary"];
  readonly subcommands: readonly { readonly word: string; readonly about: Command["summary"] }[];
  readonly options: readonly CompletedOption[];
  readonly args: readonly Completion[];
  /** True if the last of `args` may be repeated. */
  readonly repeats: boolean;
}

export interface CompletedOption {
  readonly name: string;
  readonly short: string | undefined;
  readonly about: Command["summary"];
  /** Undefined for a flag. */
  readonly value: Completion | undefined;
}

/** One row per command and per subcommand, from the table of commands. */
export function completionTable(commands: readonly Command[]): CompletionRow[] {
  const names = commands.filter(({ hidden }) => !hidden).map(({ name }) => name);
  return commands
    .filter(({ hidden }) => !hidden)
    .flatMap((command) => [
      rowOf(command, [command.name], names),
      ...(command.subcommands ?? []).map(({ word }) =>
        rowOf(subcommandPage(command, word), [command.name, word], names),
      ),
    ]);
}

function rowOf(page: Command, words: readonly string[], names: readonly string[]): CompletionRow {
  const { usage, subcommands = [], options, summary } = page;
  const places = subcommands.length > 0 ? [] : placesOf(usage);
  return {
    words,
    about: summary,
    subcommands: subcommands.map(({ word, does }) => ({ word, about: does })),
    options: completedOptions(words[0]!, { ...options, ...globalOptions }),
    args: words[0] === "help" ? [{ kind: "words", words: names }] : places.map((place) => meaningOf(place, words[0]!)),
    repeats: places.at(-1)?.includes("…") ?? false,
  };
}

const completedOptions = (command: string, options: Readonly<Record<string, OptionSpec>>): CompletedOption[] =>
  Object.entries(options).map(([name, { type, short, value = "", about }]) => ({
    name,
    short,
    about,
    value: type === "boolean" ? undefined : meaningOf(value, command),
  }));

/** The placeholders of the arguments, up to the first option or the second way to write the line: `PATH FILE|-`. */
const placesOf = (usage: string): string[] =>
  usage
    .replaceAll(" | ", "|")
    .split(/,? ?\[?--|, /)[0]!
    .replace(/\|$/, "")
    .split(" ")
    .filter((place) => place !== "");

const NAMES: Readonly<Record<string, NameKind>> = {
  SLUG: "agents",
  AGENT: "agents",
  NOTE: "notes",
  PATH: "notes",
  PROPOSAL: "proposals",
  RUN: "runs",
};
/** The noun of `ID`, by command. */
const ID_OF: Readonly<Record<string, NameKind>> = { proposals: "proposals", runs: "runs" };

/** `SLUG`, `PATH[:LINE]|RUN`, `FILE|-`, `uk|en`. */
function meaningOf(place: string, command: string): Completion {
  const parts = place.replaceAll(/[[\]…]/g, "").split("|");
  if (parts.length > 1 && parts.every((part) => /^[a-z]+$/.test(part))) return { kind: "words", words: parts };
  const nouns = parts.map((part) => /^[A-Z]+/.exec(part)?.[0] ?? "");
  const named = nouns.flatMap((noun) => NAMES[noun] ?? (noun === "ID" ? (ID_OF[command] ?? []) : []));
  if (named.length > 0) return { kind: "names", names: [...new Set(named)] };
  return /\b(?:FILE|DIR|BEFORE|AFTER)\b|\.json\b/.test(place) ? { kind: "files" } : { kind: "none" };
}
